package ingest

import "github.com/prometheus/client_golang/prometheus"

// metrics are the figures that operators watch.
type metrics struct {
	requests *prometheus.CounterVec
	dropped  *prometheus.CounterVec
	bytes    *prometheus.CounterVec
	chunks   *prometheus.CounterVec
	decode   *prometheus.HistogramVec
}

func newMetrics(to prometheus.Registerer) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fieldprof_" + name, Help: help}, labels)
	}
	m := &metrics{
		requests: counter("requests_total", "Requests by what became of them.", "app", "source", "result"),
		dropped:  counter("dropped_total", "What was acknowledged and not kept, or changed, by reason.", "app", "reason"),
		bytes:    counter("received_bytes_total", "Bytes of bodies, as sent and unzipped.", "app", "form"),
		chunks:   counter("chunks_total", "Chunks made of requests.", "app", "source"),
		decode: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "fieldprof_decode_seconds", Help: "Time to make chunks of a body.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9)}, []string{"source"}),
	}
	if to != nil {
		to.MustRegister(m.requests, m.dropped, m.bytes, m.chunks, m.decode)
	}
	return m
}

func (m *metrics) request(app, source, result string) {
	m.requests.WithLabelValues(app, source, result).Inc()
}
