package api

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count requests.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	refused  prometheus.Counter
	uploaded prometheus.Counter
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fieldprof_api_requests_total", Help: "Requests to the API."}, []string{"path", "status"}),
		seconds:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "fieldprof_api_seconds", Help: "Time until a request was answered.", Buckets: prometheus.ExponentialBuckets(0.005, 4, 7)}, []string{"path"}),
		refused:  prometheus.NewCounter(prometheus.CounterOpts{Name: "fieldprof_api_denied_total", Help: "Requests without a token that admits them."}),
		uploaded: prometheus.NewCounter(prometheus.CounterOpts{Name: "fieldprof_api_uploaded_bytes_total", Help: "Bytes of maps and function tables that were stored."}),
	}
	if r != nil {
		r.MustRegister(m.requests, m.seconds, m.refused, m.uploaded)
	}
	return m
}

func (m *metrics) served(path string, status int, took time.Duration) {
	m.requests.WithLabelValues(path, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(path).Observe(took.Seconds())
}

func (m *metrics) denied() { m.refused.Inc() }
