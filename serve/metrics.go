package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what Prometheus asks for. Their labels are names of models and routes, and never come
// from a request.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	queued   *prometheus.HistogramVec
	batch    *prometheus.HistogramVec
	rows     *prometheus.CounterVec
	failed   *prometheus.CounterVec
}

// durations are the bounds of the histograms of seconds.
var durations = []float64{50e-6, 100e-6, 200e-6, 500e-6, 1e-3, 2e-3, 5e-3, 10e-3, 20e-3, 50e-3, 0.1, 0.2, 0.5, 1, 2, 5, 10}

func newMetrics(s *Server) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	m.requests = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "mercer_requests_total", Help: "Requests by route, model and status."}, []string{"route", "model", "code"})
	m.seconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "mercer_request_seconds", Help: "Time of requests.", Buckets: durations}, []string{"route", "model"})
	m.queued = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "mercer_queue_seconds", Help: "Time that requests waited for a computation.", Buckets: durations}, []string{"model"})
	m.batch = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "mercer_batch_rows", Help: "Rows that were predicted together.", Buckets: prometheus.ExponentialBuckets(1, 4, 10)}, []string{"model"})
	m.rows = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "mercer_rows_total", Help: "Rows that were predicted."}, []string{"model"})
	m.failed = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "mercer_model_reload_failures_total", Help: "Model files that were not loaded."}, []string{"model"})
	m.registry.MustRegister(m.requests, m.seconds, m.queued, m.batch, m.rows, m.failed, models{s},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// computed takes a job along whose prediction is done.
func (m *metrics) computed(j *job) {
	m.queued.WithLabelValues(j.v.name).Observe(j.waited.Seconds())
	if j.table != nil && j.err == nil {
		m.batch.WithLabelValues(j.v.name).Observe(float64(j.rows))
		m.rows.WithLabelValues(j.v.name).Add(float64(j.size()))
	}
}

// answered takes a request along. model is "" where it names none that there is.
func (m *metrics) answered(route, model string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, model, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route, model).Observe(took.Seconds())
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// models collects what models say of themselves when they are asked.
type models struct{ s *Server }

var (
	loadedAt = prometheus.NewDesc("mercer_model_loaded_timestamp_seconds", "When the version that answers was loaded.", []string{"model"}, nil)
	infoOf   = prometheus.NewDesc("mercer_model_info", "The version that answers.", []string{"model", "version", "method", "sha256"}, nil)
	flying   = prometheus.NewDesc("mercer_in_flight", "Requests that are answered now.", nil, nil)
	length   = prometheus.NewDesc("mercer_queue_length", "Requests that wait for a computation.", []string{"model"}, nil)
	drifted  = prometheus.NewDesc("mercer_input_drift_sd", "Mean of a column over the last rows less that of training, in standard deviations of training.", []string{"model", "column"}, nil)
)

func (models) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{loadedAt, infoOf, flying, length, drifted} {
		to <- d
	}
}

func (m models) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(flying, float64(m.s.flying.Load()))
	for _, e := range m.s.all() {
		gauge(length, float64(e.queue.length()), e.name)
		v := e.current.Load()
		if v == nil {
			continue
		}
		gauge(loadedAt, float64(v.loaded.UnixNano())/1e9, e.name)
		gauge(infoOf, 1, e.name, v.id(), v.Method, v.digest)
		v.drift.each(func(column string, value float64) { gauge(drifted, value, e.name, column) })
	}
}
