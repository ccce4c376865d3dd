package forward

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/spool"
)

type metrics struct{ sent, dropped, retries *prometheus.CounterVec }

func newMetrics(to prometheus.Registerer) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "fieldprof", Name: name, Help: help}, append([]string{"target"}, labels...))
	}
	m := &metrics{
		sent:    counter("forwarded_profiles_total", "Profiles that targets have taken."),
		dropped: counter("forward_dropped_chunks_total", "Chunks that were not forwarded: the spool was full, the target refused them, or they were damaged.", "reason"),
		retries: counter("forward_retries_total", "Attempts to forward that failed."),
	}
	if to != nil {
		to.MustRegister(m.sent, m.dropped, m.retries)
	}
	return m
}

// watch registers the metrics of a target's spool.
func (m *metrics) watch(to prometheus.Registerer, target string, stats func() spool.Stats) {
	if to == nil {
		return
	}
	to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "fieldprof", Name: "forward_spool_bytes",
		Help: "Bytes that wait for a target.", ConstLabels: prometheus.Labels{"target": target}}, func() float64 { return float64(stats().Waiting) }))
}
