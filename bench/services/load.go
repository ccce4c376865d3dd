package services

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/serving"
)

// senders is how many requests may be under way. Beyond that they wait, and their time counts.
const senders = 64

// Window is what a process took for the requests of a few seconds.
type Window struct {
	Requests int     `json:"requests"`
	CPU      float64 `json:"cpu"` // of the process, ms a request
	P50      float64 `json:"p50"` // ms from when a request was due to its answer
	P99      float64 `json:"p99"`
}

// load sends a process requests for the time of a window: so many a second, or with 0 as many as it takes from
// eight senders. An error of any request is one of the window.
func (p *process) load(ctx context.Context, l *loading, perSecond float64, seed uint64) (Window, error) {
	workers := senders
	if perSecond == 0 {
		workers = 8
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers, DisableCompression: true}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	before, err := p.cpu()
	if err != nil {
		return Window{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, l.window)
	defer cancel()
	var (
		mu      sync.Mutex
		waits   []float64
		failed  error
		sending sync.WaitGroup
		due     = make(chan time.Time, senders)
		next    = int(seed % uint64(len(l.requests))) // windows send different parts of the series
	)
	for range workers {
		sending.Go(func() {
			for at := range due {
				mu.Lock()
				r := &l.requests[next%len(l.requests)]
				next++
				mu.Unlock()
				if perSecond == 0 {
					at = time.Now()
				}
				err := r.send(client, p.address)
				wait := time.Since(at)
				mu.Lock()
				failed = errors.Join(failed, err)
				waits = append(waits, wait.Seconds()*1000)
				mu.Unlock()
			}
		})
	}
	serving.Schedule(ctx, due, perSecond, seed)
	close(due)
	sending.Wait()
	after, err := p.cpu()
	if err := errors.Join(failed, err); err != nil {
		return Window{}, err
	}
	return Window{
		Requests: len(waits), CPU: (after - before).Seconds() * 1000 / float64(max(1, len(waits))),
		P50: figures.Quantile(waits, 0.5), P99: figures.Quantile(waits, 0.99),
	}, nil
}
