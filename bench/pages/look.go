package pages

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/report"
)

// samples is how many the profiles have.
const samples = 1_000_000

// patience is how long a browser may take with one page.
const patience = 5 * time.Minute

// Look writes the reports and opens each in a fresh Chromium, so many times.
func Look(ctx context.Context, runs int, progress figures.Progress) (*Report, error) {
	r := &Report{Origin: figures.Runs("report", runs), Runs: runs, Samples: samples}
	for _, kind := range []struct {
		what string
		make func(int) *profile.Profile
	}{{"a program", Program}, {"by chance", Chance}} {
		p := kind.make(samples)
		row := Row{Profile: kind.what, Stacks: len(p.Stacks.Parent)}
		var page bytes.Buffer
		var writes []float64
		var looks []look
		for run := range runs {
			progress.Show("%s, run %d of %d", kind.what, run+1, runs)
			page.Reset()
			began := time.Now()
			if err := report.Write(&page, p, report.Options{}); err != nil {
				return nil, err
			}
			writes = append(writes, time.Since(began).Seconds())
			seen, err := lookAt(ctx, page.Bytes())
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kind.what, err)
			}
			looks = append(looks, *seen)
		}
		row.Megabytes = float64(page.Len()) / 1e6
		row.fill(writes, looks)
		r.Window = looks[0].Window
		r.Rows = append(r.Rows, row)
	}
	return r, nil
}

// look is what the bench's page reports of one report: times in milliseconds.
type look struct {
	Error  string               `json:"error"`
	Window string               `json:"window"`
	Shown  float64              `json:"shown"` // since the navigation
	Views  map[string]float64   `json:"views"` // from the click to what it shows
	Frames map[string][]float64 `json:"frames"`
}

//go:embed js/look.js
var script []byte

// lookAt opens a report and returns what the bench's own page says of it.
func lookAt(ctx context.Context, page []byte) (*look, error) {
	var seen look
	err := ask(ctx, script, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // a closed connection needs no answer
	}), &seen)
	if err == nil && seen.Error != "" {
		err = errors.New(seen.Error)
	}
	return &seen, err
}

// ask shows a page of the bench in Chromium, which runs a script, and decodes what it
// posts. Everything else that it fetches comes from a handler.
func ask(ctx context.Context, script []byte, rest http.Handler, seen any) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	said := make(chan []byte, 1)
	files := map[string][]byte{"/": []byte("<!doctype html><meta charset=utf-8><script type=module src=/look.js></script>"), "/look.js": script}
	types := map[string]string{"/": "text/html; charset=utf-8", "/look.js": "text/javascript"}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/said" {
			if text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)); err == nil {
				select {
				case said <- text:
				default:
				}
			}
			return
		}
		content, ok := files[r.URL.Path]
		if !ok {
			rest.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", types[r.URL.Path])
		_, _ = w.Write(content) // a closed connection needs no answer
	})}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	end, err := browser.Show(browser.Chromium, "http://"+listener.Addr().String()+"/", "--window-size=1440,900")
	if err != nil {
		return err
	}
	defer end()
	select {
	case text := <-said:
		return json.Unmarshal(text, seen)
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(patience):
		return fmt.Errorf("the browser said nothing within %v", patience)
	}
}

// fill sums up the runs: the medians of times, and the frames of all runs.
func (row *Row) fill(writes []float64, looks []look) {
	var shown []float64
	views, frames := map[string][]float64{}, map[string][]float64{}
	for _, l := range looks {
		shown = append(shown, l.Shown/1000)
		for name, ms := range l.Views {
			views[name] = append(views[name], ms)
		}
		for name, gaps := range l.Frames {
			frames[name] = append(frames[name], gaps...)
		}
	}
	row.WriteSeconds, row.OpenSeconds, row.LongestOpenSeconds = figures.Median(writes), figures.Median(shown), figures.Quantile(shown, 1)
	row.ViewsMs, row.Frames = map[string]float64{}, map[string]Frames{}
	for name, ms := range views {
		row.ViewsMs[name] = figures.Median(ms)
	}
	for name, gaps := range frames {
		row.Frames[name] = framesOf(gaps)
	}
}

func framesOf(gaps []float64) Frames {
	return Frames{Count: len(gaps), MedianMs: figures.Median(gaps), P95Ms: figures.Quantile(gaps, 0.95), LongestMs: figures.Quantile(gaps, 1)}
}
