package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/internal/urlerror"
)

// Message is what a webhook receives. Text says the same for chats.
type Message struct {
	App     string             `json:"app"`
	At      time.Time          `json:"at"`
	Text    string             `json:"text"`
	Budgets []answer.BudgetRow `json:"budgets"` // that were broken, or are kept again
}

// Bounds on a message, and on attempts to deliver it: one at each check.
const (
	timeout     = 10 * time.Second
	maxAttempts = 12 // an hour
	maxResponse = 64 << 10
)

func checkWebhook(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// Without the address, which may hold a secret.
		return errors.New("its address must begin with https:// or http:// and have a host")
	}
	return nil
}

// client does not follow redirects to other hosts, which should not learn about budgets, nor those that ask
// for a page instead of taking the message.
var client = &http.Client{
	Timeout: timeout,
	CheckRedirect: func(next *http.Request, before []*http.Request) error {
		if next.URL.Host != before[0].URL.Host || next.URL.Scheme != before[0].URL.Scheme || next.Method != http.MethodPost || len(before) > 3 {
			return http.ErrUseLastResponse
		}
		return nil
	},
}

// tell sends an app's webhook what has changed.
func (w *Watcher) tell(ctx context.Context, a *app) {
	news := a.news()
	if len(news) == 0 {
		a.failed = 0
		return
	}
	outcome := "sent"
	if a.Webhook != "" {
		if err := post(ctx, a.Webhook, messageOf(a.Name, w.Now(), news)); err != nil {
			if ctx.Err() != nil {
				return
			}
			a.failed++
			outcome = "failed"
			if a.failed >= maxAttempts {
				outcome = "given up"
			}
			w.Log.Warn("the webhook was not told about budgets", "app", a.Name, "attempt", a.failed, "error", err)
		}
		w.metrics.messages.WithLabelValues(a.Name, outcome).Inc()
	}
	if outcome == "failed" {
		return
	}
	a.failed = 0
	for _, s := range news {
		s.told = s.Broken
		w.Log.Info("a budget has changed", "app", a.Name, "budget", s.Name, "broken", s.Broken, "value", s.Value, "max", s.Max, "unit", s.Unit)
	}
}

func messageOf(name string, now time.Time, news []*state) Message {
	m := Message{App: name, At: now.UTC()}
	var lines []string
	for _, s := range news {
		m.Budgets = append(m.Budgets, s.BudgetRow)
		what := "is kept again"
		if s.Broken {
			what = "is broken"
		}
		lines = append(lines, fmt.Sprintf("%s: the budget %s %s: %.1f%s ± %.1f, at most %.1f%s", name, s.Name, what, s.Value, s.Unit, s.Margin, s.Max, s.Unit))
	}
	m.Text = strings.Join(lines, "\n")
	return m
}

// post sends a message. Its errors do not name the address, which may hold a secret.
func post(ctx context.Context, address string, m Message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("its address cannot be used")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "fieldprof")
	response, err := client.Do(request)
	if err != nil {
		return urlerror.Cause(err)
	}
	defer response.Body.Close()
	// The connection can be used again once the body has been read; its content does not matter.
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxResponse))
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("it answered %s", response.Status)
	}
	return nil
}
