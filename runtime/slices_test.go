package runtime_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/wicg"
	slow "github.com/fieldprof/fieldprof/profile/slices"
)

type object = map[string]any

// blamed is what both sides say of a slice, in milliseconds.
type blamed struct {
	Blame struct {
		Total     float64
		Functions []struct {
			place
			Self, Total float64
			Group       string
		}
		Groups map[string]float64
		Cause  *struct {
			place
			Time   float64
			Group  string
			Groups map[string]float64
		}
		Handler *place
	}
	Explain string
}

type place struct {
	Name, URL    string
	Line, Column int32
}

// Pages and Go blame the same functions for random slices, and the groups add up.
func TestSlicesAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var slowOnes []object
	for range 1500 {
		slowOnes = append(slowOnes, randomSlice(random))
	}
	answers := must.JSON[[]blamed](t, runBundled(t, "testdata/interactions/lib/blame.mjs", must.Get(json.Marshal(slowOnes))(t)))
	causes := 0
	for i, asked := range slowOnes {
		trace := must.Get(json.Marshal(asked["trace"]))(t)
		p, err := wicg.Read(bytes.NewReader(trace))
		if err != nil {
			t.Fatalf("%v: %s", err, trace)
		}
		found := slow.Of(p, slow.Options{Page: "https://shop.example/", Over: map[profile.What]time.Duration{profile.Interaction: 0, profile.LongTask: 0, profile.Load: 0}})
		if len(found) != 1 {
			t.Fatalf("%d slices: %s", len(found), trace)
		}
		got := must.Get(json.Marshal(answers[i]))(t)
		want := must.Get(json.Marshal(inGo(t, &found[0])))(t)
		if !bytes.Equal(got, want) {
			t.Fatalf("in pages:\n%s\nin Go:\n%s\nfor %s", got, want, trace)
		}
		if answers[i].Blame.Cause != nil {
			causes++
		}
	}
	if causes < 300 || causes > 1400 {
		t.Errorf("%d slices have a cause", causes)
	}
}

func inGo(t *testing.T, s *slow.Slice) (told blamed) {
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	placeOf := func(f profile.Function) place { return place{f.Name, f.File, f.Line, f.Column} }
	b := &told.Blame
	b.Total, b.Groups = ms(s.Blame.Total), map[string]float64{}
	sum := time.Duration(0)
	for g, d := range s.Blame.Groups {
		b.Groups[string(g)] = ms(d)
		if sum += d; d < 0 {
			t.Errorf("%v of group %s", d, g)
		}
	}
	must.Equal(t, sum, s.Blame.Total, "the sum of the groups")
	for _, f := range s.Blame.Functions {
		b.Functions = append(b.Functions, struct {
			place
			Self, Total float64
			Group       string
		}{placeOf(f.Function), ms(f.Self), ms(f.Total), string(f.Group)})
	}
	if b.Functions == nil {
		b.Functions = []struct {
			place
			Self, Total float64
			Group       string
		}{}
	}
	if c := s.Blame.Cause; c != nil {
		b.Cause = &struct {
			place
			Time   float64
			Group  string
			Groups map[string]float64
		}{placeOf(c.Function), ms(c.Time), string(c.Group), map[string]float64{}}
		for g, d := range c.Groups {
			b.Cause.Groups[string(g)] = ms(d)
		}
	}
	if h := s.Blame.Handler; h != nil {
		at := placeOf(*h)
		b.Handler = &at
	}
	told.Explain = s.Explain()
	return told
}

// randomSlice is a slice with a small trace: few functions, so that they recur and tie.
func randomSlice(r *rand.Rand) object {
	one := func(of ...any) any { return of[r.IntN(len(of))] }
	frames := []object{}
	for range 1 + r.IntN(7) {
		f := object{"name": one("", "f", "g", "onInput", "unknown", "(host)", "(native)", "sort\x00\u202e")}
		if r.IntN(4) > 0 {
			f["resourceId"] = r.IntN(6)
			if r.IntN(4) > 0 {
				f["line"], f["column"] = 1+r.IntN(2), 1+r.IntN(2)
			}
			if r.IntN(6) == 0 {
				f["ignored"] = true
			}
		}
		frames = appendNew(frames, f)
	}
	stacks := []object{}
	for range 1 + r.IntN(10) {
		s := object{"frameId": r.IntN(len(frames))}
		if len(stacks) > 0 && r.IntN(4) > 0 {
			s["parentId"] = r.IntN(len(stacks))
		}
		stacks = appendNew(stacks, s)
	}
	start, duration := r.Float64()*100, 1+r.Float64()*300
	samples := []object{}
	at := r.Float64() * 150
	for range r.IntN(30) {
		at += r.ExpFloat64() * 10
		if r.IntN(15) == 0 {
			at += 100
		}
		s := object{"timestamp": at}
		if r.IntN(4) > 0 {
			s["stackId"] = r.IntN(len(stacks))
		}
		if r.IntN(6) == 0 {
			s["marker"] = one("script", "gc", "style", "layout", "paint", "other")
		}
		if r.IntN(4) > 0 {
			s["weight"] = 1 + r.IntN(2)*r.IntN(9)
			if r.IntN(4) > 0 {
				s["kind"], s["skid"] = one("entry", "loop", "exit", "idle", "program", "gc"), r.Float64()*float64(r.IntN(2)*90)
			}
		}
		samples = append(samples, s)
	}
	what := one("interaction", "long-task", "load")
	mark := object{"what": what, "name": "click", "time": start, "duration": duration}
	slice := object{"what": what, "name": "click", "start": start, "duration": duration, "unknown": []string{}}
	if r.IntN(2) == 0 {
		for _, part := range []string{"inputDelay", "processing", "presentation"} {
			mark[part] = r.Float64() * 200
			slice[part] = mark[part]
		}
	}
	slice["trace"] = object{
		"resources": []string{"https://shop.example/a.js", "https://shop.example/b.js?x", "https://cdn.example/c.js", "https://shop.example/node_modules/d/e.js", "src/f.ts", "blob:https://cdn.example/1"},
		"frames":    frames, "stacks": stacks, "samples": samples,
		"fieldprof": object{"version": 1, "interval": one(10, 5, 2.5), "marks": []any{mark, object{"what": "note", "name": "x", "detail": one("", "x.js"), "time": start + r.Float64()*300 - 100, "duration": 100}}},
	}
	return slice
}

// appendNew leaves out what a trace has already: no writer repeats frames and stacks.
func appendNew(list []object, item object) []object {
	if slices.ContainsFunc(list, func(other object) bool { return maps.Equal(other, item) }) {
		return list
	}
	return append(list, item)
}
