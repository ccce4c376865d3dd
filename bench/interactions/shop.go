package interactions

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"

	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/interactions/site"
	"github.com/fieldprof/fieldprof/transform"
)

// shop is the served site.
type shop struct {
	url, offers string
	close       func()
}

func serveShop(ctx context.Context) (*shop, error) {
	dir, remove, err := tempFolder()
	if err != nil {
		return nil, err
	}
	built, err := site.Build(ctx, dir, site.Options{Preset: transform.Balanced, Elsewhere: true})
	if err != nil {
		remove()
		return nil, err
	}
	own := httptest.NewServer(&browser.Site{Files: os.DirFS(built.Own)})
	elsewhere := httptest.NewServer(&browser.Site{Files: os.DirFS(built.Elsewhere), Header: http.Header{"Access-Control-Allow-Origin": {"*"}}})
	return &shop{own.URL + "/index.html", elsewhere.URL + "/offers.js", func() {
		own.Close()
		elsewhere.Close()
		remove()
	}}, nil
}

// visit is an open page of the shop.
type visit struct {
	tab   *browser.Tab
	tasks []task
}

func (s *shop) visit(session *browser.Session, ticks bool) (*visit, error) {
	tab, err := session.Open(s.url)
	if err != nil {
		return nil, err
	}
	if _, err = tab.Wait("window.ready", patience); err == nil {
		_, err = tab.Eval(fmt.Sprintf("begin({ elsewhere: %q, ticks: %t })", s.offers, ticks))
	}
	return &visit{tab: tab}, err
}

// slice is what counts of a slice.
type slice struct {
	Slice struct {
		What            string
		Start, Duration float64
	}
	Blame struct{ Functions []struct{ Name string } }
	Text  string
}

// click clicks once, and adds what the first slice says to what was found.
func (v *visit) click(c site.Cause, to *found) error {
	var at [2]int
	if err := v.eval(fmt.Sprintf("(taken(), middle(%q))", c.ID), &at); err != nil {
		return err
	}
	if err := v.tab.Click(at[0], at[1]); err != nil {
		return err
	}
	if _, err := v.tab.Wait("slices.length > 0", given); err != nil {
		to.given[c.ID] = "no slice: " + err.Error()
		return nil
	}
	var came struct {
		All       []json.RawMessage
		LongTasks []task
	}
	if err := v.eval("({ all: taken(), longTasks })", &came); err != nil {
		return err
	}
	for i, text := range came.All {
		var s slice
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		if s.Slice.What == "long-task" {
			v.tasks = append(v.tasks, nearest(s.Slice.Start, s.Slice.Duration, came.LongTasks))
		}
		if i > 0 {
			continue
		}
		if f := s.Blame.Functions; len(f) > 0 && slices.Contains(c.Names, f[0].Name) {
			to.named[c.ID]++
		} else {
			to.given[c.ID] = s.Text
		}
		size, err := compressed(text)
		if err != nil {
			return err
		}
		to.sizes = append(to.sizes, size)
	}
	return nil
}

func (v *visit) eval(expression string, result any) error {
	value, err := v.tab.Eval(expression)
	if err != nil {
		return err
	}
	return json.Unmarshal(value, result)
}

// compressed is the size of a slice by gzip, in bytes.
func compressed(text json.RawMessage) (float64, error) {
	var outer struct{ Slice json.RawMessage }
	if err := json.Unmarshal(text, &outer); err != nil {
		return 0, err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(outer.Slice)
	if err == nil {
		err = w.Close()
	}
	return float64(b.Len()), err
}

// task is a long task that the browser reports, and how much later the one that ticks found
// begins and ends, in milliseconds.
type task struct {
	Start, Duration float64
	begins, ends    float64
}

// nearest is the browser's task that begins nearest to a slice.
func nearest(start, duration float64, tasks []task) task {
	var best task
	for i, t := range tasks {
		t.begins, t.ends = start-t.Start, start+duration-t.Start-t.Duration
		if i == 0 || math.Abs(t.begins) < math.Abs(best.begins) {
			best = t
		}
	}
	return best
}
