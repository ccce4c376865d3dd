// Package forward sends what the collector has accepted on to other places: Pyroscope, and
// receivers of OTLP profiles.
//
// # What is sent
//
// Each target has a spool of its own, and every few seconds gets what waits there: a profile for each
// series, with the ticks of its chunks added up. The labels of a series are those of the
// collector, with names that Prometheus would take: x-tenant is x_tenant. Figures are as they were received:
// the label sample_rate says which share of all sessions they represent, and slow="true" that they
// are the time of what was slow.
// Positions are in the deployed scripts, unless Options.Symbolize says otherwise.
//
// # What fails
//
// While a target is away or asks to wait, its spool fills; when it is full, the newest chunks are dropped
// and counted. Chunks that a target refuses forever are dropped and counted, too. A target gets everything
// else once, but after a crash of the collector possibly the last batch again: neither protocol
// has a way to say that.
package forward

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/spool"
	"github.com/fieldprof/fieldprof/profile"
)

// Options say how chunks are forwarded. Only Dir is needed.
type Options struct {
	Dir   string // of spools
	Bytes int64  // of each; default 256 MiB
	// Symbolize may replace the profile of a series before it is sent.
	Symbolize func(ctx context.Context, s *record.Series, p *profile.Profile) *profile.Profile
	Metrics   prometheus.Registerer
	Log       *slog.Logger
	Now       func() time.Time // default time.Now

	grace   time.Duration // that Close gives targets; default 5 s
	retry   func(attempt int, err error) time.Duration
	spelled int64 // default mostSpelled
}

// Forwarder sends chunks to targets.
type Forwarder struct {
	targets []*target
	grace   time.Duration
	known   recent
}

// Open opens the spools of targets and begins to send what waits there.
func Open(targets []config.Forward, o Options) (*Forwarder, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Bytes = cmp.Or(o.Bytes, 256<<20)
	m, f := newMetrics(o.Metrics), &Forwarder{grace: cmp.Or(o.grace, 5*time.Second)}
	for i, c := range targets {
		name := fmt.Sprintf("%s-%d", c.Kind, i+1)
		t, err := openTarget(c, name, o, m)
		if err != nil { // without the address, which may hold a secret
			return nil, errors.Join(fmt.Errorf("forwarding to %s: %w", name, err), f.Close(context.Background()))
		}
		f.targets = append(f.targets, t)
	}
	return f, nil
}

// folder is the folder of a target's spool: it is found again when the order of targets changes.
func folder(dir string, c config.Forward) string {
	return filepath.Join(dir, c.Kind+"-"+record.IDOf(c.Identity()...).String())
}

// Add takes chunks that were accepted. Those that it had lately are left out. It is called by one goroutine
// at a time, as intake does.
func (f *Forwarder) Add(chunks []*record.Chunk) {
	var records [][]byte
	for _, c := range chunks {
		if c.Profile == nil || c.Profile.Len() == 0 || !f.known.add(c.ID) {
			continue
		}
		lean := *c
		lean.Slices, lean.Example, lean.Counts = nil, nil, nil
		records = append(records, record.Encode(&lean))
	}
	if len(records) == 0 {
		return
	}
	for _, t := range f.targets {
		t.add(records)
	}
}

// Flush returns when targets have what was added before.
func (f *Forwarder) Flush(ctx context.Context) error {
	var errs []error
	for _, t := range f.targets {
		errs = append(errs, t.sending.Flush(ctx))
	}
	return errors.Join(errs...)
}

// Close sends what waits for a few seconds, unless the context is done before, and leaves the rest for the next
// time. A target that is away or does not answer keeps neither another target waiting nor, for longer than
// that, the collector.
func (f *Forwarder) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, f.grace)
	defer cancel()
	errs := make([]error, len(f.targets))
	var closing sync.WaitGroup
	for i, t := range f.targets {
		closing.Go(func() { errs[i] = t.close(ctx) })
	}
	closing.Wait()
	return errors.Join(errs...)
}

// target is a place to send to.
type target struct {
	config  config.Forward
	name    string
	options Options
	metrics *metrics
	client  *http.Client
	spool   *spool.Spool
	sending *spool.Consuming
	request func(ctx context.Context, series []series) (*http.Request, error)
	most    int   // series of a request
	spelled int64 // frames of a request

	batch [48]byte // that is being sent
	parts int      // of it that are done
	sent  int      // series of the next part that are done
}

// batchBytes bounds the records of a batch as they are in the spool. partBytes bounds their unpacked contents
// in one part of the batch, which is added up at once.
const (
	batchBytes = 4 << 20
	partBytes  = 16 << 20
)

func openTarget(c config.Forward, name string, o Options, m *metrics) (*target, error) {
	t := &target{config: c, name: name, options: o, metrics: m, client: newClient(), spelled: cmp.Or(o.spelled, mostSpelled)}
	switch c.Kind {
	case "pyroscope":
		t.request, t.most = t.pyroscope, 100
	case "otlp":
		t.request, t.most = t.otlp, 1
	default:
		return nil, fmt.Errorf("%q is neither pyroscope nor otlp", c.Kind)
	}
	var err error
	if t.spool, err = spool.Open(spool.Options{Dir: folder(o.Dir, c), Bytes: o.Bytes}); err != nil {
		return nil, err
	}
	m.watch(o.Metrics, name, t.spool.Stats)
	retry := o.retry
	if retry == nil {
		retry = patience
	}
	t.sending = t.spool.Consume(spool.Consumer{Every: cmp.Or(c.Every, 15*time.Second), Bytes: batchBytes, Hand: t.hand, Retry: retry, Log: o.Log.With("target", name)})
	return t, nil
}

func (t *target) add(records [][]byte) {
	if err := t.spool.Append(context.Background(), records...); err != nil {
		t.metrics.dropped.WithLabelValues(t.name, "full").Add(float64(len(records)))
		t.options.Log.Error("chunks are not forwarded", "target", t.name, "chunks", len(records), "err", err)
	}
}

func (t *target) close(ctx context.Context) error {
	t.spool.Seal()
	err := t.sending.Flush(ctx)
	t.sending.Stop()
	if errors.Is(err, spool.ErrClosed) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		err = nil // the rest waits in the spool
	}
	return errors.Join(err, t.spool.Close())
}
