package intake

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/spool"
)

type metrics struct {
	chunks, stored            *prometheus.CounterVec
	append, write             prometheus.Histogram
	batches, retries, refused prometheus.Counter
}

// newMetrics makes the metrics of an intake, and registers them unless to is nil.
func newMetrics(to prometheus.Registerer, stats func() spool.Stats) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "fieldprof", Name: name, Help: help})
	}
	seconds := func(name, help string) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "fieldprof", Name: name, Help: help,
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 15)})
	}
	m := &metrics{
		chunks: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "fieldprof", Name: "intake_chunks_total",
			Help: "Chunks that were to be accepted, by what became of them: accepted, full or failed."}, []string{"result"}),
		stored: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "fieldprof", Name: "stored_chunks_total",
			Help: "Chunks that the store has taken; known ones it had already."}, []string{"result"}),
		append:  seconds("spool_append_seconds", "Time until chunks are durable."),
		write:   seconds("store_write_seconds", "Time that the store takes for a batch."),
		batches: counter("store_batches_total", "Batches that the store has taken."),
		retries: counter("store_retries_total", "Attempts to write a batch that failed."),
		refused: counter("refused_chunks_total", "Chunks that the store refused for ever and that are set aside."),
	}
	if to == nil {
		return m
	}
	gauge := func(name, help string, of func(spool.Stats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "fieldprof", Name: name, Help: help}, func() float64 { return of(stats()) })
	}
	total := func(name, help string, of func(spool.Stats) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "fieldprof", Name: name, Help: help}, func() float64 { return of(stats()) })
	}
	to.MustRegister(m.chunks, m.stored, m.append, m.write, m.batches, m.retries, m.refused,
		gauge("spool_bytes", "Bytes that wait for the store.", func(s spool.Stats) float64 { return float64(s.Waiting) }),
		gauge("spool_oldest_seconds", "How long the oldest of them has been waiting.", func(s spool.Stats) float64 {
			if s.Oldest.IsZero() {
				return 0
			}
			return time.Since(s.Oldest).Seconds()
		}),
		total("spool_damaged_bytes_total", "Bytes of the spool that could not be read.", func(s spool.Stats) float64 { return float64(s.Damaged) }),
		total("spool_failures_total", "Groups of chunks that could not be written to disk.", func(s spool.Stats) float64 { return float64(s.Failures) }))
	return m
}
