package answer

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// day is a selection of everything.
func day(app string) store.Selection {
	return store.Selection{App: app, From: noon.Add(-12 * time.Hour), To: noon.Add(12 * time.Hour)}
}

// world is a store that a test fills, and its answers.
type world struct {
	*Service
	t      testing.TB
	store  *memory.Store
	chunks int
}

func newWorld(t testing.TB) *world {
	m := memory.New()
	return &world{New(m, Options{}), t, m, 0}
}

// chunk stores a chunk of a release: 10 ms a tick, a minute observed, one view.
func (w *world) chunk(labels record.Labels, at time.Time, p *profile.Profile, change ...func(*record.Chunk)) {
	w.t.Helper()
	w.chunks++
	c := &record.Chunk{ID: record.IDOf(strconv.Itoa(w.chunks)), At: at, Observed: time.Minute, View: record.IDOf("view", strconv.Itoa(w.chunks)),
		Series: record.Series{App: "shop", Labels: labels, Rate: 1, Interval: 10 * time.Millisecond}}
	if p != nil {
		c.Profile = record.Sum(p)
	}
	for _, f := range change {
		f(c)
	}
	must.Get(w.store.Write(context.Background(), c.ID, []*record.Chunk{c}))(w.t)
}

// upload adds a file to a release.
func (w *world) upload(release, name, kind, content string) {
	w.t.Helper()
	must.Do(w.t, w.store.PutFile(context.Background(), store.File{App: "shop", Release: release, Name: name, Kind: kind, Size: int64(len(content)), Uploaded: noon}, []byte(content)))
}

// ticks makes a profile of functions of a script of one line, each with so many ticks, called by the first.
func ticks(script string, functions ...any) *profile.Profile {
	var b profile.Builder
	b.Meta.Interval = 10 * time.Millisecond
	for i := 0; i < len(functions); i += 2 {
		f := b.Function(profile.Function{Name: functions[i].(string), File: script, Line: 1, Column: 11, Flags: profile.Checked})
		if functions[i] == profile.NameIdle {
			b.Add(profile.Sample{Stack: b.Pseudo(profile.NoStack, profile.NameIdle), Kind: profile.Idle}, int64(functions[i+1].(int)))
			continue
		}
		b.Add(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 12))}, int64(functions[i+1].(int)))
	}
	return b.Profile()
}

// mapTo is a map of `function a(b){}`, whose a was called like this in line 4 of a source.
func mapTo(name, source string) string {
	return fmt.Sprintf(`{"version":3,"sources":[%q],"sourcesContent":["text of %s"],"names":[%q],"mappings":"AAGA,SAASA"}`, source, source, name)
}

const script = "https://shop.example/assets/app.js"

func TestLateMapsNameWhatIsStored(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	w.chunk(record.Labels{"release": "1"}, noon, ticks(script, "a", 30, profile.NameIdle, 70))
	w.chunk(record.Labels{"release": "2"}, noon, ticks(script, "a", 10))
	before := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	must.Equal(t, before.Functions[0].Function, Function{"a", script, 1})
	must.Equal(t, len(before.Notes), 2)

	w.upload("1", "assets/app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
	w.upload("2", "assets/app.js.map", store.FileMap, mapTo("render", "src/app.ts"))
	after := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	must.Equal(t, after.Functions, []FunctionRow{
		{Function: Function{"parse", "src/app.ts", 4}, SelfMs: 300, TotalMs: 300, SelfShare: .75, TotalShare: .75},
		{Function: Function{"render", "src/app.ts", 4}, SelfMs: 100, TotalMs: 100, SelfShare: .25, TotalShare: .25},
	})
	must.Equal(t, after.Ticks, 110)
	must.Equal(t, after.BusyMs, 400)
	must.Equal(t, len(after.Notes), 0, after.Notes)
	r := must.Get(w.Profile(ctx, day("shop"), ProfileOptions{}))(t)
	text, ok := r.Source("src/app.ts")
	must.Equal(t, text, "text of src/app.ts")
	must.Equal(t, ok, true)
}

// If all that was recorded waited, there is no busy time for a function to have a share of.
func TestFunctionsThatOnlyWaited(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	var b profile.Builder
	b.Meta.Interval = 10 * time.Millisecond
	poll := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "poll", File: script, Line: 1, Column: 11, Flags: profile.Checked}), 1, 12))
	b.Add(profile.Sample{Stack: b.Pseudo(poll, profile.NameIdle), Kind: profile.Idle}, 40)
	w.chunk(record.Labels{"release": "1"}, noon, b.Profile())
	got := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	must.Equal(t, []any{len(got.Functions), got.BusyMs, got.Ticks}, []any{0, 0., int64(40)})
}
