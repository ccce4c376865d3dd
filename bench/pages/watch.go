package pages

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/report"
)

// streams is how many sources stream, each a sample a millisecond, and every how often.
const (
	streams = 10
	every   = 250 * time.Millisecond
)

// watched is what the bench's page reports of a panel: times in milliseconds.
type watched struct {
	Error  string               `json:"error"`
	Window string               `json:"window"`
	Shown  float64              `json:"shown"` // from the navigation until all samples are in view
	Frames map[string][]float64 `json:"frames"`
	// Snapshots are how many came in a second while frames were measured.
	Snapshots map[string]float64 `json:"snapshots"`
}

//go:embed js/watch.js
var watchScript []byte

// Watch opens the live panel in a fresh Chromium, so many times. It holds a million
// samples of ten sources, which go on streaming.
func Watch(ctx context.Context, runs int, progress figures.Progress) (*Panel, error) {
	p := &Panel{Origin: figures.Runs("panel", runs), Runs: runs, Samples: samples, Sources: streams}
	var shown []float64
	frames := map[string][]float64{}
	snapshots := map[string][]float64{}
	for run := range runs {
		progress.Show("run %d of %d", run+1, runs)
		seen, err := watchOnce(ctx)
		if err != nil {
			return nil, err
		}
		p.Window = seen.Window
		shown = append(shown, seen.Shown/1000)
		for name, gaps := range seen.Frames {
			frames[name] = append(frames[name], gaps...)
			snapshots[name] = append(snapshots[name], seen.Snapshots[name])
		}
	}
	p.OpenSeconds = figures.Median(shown)
	for _, name := range watchedViews {
		p.Rows = append(p.Rows, PanelRow{View: name, Frames: framesOf(frames[name]), SnapshotsPerSecond: figures.Median(snapshots[name])})
	}
	return p, nil
}

func watchOnce(ctx context.Context) (*watched, error) {
	stream := NewStream(report.PanelOptions{Token: "bench", Title: "bench"})
	ctx, cancel := context.WithCancel(ctx)
	var sending sync.WaitGroup
	defer sending.Wait()
	defer cancel()
	if err := feed(ctx, stream, &sending); err != nil {
		return nil, err
	}
	defer stream.Cut()
	var seen watched
	err := ask(ctx, watchScript, stream, &seen)
	if err == nil && seen.Error != "" {
		err = errors.New(seen.Error)
	}
	return &seen, err
}

// feed gives a stream its sources with all they have, and has them go on until the end of ctx.
func feed(ctx context.Context, stream *Stream, sending *sync.WaitGroup) error {
	var list []live.Source
	var last []*live.Batch
	p := Program(samples / streams)
	for i := range streams {
		id := fmt.Sprint(i)
		list = append(list, live.Source{ID: id, What: "page", Name: "page " + id, URL: "http://localhost/" + id, State: "recording", Profile: 1, Began: 1, Interval: 1, Clock: "shared"})
		batches, err := BatchesOf(p, id, 1, 16_384)
		if err != nil {
			return err
		}
		for _, b := range batches {
			stream.Send(b)
		}
		last = append(last, batches[len(batches)-1])
	}
	stream.Sources("bench", list...)
	end := p.Samples.Time[p.Len()-1] / 1000
	stacks := p.Samples.Stack
	sending.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for turn := 1; ; turn++ {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			for i, b := range last {
				stream.Send(more(b, stacks, turn, i, end))
			}
		}
	})
	return nil
}

// more is the next batch of a source: samples of stacks that it has.
func more(b *live.Batch, stacks []profile.StackID, turn, source int, end int64) *live.Batch {
	count := int(every / time.Millisecond)
	next := &live.Batch{Type: live.TypeBatch, Source: b.Source, Profile: b.Profile, Seq: b.Seq + int64(turn)}
	for k := range count {
		delta := int64(1000)
		if k == 0 {
			delta = end + int64((turn-1)*count)*1000
		}
		next.Samples.Delta = append(next.Samples.Delta, delta)
		next.Samples.Stack = append(next.Samples.Stack, int32(stacks[(turn*count+k+source*997)%len(stacks)]))
		next.Samples.Weight = append(next.Samples.Weight, 1)
	}
	return next
}

// BatchesOf has batches of at most so many records, stacks and samples, of a profile that
// began then, in milliseconds since 1970.
func BatchesOf(p *profile.Profile, id string, began float64, most int) ([]*live.Batch, error) {
	r := live.NewRecording(&live.Hello{Attributed: true}, nil)
	whole := live.BatchOf(p)
	whole.Began.Time = began
	if err := r.Add(whole); err != nil {
		return nil, err
	}
	batches := r.Batches(most)
	for i, b := range batches {
		b.Source, b.Seq = id, int64(i+1)
	}
	return batches, nil
}
