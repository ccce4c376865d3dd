// Package alert checks the budgets of apps while profiles arrive, and tells a webhook when a budget
// is broken or kept again.
//
// Every few minutes it checks the profile of the last hour against the app's file of budgets
// (package profile/budget). A budget breaks when the value exceeds it by more than the margin of
// the measurement, and is kept again when the value is below it by more than the margin. In
// between, the state stays the same, so that noise sends no messages. An hour in which nothing
// ran changes nothing.
//
// A webhook that cannot be reached is tried again at the next checks, for an hour. It does not
// receive the messages that it missed, but the difference from its last message.
package alert

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile/budget"
)

// Defaults of Options.
const (
	DefaultEvery = 5 * time.Minute
	DefaultOver  = time.Hour
)

// Options say what to watch.
type Options struct {
	Apps    []config.App
	Answers Answers
	Every   time.Duration // between checks; default 5 minutes
	Over    time.Duration // how much time a check looks at; default an hour
	// State is a file that remembers what webhooks were told; without one, a restart repeats it.
	State   string
	Metrics prometheus.Registerer // nil: none
	Log     *slog.Logger          // nil: none
	Now     func() time.Time      // nil: time.Now
}

// Answers checks selections against budgets, as answer.Service does.
type Answers interface {
	Budgets(context.Context, store.Selection, *budget.File) (*budget.Result, error)
}

// Watcher checks budgets.
type Watcher struct {
	Options
	metrics *metrics
	unsaved bool // what webhooks were told

	mu   sync.Mutex
	apps []*app
}

// app is an app with budgets.
type app struct {
	config.App
	file    *budget.File
	budgets []*state
	failed  int // attempts to reach the webhook since the last success
}

// state is a budget as last checked.
type state struct {
	answer.BudgetRow
	measured bool // at least once
	told     bool // the webhook believes that it is broken
}

// New reads the files of budgets. Apps without one are left out.
func New(o Options) (*Watcher, error) {
	if o.Every == 0 {
		o.Every = DefaultEvery
	}
	if o.Over == 0 {
		o.Over = DefaultOver
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	w := &Watcher{Options: o}
	for _, of := range o.Apps {
		if of.Budgets == "" {
			continue
		}
		data, err := os.ReadFile(of.Budgets)
		if err != nil {
			return nil, fmt.Errorf("budgets of %s: %w", of.Name, err)
		}
		file, err := budget.Read(data)
		if err != nil {
			return nil, fmt.Errorf("budgets of %s: %s:%w", of.Name, of.Budgets, err)
		}
		a := &app{App: of, file: file}
		for i := range file.Budgets {
			a.budgets = append(a.budgets, &state{BudgetRow: answer.BudgetRow{Name: file.Budgets[i].Name}})
		}
		if err := checkWebhook(of.Webhook); err != nil {
			return nil, fmt.Errorf("webhook of %s: %w", of.Name, err)
		}
		w.apps = append(w.apps, a)
	}
	w.load()
	w.metrics = newMetrics(o.Metrics)
	return w, nil
}

// Run checks until the context ends.
func (w *Watcher) Run(ctx context.Context) {
	if len(w.apps) == 0 {
		return
	}
	ticker := time.NewTicker(w.Every)
	defer ticker.Stop()
	for {
		w.Check(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// Check checks all apps once, and tells webhooks what has changed.
func (w *Watcher) Check(ctx context.Context) {
	for _, a := range w.apps {
		if err := w.measure(ctx, a); err != nil {
			if ctx.Err() == nil {
				w.metrics.failures.WithLabelValues(a.Name).Inc()
				w.Log.Warn("budgets were not checked", "app", a.Name, "error", err)
			}
			continue
		}
		w.tell(ctx, a)
	}
	err := w.save()
	if err != nil && !w.unsaved { // once, until it is saved again
		w.Log.Error("what webhooks were told was not saved", "file", w.State, "error", err)
	}
	w.unsaved = err != nil
}

// measure checks the budgets of an app.
func (w *Watcher) measure(ctx context.Context, a *app) error {
	now := w.Now()
	result, err := w.Answers.Budgets(ctx, store.Selection{App: a.Name, From: now.Add(-w.Over), To: now}, a.file)
	if errors.Is(err, answer.ErrNothing) {
		return nil
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	broken := 0
	for i, line := range result.Budgets {
		a.budgets[i].update(&line, now)
		if a.budgets[i].Broken {
			broken++
		}
	}
	w.metrics.broken.WithLabelValues(a.Name).Set(float64(broken))
	return nil
}

// update takes a measurement in.
func (s *state) update(l *budget.Line, now time.Time) {
	s.Measure, s.Unit, s.Max, s.Value, s.Margin, s.Checked = l.Measure, l.Unit, l.Max, l.Value, l.Margin, now.UTC()
	broken := s.Broken
	switch {
	case l.Value-l.Margin > l.Max:
		broken = true
	case l.Value+l.Margin <= l.Max:
		broken = false
	}
	if broken != s.Broken || !s.measured {
		s.Broken, s.Since = broken, s.Checked
	}
	s.measured = true
}

// Rows returns the budgets of an app as last checked, in the order of its file.
func (w *Watcher) Rows(name string) (rows []answer.BudgetRow) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.apps {
		if a.Name != name {
			continue
		}
		for _, s := range a.budgets {
			if !s.Checked.IsZero() {
				rows = append(rows, s.BudgetRow)
			}
		}
	}
	return rows
}

// news returns the budgets whose state differs from what the webhook was told.
func (a *app) news() []*state {
	return slices.DeleteFunc(slices.Clone(a.budgets), func(s *state) bool { return s.Broken == s.told })
}

// metrics count.
type metrics struct {
	broken   *prometheus.GaugeVec
	failures *prometheus.CounterVec
	messages *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		broken:   prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "fieldprof_budgets_broken", Help: "Budgets that are broken."}, []string{"app"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fieldprof_budgets_failures_total", Help: "Checks of budgets that failed."}, []string{"app"}),
		messages: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fieldprof_webhook_messages_total", Help: "Messages to webhooks: sent, failed, or given up."}, []string{"app", "outcome"}),
	}
	if r != nil {
		r.MustRegister(m.broken, m.failures, m.messages)
	}
	return m
}
