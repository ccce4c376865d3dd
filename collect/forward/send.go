package forward

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/spool"
	"github.com/fieldprof/fieldprof/internal/urlerror"
)

// newClient is a client that follows no redirects: headers may have secrets.
func newClient() *http.Client {
	return &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// refusal is an answer that is not a success.
type refusal struct {
	status string
	text   string
	after  time.Duration // that the target asks to wait; 0 if it does not say
	isOver bool          // the same would be refused again
}

func (r *refusal) Error() string { return fmt.Sprintf("the answer is %s: %q", r.status, r.text) }

// longestAsked is the longest time that a target may ask to wait.
const longestAsked = 10 * time.Minute

// patience is how long to wait after a failure: at least as long as the target asks.
func patience(attempt int, err error) time.Duration {
	wait := spool.Backoff(attempt, err)
	if r := (*refusal)(nil); errors.As(err, &r) {
		wait = max(wait, min(r.after, longestAsked))
	}
	return wait
}

// hand sends a batch: a few series at a time, so that those that a target has taken are not sent again when it
// fails in the middle.
func (t *target) hand(ctx context.Context, b *spool.Batch) error {
	if t.batch != b.ID {
		t.batch, t.parts, t.sent = b.ID, 0, 0
	}
	for n, part := range record.Parts(b.Records, partBytes) {
		if n < t.parts {
			continue
		}
		for all := t.seriesOf(ctx, part); t.sent < len(all); {
			if err := t.send(ctx, t.fitting(all[t.sent:])); err != nil {
				t.metrics.retries.WithLabelValues(t.name).Inc()
				return err
			}
		}
		t.parts, t.sent = n+1, 0
	}
	return nil
}

// send sends series, and counts those that are done. If they are refused forever, each half is sent, and a series that is refused on
// its own is dropped.
func (t *target) send(ctx context.Context, all []series) error {
	err := t.post(ctx, all)
	r := (*refusal)(nil)
	switch {
	case err == nil:
		t.metrics.sent.WithLabelValues(t.name).Add(float64(len(all)))
		t.sent += len(all)
		return nil
	case !errors.As(err, &r) || !r.isOver:
		return err
	case len(all) == 1:
		t.metrics.dropped.WithLabelValues(t.name, "refused").Add(float64(all[0].chunks))
		t.options.Log.Error("a profile is not forwarded", "target", t.name, "app", all[0].series.App, "chunks", all[0].chunks, "err", err)
		t.sent++
		return nil
	}
	half := len(all) / 2
	if err := t.send(ctx, all[:half]); err != nil {
		return err
	}
	return t.send(ctx, all[half:])
}

func (t *target) post(ctx context.Context, all []series) error {
	request, err := t.request(ctx, all)
	if err != nil { // it cannot be written in the format
		return &refusal{status: "never asked for", text: err.Error(), isOver: true}
	}
	for name, value := range t.config.Headers {
		request.Header.Set(name, value)
	}
	response, err := t.client.Do(request)
	if err != nil {
		return urlerror.Cause(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
	if response.StatusCode/100 == 2 {
		return nil
	}
	r := &refusal{status: response.Status, text: string(text), after: t.asked(response.Header.Get("Retry-After"))}
	switch response.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		r.isOver = true
	}
	return r
}

// asked is how long a Retry-After asks to wait, in seconds or up to a date.
func (t *target) asked(header string) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(t.options.Now()))
	}
	return 0
}
