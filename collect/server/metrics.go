package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are the metrics of the process and of its requests. The parts register their own.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	panics   prometheus.Counter
	refused  prometheus.Counter // connections
	shed     prometheus.Counter // requests
	failures *prometheus.CounterVec
}

func newMetrics(version string) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "fieldprof", Name: name, Help: help})
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "fieldprof", Name: "http_requests_total", Help: "Requests, by the part that answered and the status."}, []string{"part", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "fieldprof", Name: "http_request_seconds", Help: "Time from the header of a request to the end of its answer.",
			Buckets: []float64{.002, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}}, []string{"part"}),
		panics:   counter("http_panics_total", "Requests that ended in a panic."),
		refused:  counter("connections_refused_total", "Connections closed because there were too many."),
		shed:     counter("http_shed_total", "Requests refused because memory was short."),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "fieldprof", Name: "maintenance_failures_total", Help: "Runs of a periodic task that failed."}, []string{"task"}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "fieldprof", Name: "build_info", Help: "Always 1, with the version of the program.", ConstLabels: prometheus.Labels{"version": version}})
	info.Set(1)
	m.registry.MustRegister(m.requests, m.seconds, m.panics, m.refused, m.shed, m.failures, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// measured counts the requests of a part.
func (m *metrics) measured(part string, next http.Handler) http.Handler {
	seconds := m.seconds.WithLabelValues(part)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		seen := &statusWriter{ResponseWriter: w, code: http.StatusOK}
		defer func() {
			seconds.Observe(time.Since(began).Seconds())
			m.requests.WithLabelValues(part, strconv.Itoa(seen.code)).Inc()
		}()
		next.ServeHTTP(seen, r)
	})
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	code    int
	written bool
}

func (w *statusWriter) WriteHeader(code int) {
	if !w.written {
		w.code, w.written = code, code >= 200
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	w.written = true
	return w.ResponseWriter.Write(b)
}

// Unwrap serves http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
