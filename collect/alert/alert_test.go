package alert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/alert"
	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile/budget"
)

// site is an app whose parsing takes what the test says, on the test's clock.
type site struct {
	t     *testing.T
	value float64 // percent of parsing; its budget is 25, its margin 2
	err   error
	asked []store.Selection

	now     time.Time
	answers []int             // statuses of the webhook, in order; then 200
	got     []alert.Message   // by the webhook
	bodies  []json.RawMessage // the same
	options alert.Options
	hook    *httptest.Server
	metrics *prometheus.Registry
}

// Budgets measures what the test says.
func (s *site) Budgets(_ context.Context, of store.Selection, f *budget.File) (*budget.Result, error) {
	s.asked = append(s.asked, of)
	if s.err != nil {
		return nil, fmt.Errorf("asking: %w", s.err)
	}
	r := &budget.Result{}
	for _, b := range f.Budgets {
		r.Budgets = append(r.Budgets, budget.Line{Name: b.Name, Measure: "self", Unit: "%", Max: 100 * b.Share, Value: s.value, Margin: 2, Over: max(0, s.value-100*b.Share)})
	}
	return r, nil
}

func newSite(t *testing.T) *site {
	s := &site{t: t, value: 10, now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), metrics: prometheus.NewRegistry()}
	s.hook = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := 200
		if len(s.answers) > 0 {
			status, s.answers = s.answers[0], s.answers[1:]
		}
		if status == 200 {
			var m alert.Message
			body, err := io.ReadAll(r.Body)
			if err == nil {
				err = json.Unmarshal(body, &m)
			}
			if err != nil || r.Method != "POST" || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %v: %s (%v)", r.Method, r.Header, body, err)
			}
			s.got, s.bodies = append(s.got, m), append(s.bodies, body)
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(s.hook.Close)
	folder := t.TempDir()
	budgets := filepath.Join(folder, "budgets.yaml")
	if err := os.WriteFile(budgets, []byte("budgets:\n- {name: parsing, sources: src/**, max: 25%}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.options = alert.Options{
		Apps:    []config.App{{Name: "plain"}, {Name: "shop", Budgets: budgets, Webhook: s.hook.URL}},
		Answers: s, State: filepath.Join(folder, "alerts.json"), Now: func() time.Time { return s.now }, Metrics: s.metrics,
	}
	return s
}

func (s *site) open() *alert.Watcher {
	s.t.Helper()
	w, err := alert.New(s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	s.options.Metrics = nil // the next one's are counted elsewhere
	return w
}

// check checks after a while, with a value.
func (s *site) check(w *alert.Watcher, value float64) {
	s.value, s.now = value, s.now.Add(alert.DefaultEvery)
	w.Check(s.t.Context())
}

// states are what the webhook was told, in order.
func (s *site) states() (all []bool) {
	for _, m := range s.got {
		for _, b := range m.Budgets {
			all = append(all, b.Broken)
		}
	}
	return all
}

// A webhook is told when a budget breaks and when it is kept again, but not of noise around the
// limit.
func TestWebhookHearsOfChanges(t *testing.T) {
	s := newSite(t)
	w := s.open()
	if w.Rows("shop") != nil {
		t.Error("there are rows before the first check")
	}
	for _, value := range []float64{10, 24, 26, 24, 26.9} { // within the margin
		s.check(w, value)
	}
	if len(s.got) != 0 {
		t.Fatalf("told %v", s.got)
	}
	s.check(w, 27.5)
	broke := s.now
	for _, value := range []float64{26, 24, 23.5, 28} {
		s.check(w, value)
	}
	want := answer.BudgetRow{Name: "parsing", Measure: "self", Unit: "%", Max: 25, Value: 28, Margin: 2, Broken: true, Since: broke, Checked: s.now}
	if rows := w.Rows("shop"); len(rows) != 1 || rows[0] != want {
		t.Errorf("%+v, want %+v", rows, want)
	}
	s.check(w, 22)
	s.check(w, 23)
	if !slices.Equal(s.states(), []bool{true, false}) {
		t.Fatalf("told %v", s.states())
	}
	if m := s.got[0]; m.App != "shop" || !m.At.Equal(broke) || m.Text != "shop: the budget parsing is broken: 27.5% ± 2.0, at most 25.0%" {
		t.Errorf("%+v", m)
	}
	if first := s.asked[0]; first.App != "shop" || first.To.Sub(first.From) != time.Hour {
		t.Errorf("%+v", first)
	}
	if w.Rows("plain") != nil || w.Rows("none") != nil {
		t.Error("apps without budgets have rows")
	}
}

// Neither an hour without profiles nor an outage of the store changes anything.
func TestNothingMeasuredChangesNothing(t *testing.T) {
	s := newSite(t)
	w := s.open()
	s.check(w, 30)
	before := w.Rows("shop")
	for _, err := range []error{answer.ErrNothing, errors.New("the store is out"), answer.ErrNothing} {
		s.err = err
		s.check(w, 0)
	}
	if rows := w.Rows("shop"); !slices.Equal(rows, before) || len(s.got) != 1 {
		t.Errorf("%v, told %v", rows, s.got)
	}
}

// After an outage a webhook is told what differs from its last message, and nothing of changes that
// have been undone.
func TestWebhookIsTriedAgain(t *testing.T) {
	s := newSite(t)
	w := s.open()
	s.answers = []int{500, 404, 503}
	for range 4 {
		s.check(w, 30)
	}
	if !slices.Equal(s.states(), []bool{true}) {
		t.Fatalf("told %v", s.states())
	}
	s.answers = []int{500}
	s.check(w, 10)
	s.check(w, 30)
	if !slices.Equal(s.states(), []bool{true}) {
		t.Errorf("told %v", s.states())
	}
	// After an hour it is given up, and the next change is reported again.
	s.answers = slices.Repeat([]int{500}, 12)
	for range 14 {
		s.check(w, 10)
	}
	if len(s.answers) != 0 || !slices.Equal(s.states(), []bool{true}) {
		t.Errorf("told %v, %d attempts left", s.states(), len(s.answers))
	}
	s.check(w, 30)
	if !slices.Equal(s.states(), []bool{true, true}) {
		t.Errorf("told %v", s.states())
	}
}

// A restart forgets neither the state of budgets nor what webhooks were told.
func TestRestart(t *testing.T) {
	s := newSite(t)
	s.check(s.open(), 30)
	s.check(s.open(), 24) // within the margin: still broken
	s.check(s.open(), 30)
	if !slices.Equal(s.states(), []bool{true}) {
		t.Errorf("told %v", s.states())
	}
	s.check(s.open(), 10)
	if !slices.Equal(s.states(), []bool{true, false}) {
		t.Errorf("told %v", s.states())
	}
}

// A state that cannot be read, as after a power failure, is logged and set aside, and webhooks are told again.
func TestBrokenState(t *testing.T) {
	for _, text := range []string{"", "{", `[{"app":"shop","budget":"parsing","told":true},{"app":3}]`} {
		s := newSite(t)
		var said strings.Builder
		s.options.Log = slog.New(slog.NewTextHandler(&said, nil))
		if err := os.WriteFile(s.options.State, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		w := s.open()
		s.check(w, 30)
		if !slices.Equal(s.states(), []bool{true}) || !strings.Contains(said.String(), "cannot be read") {
			t.Errorf("%q: told %v; the log says %s", text, s.states(), &said)
		}
		if kept, err := os.ReadFile(s.options.State + ".broken"); err != nil || string(kept) != text {
			t.Errorf("%q is kept as %q, %v", text, kept, err)
		}
		s.check(s.open(), 30) // the state written since is known
		if len(s.got) != 1 {
			t.Errorf("%q: told %v", text, s.states())
		}
	}
}

// Without budgets the file of what webhooks were told is not read.
func TestBrokenStateWithoutBudgets(t *testing.T) {
	s := newSite(t)
	s.options.Apps = s.options.Apps[:1]
	if err := os.WriteFile(s.options.State, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.open()
	if _, err := os.Stat(s.options.State); err != nil {
		t.Error(err)
	}
}

// A state that cannot be saved is logged once; the next check tries again.
func TestStateThatCannotBeSaved(t *testing.T) {
	s := newSite(t)
	folder := filepath.Join(t.TempDir(), "missing")
	s.options.State = filepath.Join(folder, "alerts.json")
	var said strings.Builder
	s.options.Log = slog.New(slog.NewTextHandler(&said, nil))
	w := s.open()
	for range 3 {
		s.check(w, 30)
	}
	if n := strings.Count(said.String(), "was not saved"); n != 1 {
		t.Errorf("told %d times: %s", n, &said)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s.check(w, 30)
	s.check(s.open(), 30)
	if !slices.Equal(s.states(), []bool{true}) {
		t.Errorf("told %v: what was saved is not known", s.states())
	}
}

// Redirects stay on the webhook's host.
func TestRedirects(t *testing.T) {
	s := newSite(t)
	reached := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer other.Close()
	to, status := other.URL, http.StatusTemporaryRedirect
	from := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			reached += 100
			return
		}
		http.Redirect(w, r, to, status)
	}))
	defer from.Close()
	s.options.Apps[1].Webhook = from.URL
	w := s.open()
	s.check(w, 30)
	if reached != 0 {
		t.Error("another host was told")
	}
	to = "/moved"
	s.check(w, 30)
	if reached != 100 {
		t.Errorf("reached %d", reached)
	}
	status = http.StatusFound // to a page that is asked for without the message
	s.check(w, 10)
	if reached != 100 {
		t.Errorf("reached %d, without the message", reached)
	}
}

// Names of budgets may contain anything.
func TestMessagesAreJSON(t *testing.T) {
	s := newSite(t)
	if err := os.WriteFile(s.options.Apps[1].Budgets, []byte("budgets:\n- {name: \"<b>\\\"\\n\", sources: src/**, max: 25%}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.check(s.open(), 30)
	if len(s.got) != 1 || s.got[0].Budgets[0].Name != "<b>\"\n" || strings.Contains(string(s.bodies[0]), "<") {
		t.Errorf("%s", s.bodies)
	}
}

func TestMistakesInTheConfiguration(t *testing.T) {
	for _, hook := range []string{"ftp://hooks.example/secret", "hooks.example/secret", "https:///secret", "file:///secret", "http://[::1/secret"} {
		s := newSite(t)
		s.options.Apps[1].Webhook = hook
		if _, err := alert.New(s.options); err == nil || !strings.Contains(err.Error(), "webhook of shop") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", hook, err)
		}
	}
	s := newSite(t)
	if err := os.WriteFile(s.options.Apps[1].Budgets, []byte("budgets:\n- {max: 25%}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := alert.New(s.options); err == nil || !strings.Contains(err.Error(), "budgets.yaml:2:3") {
		t.Errorf("%v", err)
	}
	s.options.Apps[1].Budgets = "none.yaml"
	if _, err := alert.New(s.options); err == nil {
		t.Error("a file that does not exist was read")
	}
}

func TestMetrics(t *testing.T) {
	s := newSite(t)
	s.answers = []int{500}
	w := s.open()
	s.check(w, 30)
	s.check(w, 30)
	s.err = errors.New("out")
	s.check(w, 30)
	families, err := s.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			counted[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	for name, want := range map[string]float64{"fieldprof_budgets_broken shop": 1, "fieldprof_budgets_failures_total shop": 1,
		"fieldprof_webhook_messages_total shop sent": 1, "fieldprof_webhook_messages_total shop failed": 1} {
		if counted[name] != want {
			t.Errorf("%s is %v: %v", name, counted[name], counted)
		}
	}
}
