package collecting

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/serving"
	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/sqlite"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// Day is a store with a day of chunks, and what questions about it take.
type Day struct {
	Chunks      int        `json:"chunks"`
	Write       float64    `json:"write"`       // ms of this process's time per chunk
	BytesStored float64    `json:"bytesStored"` // per chunk, at sums of a minute
	Questions   []Question `json:"questions"`
	// Dashboards are how fast the dashboard opens, by browser.
	Dashboards []Dashboard `json:"dashboards"`
}

// Question is one kind of question about the whole day.
type Question struct {
	Name  string  `json:"name"`
	First float64 `json:"first"` // ms, of a store that was just opened
	Again float64 `json:"again"` // ms, median of the others
}

// batch is how many chunks are written at a time: those of two seconds at 400 a second.
const batch = 800

// writeDay writes chunks, evenly over the day before a moment.
func writeDay(ctx context.Context, file string, chunks int, end time.Time, progress figures.Progress) (d *Day, err error) {
	kept, err := sqlite.Open(ctx, file, store.DefaultRetention())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	minutes, err := newMinutes(2)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(3, 3))
	before, err := serving.Used(os.Getpid())
	if err != nil {
		return nil, err
	}
	moment := func(chunk int) time.Time {
		return end.Add(-24*time.Hour + time.Duration(float64(chunk)/float64(chunks)*float64(24*time.Hour)))
	}
	maintained := moment(0)
	for from := 0; from < chunks; from += batch {
		progress.Show("a day of chunks: %d of %d", from, chunks)
		if moment(from).Sub(maintained) >= time.Hour { // a collector does so each minute
			maintained = moment(from)
			if err := kept.Maintain(ctx, maintained); err != nil {
				return nil, err
			}
		}
		var list []*record.Chunk
		for i := from; i < min(from+batch, chunks); i++ {
			list = append(list, minutes[random.IntN(len(minutes))].chunk(random, moment(i)))
		}
		if _, err := kept.Write(ctx, record.IDOf("batch", strconv.Itoa(from)), list); err != nil {
			return nil, err
		}
	}
	if err := kept.Maintain(ctx, end); err != nil {
		return nil, err
	}
	after, err := serving.Used(os.Getpid())
	return &Day{Chunks: chunks, Write: (after.CPU - before.CPU).Seconds() * 1000 / float64(chunks)}, err
}

// summed is a minute as ingest hands it on.
type summed struct {
	route, release string
	profile        *profile.Profile
}

func newMinutes(releases int) ([]summed, error) {
	var all []summed
	for release := range releases {
		p := newProgram(release)
		random := rand.New(rand.NewPCG(2, uint64(release)))
		for route := range routes {
			for range patterns {
				text, err := json.Marshal(p.trace(p.minute(route, random), false, random))
				if err != nil {
					return nil, err
				}
				whole, _, err := format.Read(bytes.NewReader(text), "chunk.json")
				if err != nil {
					return nil, err
				}
				all = append(all, summed{routeName(route), releaseName(release), record.Sum(whole)})
			}
		}
	}
	return all, nil
}

func (m *summed) chunk(random *rand.Rand, at time.Time) *record.Chunk {
	who := newSession(random)
	name, version, _ := strings.Cut(who.browser, " ")
	return &record.Chunk{
		ID: randomID(random), View: randomID(random), Source: "fieldprof", At: at, Observed: time.Minute, Profile: m.profile,
		Series: record.Series{App: "shop", Rate: 0.1, Interval: 10 * time.Millisecond, Labels: record.Labels{
			record.Release: m.release, record.Route: m.route, record.Page: "https://shop.example", record.Browser: name, record.BrowserVersion: version,
			record.Device: who.device, record.Cores: strconv.Itoa(who.cores), record.Connection: who.connection,
		}},
	}
}

func randomID(random *rand.Rand) (id record.ID) {
	binary.LittleEndian.PutUint64(id[:8], random.Uint64())
	binary.LittleEndian.PutUint64(id[8:], random.Uint64())
	return id
}

// ask asks each question of a store that has just been opened, and then some times more.
func (d *Day) ask(ctx context.Context, file string, end time.Time, runs int, progress figures.Progress) error {
	all := store.Selection{App: "shop", From: end.Add(-24 * time.Hour), To: end}
	where := func(label, value string) store.Selection {
		s := all
		s.Where = map[string][]string{label: {value}}
		return s
	}
	for _, q := range []struct {
		name string
		ask  func(*answer.Service) error
	}{
		{"flame graph", func(a *answer.Service) error { _, err := a.Profile(ctx, all, answer.ProfileOptions{}); return err }},
		{"flame graph of a route", func(a *answer.Service) error {
			_, err := a.Profile(ctx, where(record.Route, routeName(3)), answer.ProfileOptions{})
			return err
		}},
		{"hottest functions", func(a *answer.Service) error {
			_, err := a.Functions(ctx, all, answer.ProfileOptions{}, 50)
			return err
		}},
		{"overview by route and release", func(a *answer.Service) error {
			_, err := a.Overview(ctx, all, []string{record.Route, record.Release})
			return err
		}},
		{"labels and their values", func(a *answer.Service) error { _, err := a.Values(ctx, all); return err }},
		{"comparing two releases", func(a *answer.Service) error {
			_, err := a.Diff(ctx, where(record.Release, releaseName(0)), where(record.Release, releaseName(1)), answer.ProfileOptions{}, 50)
			return err
		}},
		{"trend of a function by the hour", func(a *answer.Service) error {
			_, err := a.Trend(ctx, all, answer.Function{Name: "render0"}, time.Hour)
			return err
		}},
	} {
		progress.Show("%s", q.name)
		times, err := timed(ctx, file, runs, q.ask)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		d.Questions = append(d.Questions, Question{q.name, times[0], figures.Median(times[1:])})
	}
	size, err := sizeOf(filepath.Dir(file))
	d.BytesStored = float64(size) / float64(d.Chunks)
	return err
}

// timed opens a store and asks a question of it, in milliseconds. Answers are not remembered
// between the times; the stacks that occurred in them are, as in a collector.
func timed(ctx context.Context, file string, runs int, ask func(*answer.Service) error) (times []float64, err error) {
	kept, err := sqlite.Open(ctx, file, store.DefaultRetention())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	answers := answer.New(kept, answer.Options{})
	for range runs + 1 {
		began := time.Now()
		if err := ask(answers); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began).Seconds()*1000)
	}
	return times, nil
}
