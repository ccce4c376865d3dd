package collecting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/serving"
)

// Stage is a load, and how the collector bore it.
type Stage struct {
	PerSecond   float64   `json:"perSecond"` // due; 0: as many as it takes
	Seconds     float64   `json:"seconds"`
	Sent        int       `json:"sent"`
	Errors      int       `json:"errors"`
	Taken       float64   `json:"taken"`       // acknowledged a second
	P50         float64   `json:"p50"`         // ms from when a request was due to its acknowledgement
	P99         float64   `json:"p99"`         // ms
	Worst       float64   `json:"worst"`       // ms
	Minutes     []float64 `json:"minutes"`     // P99 of each minute, ms
	DiskP99     float64   `json:"diskP99"`     // ms to make a block durable meanwhile
	DiskWorst   float64   `json:"diskWorst"`   // ms
	CPU         float64   `json:"cpu"`         // of the collector, ms per chunk
	Cores       float64   `json:"cores"`       // that it kept busy
	Sender      float64   `json:"sender"`      // cores that the bench itself kept busy
	RSS         float64   `json:"rss"`         // MB, highest
	RSSEarly    float64   `json:"rssEarly"`    // MB, median of the second quarter
	RSSLate     float64   `json:"rssLate"`     // MB, median of the last quarter
	BytesOfBody float64   `json:"bytesOfBody"` // mean, as sent
}

// senders is how many requests may be under way. Beyond that they wait, and their time counts.
const senders = 256

// load sends requests for a while: so many a second at random moments, or as many as are taken.
func (c *collector) load(ctx context.Context, bodies []sent, perSecond float64, length time.Duration, seed uint64) (*Stage, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders, DisableCompression: true}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	stage := &Stage{PerSecond: perSecond}
	before, err := serving.Used(c.cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	mine, err := serving.Used(os.Getpid())
	if err != nil {
		return nil, err
	}
	began := time.Now()
	ctx, cancel := context.WithDeadline(ctx, began.Add(length))
	defer cancel()
	var mu sync.Mutex
	var waits []float64
	minutes := map[int][]float64{}
	var bytesSent int
	due := make(chan time.Time, senders)
	var sending sync.WaitGroup
	for i := range senders {
		sending.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			for at := range due {
				body, err := bodies[random.IntN(len(bodies))].request(random, time.Now())
				if perSecond == 0 {
					at = time.Now()
				}
				if err == nil {
					err = post(client, c.send, body)
				}
				wait, minute := time.Since(at), int(at.Sub(began)/time.Minute)
				mu.Lock()
				bytesSent += len(body)
				if err != nil {
					stage.Errors++
				} else {
					waits = append(waits, wait.Seconds()*1000)
					minutes[minute] = append(minutes[minute], wait.Seconds()*1000)
				}
				mu.Unlock()
			}
		})
	}
	var rss []float64
	watching := make(chan error, 2)
	go func() { watching <- c.watch(ctx, &rss) }()
	var disk []float64
	go func() {
		var err error
		disk, err = probeDisk(ctx, c.folder)
		watching <- err
	}()
	serving.Schedule(ctx, due, perSecond, seed)
	close(due)
	sending.Wait()
	if err := errors.Join(<-watching, <-watching); err != nil {
		return nil, err
	}
	after, err := serving.Used(c.cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	mineAfter, err := serving.Used(os.Getpid())
	passed := time.Since(began).Seconds()
	stage.Seconds, stage.Sent = passed, len(waits)+stage.Errors
	stage.Taken = float64(len(waits)) / passed
	stage.P50, stage.P99, stage.Worst = figures.Quantile(waits, 0.5), figures.Quantile(waits, 0.99), figures.Quantile(waits, 1)
	for _, minute := range slices.Sorted(maps.Keys(minutes)) {
		stage.Minutes = append(stage.Minutes, figures.Quantile(minutes[minute], 0.99))
	}
	stage.DiskP99, stage.DiskWorst = figures.Quantile(disk, 0.99), figures.Quantile(disk, 1)
	cpu := (after.CPU - before.CPU).Seconds()
	stage.CPU, stage.Cores, stage.Sender = cpu*1000/float64(max(1, len(waits))), cpu/passed, (mineAfter.CPU-mine.CPU).Seconds()/passed
	stage.RSS, stage.RSSEarly, stage.RSSLate = figures.Quantile(rss, 1), figures.Median(rss[len(rss)/4:len(rss)/2+1]), figures.Median(rss[3*len(rss)/4:])
	stage.BytesOfBody = float64(bytesSent) / float64(max(1, stage.Sent))
	return stage, err
}

// post sends a chunk, as a beacon would.
func post(client *http.Client, to string, body []byte) error {
	request, err := http.NewRequest(http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "text/plain;charset=UTF-8")
	request.Header.Set("Content-Encoding", "gzip")
	request.Header.Set("Origin", "https://shop.example")
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode/100 != 2 {
		err = &refusal{answer.StatusCode, string(text)}
	}
	return err
}

// watch collects the memory of the collector, in MB, once a second.
func (c *collector) watch(ctx context.Context, rss *[]float64) error {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for {
		u, err := serving.Used(c.cmd.Process.Pid)
		if err != nil {
			return err
		}
		*rss = append(*rss, float64(u.Memory)/1e6)
		select {
		case <-ctx.Done():
			return nil
		case <-every.C:
		}
	}
}

// refusal is an answer that does not acknowledge.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.status, r.text) }
