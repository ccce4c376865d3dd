package storetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// generator makes chunks and questions from a seed.
type generator struct {
	*rand.Rand
	app   string
	views []*sequence
	made  int
}

// sequence is a page view that sends.
type sequence struct {
	id     record.ID
	series record.Series
	number int
	at     time.Time
	counts record.Counts
}

func newGenerator(app string, seed uint64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(seed, 18)), app: app}
}

func oneOf[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

var routes = []string{"/", "/cart", "/item", "'; DROP TABLE ticks; --", "(other)"}

var labels = []struct {
	name   string
	values []string
}{
	{record.Release, []string{"1.0", "1.1", ""}},
	{record.Route, routes},
	{record.Browser, []string{"Firefox", "Chrome", "Safari", ""}},
	{record.BrowserVersion, []string{"1", "2", "3"}},
	{record.Device, []string{"mobile", "desktop"}},
	{"x-plan", []string{"", "", "free", "paid"}},
}

func (g *generator) series() record.Series {
	s := record.Series{App: g.app, Labels: record.Labels{}, Slow: g.IntN(4) == 0,
		Rate: oneOf(g, 1, 1, 0.1, 1.0/3), Interval: oneOf(g, 10*time.Millisecond, 10*time.Millisecond, 4*time.Millisecond)}
	for _, label := range labels {
		if value := oneOf(g, label.values...); value != "" {
			s.Labels[label.name] = value
		}
	}
	return s
}

// chunks makes chunks that began within a stretch of time, in any order. Some are of one view,
// and some are parts of one chunk of it.
func (g *generator) chunks(n int, from time.Time, within time.Duration) []*record.Chunk {
	var made []*record.Chunk
	for len(made) < n {
		if len(g.views) == 0 || g.IntN(3) == 0 {
			g.views = append(g.views, &sequence{id: record.IDOf(g.app, "view", fmt.Sprint(g.made)), series: g.series()})
		}
		v := oneOf(g, g.views...)
		if v.number == 0 || v.at.Before(from) {
			v.at = from.Add(time.Duration(g.Int64N(int64(within)*3/4 + 1)))
		}
		if g.IntN(4) == 0 {
			v.series.Labels = maps.Clone(v.series.Labels)
			v.series.Labels[record.Route] = oneOf(g, routes...)
		}
		c := g.chunk(v.series, v.at)
		c.View, c.Number = v.id, v.number
		c.Counts = g.counts(v)
		made = append(made, c)
		if g.IntN(10) == 0 {
			part := g.chunk(v.series, v.at)
			part.View, part.Number, part.Counts = c.View, c.Number, c.Counts
			made = append(made, part)
		}
		v.number++
		if v.at = v.at.Add(time.Duration(g.Int64N(int64(within)/8 + 1))); !v.at.Before(from.Add(within)) {
			v.at = from.Add(within - 1)
		}
		if g.IntN(6) == 0 { // of no view
			made = append(made, g.chunk(g.series(), from.Add(time.Duration(g.Int64N(int64(within))))))
		}
	}
	g.Shuffle(len(made), func(i, j int) { made[i], made[j] = made[j], made[i] })
	return made
}

func (g *generator) counts(v *sequence) *record.Counts {
	if g.IntN(4) == 0 {
		return nil
	}
	v.counts.Interactions += g.Int64N(5)
	v.counts.LongTasks += g.Int64N(3)
	counts := v.counts
	counts.Slow = map[profile.What]int64{profile.Interaction: counts.Interactions / 3, profile.LongTask: counts.LongTasks}
	if counts.Interactions > 0 {
		counts.INP, counts.P75 = time.Duration(g.IntN(900))*time.Millisecond, time.Duration(g.IntN(200))*time.Millisecond
	}
	return &counts
}

func (g *generator) chunk(s record.Series, at time.Time) *record.Chunk {
	g.made++
	c := &record.Chunk{ID: record.IDOf(g.app, fmt.Sprint(g.made)), Series: s, Source: "fieldprof", At: at,
		Observed: time.Duration(g.Int64N(int64(time.Minute)))}
	if g.IntN(8) > 0 {
		c.Profile = g.profile(g.IntN(40))
	}
	if c.Profile != nil && g.IntN(5) == 0 {
		c.Example = record.EncodeProfile(c.Profile)
	}
	for range max(0, g.IntN(6)-3) {
		c.Slices = append(c.Slices, g.slice(c))
	}
	return c
}

func (g *generator) slice(c *record.Chunk) record.Slice {
	s := record.Slice{ID: record.IDOf(c.ID.String(), fmt.Sprint(len(c.Slices))), Series: c.Series,
		At: c.At.Add(time.Duration(g.IntN(60_000)) * time.Millisecond), View: c.View, Trace: record.EncodeProfile(g.profile(3))}
	s.Slow, s.Rate = true, c.Rate/float64(1+g.IntN(3))
	s.Mark = profile.Mark{What: oneOf(g, profile.Interaction, profile.LongTask), Name: oneOf(g, "click", "keydown", "\x00'\""),
		Target: oneOf(g, "button#save", "", "a.\u202etxt"), Detail: oneOf(g, "", "why"), Time: time.Duration(g.IntN(1e9)),
		Duration: time.Duration(oneOf(g, 200, 240, 240, 1000+g.IntN(1000))) * time.Millisecond, InputDelay: 1, Processing: 2, Presentation: 3}
	if g.IntN(2) == 0 {
		s.Cause = profile.Function{Name: "slow", File: "https://shop.example/app.js", Line: 3, Column: 7, Flags: profile.Checked}
		s.CauseGroup, s.CauseTime = "own", 123456789
	}
	return s
}

// profile makes the sum of n samples.
func (g *generator) profile(n int) *profile.Profile {
	b := &profile.Builder{Meta: profile.Meta{Interval: 10 * time.Millisecond}}
	stack := func() profile.StackID {
		at := profile.NoStack
		for range 1 + g.IntN(6) {
			f := g.IntN(12)
			function := b.Function(profile.Function{Name: fmt.Sprintf("f%d\x00", f), File: "https://shop.example/a'.js", Line: int32(f + 1),
				Column: int32(f%3) * 1000, Flags: profile.Flags(f%2) * profile.Checked})
			at = b.Stack(at, b.Frame(function, int32(f+g.IntN(2)), int32(g.IntN(3))))
		}
		return at
	}
	for i := range n {
		s := profile.Sample{Time: int64(i), Weight: 1 + int32(g.IntN(5)), Kind: oneOf(g, profile.Own, profile.Own, profile.Loop, profile.Idle, profile.Lost)}
		switch s.Kind {
		case profile.Idle:
			s.Stack = b.Pseudo(profile.NoStack, profile.NameIdle)
		case profile.Lost:
			s.Stack = profile.NoStack
		default:
			s.Stack, s.Marker = stack(), oneOf(g, profile.NoMarker, profile.MarkerScript)
		}
		b.Sample(s)
	}
	return record.Sum(b.Profile())
}

// selection asks about a part of a stretch of time, in steps.
func (g *generator) selection(from time.Time, within, step time.Duration) store.Selection {
	n := int64(within / step)
	a, b := g.Int64N(n+1), g.Int64N(n+1)
	s := store.Selection{App: g.app, From: from.Add(time.Duration(min(a, b)) * step), To: from.Add(time.Duration(max(a, b)) * step), Slow: g.IntN(3) == 0}
	if g.IntN(3) == 0 {
		s.From, s.To = from, from.Add(within)
	}
	s.Where = map[string][]string{}
	if g.IntN(3) == 0 {
		s.Where[record.Route] = []string{oneOf(g, routes...), oneOf(g, routes...)}
	}
	if g.IntN(4) == 0 {
		s.Where[record.Browser] = []string{oneOf(g, "Firefox", "", "none such")}
	}
	return s
}

func (g *generator) grouping(steps ...time.Duration) store.Grouping {
	by := store.Grouping{Step: oneOf(g, steps...)}
	for _, name := range []string{record.Route, record.Release, record.Device, "x-plan", "x-unknown"} {
		if g.IntN(4) == 0 {
			by.By = append(by.By, name)
		}
	}
	return by
}
