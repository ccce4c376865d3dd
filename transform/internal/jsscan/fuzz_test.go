package jsscan

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/internal/golden"
)

// FuzzScan holds every script to what its types promise.
func FuzzScan(f *testing.F) {
	for _, file := range golden.Read(f, "testdata/golden/*.txtar") {
		f.Add(file.Files[0].Data, uint8(goalOf(file.Files[0].Name)))
	}
	f.Fuzz(func(t *testing.T, src []byte, goal uint8) {
		opts := Options{Goal: Goal(goal % 4)}
		script, err := Scan(src, opts)
		again, err2 := Scan(src, opts)
		if !reflect.DeepEqual(script, again) || !reflect.DeepEqual(err, err2) {
			t.Fatal("two scans differ")
		}
		if err != nil {
			var se *SyntaxError
			if script != nil || !errors.As(err, &se) || se.Offset < 0 || se.Offset > len(src) || se.Msg == "" {
				t.Fatalf("script %v, error %v", script, err)
			}
			return
		}
		checkScript(t, src, script)
	})
}

// checkScript fails unless all ranges are in bounds, nested and in order.
func checkScript(t *testing.T, src []byte, s *Script) {
	t.Helper()
	if s.Goal == Auto || !ordered(0, s.Insert, len(src)) || !ordered(0, s.Hashbang, len(src)) {
		t.Fatalf("goal %v, insert %d, hashbang %d of %d", s.Goal, s.Insert, s.Hashbang, len(src))
	}
	checkLoops(t, s.Loops, 0, len(src))
	var around []int
	for i := range s.Functions {
		f := &s.Functions[i]
		if f.Kind < Declaration || f.Kind > Initializer {
			t.Fatalf("function %d has no kind", i)
		}
		if !ordered(0, f.Start, f.Params, f.ParamsEnd, f.BodyStart, f.Insert, f.BodyEnd, f.End, len(src)) {
			t.Fatalf("function %d is out of order: %+v", i, f)
		}
		if f.NameAt < -1 || f.NameAt >= len(src) || f.NameAt >= 0 && f.Name == "" && f.Inferred == "" && src[f.NameAt] != '"' && src[f.NameAt] != '\'' {
			t.Fatalf("function %d, %q (%q): name at %d", i, f.Name, f.Inferred, f.NameAt)
		}
		for len(around) > 0 && s.Functions[around[len(around)-1]].End <= f.Start {
			around = around[:len(around)-1]
		}
		if len(around) > 0 && s.Functions[around[len(around)-1]].End < f.End {
			t.Fatalf("function %d ends behind %d, in which it begins", i, around[len(around)-1])
		}
		around = append(around, i)
		if f.Parent >= 0 {
			if p := &s.Functions[f.Parent]; f.Parent >= i || p.Params > f.Start || p.End < f.End {
				t.Fatalf("function %d is not in its parent %d", i, f.Parent)
			}
		}
		last := f.BodyStart
		for _, r := range f.Returns {
			if !ordered(last, r.Start, r.Start+len("return"), r.Keyword, f.BodyEnd) || r.ArgStart >= 0 && !ordered(r.Keyword, r.ArgStart, r.ArgEnd, f.BodyEnd) {
				t.Fatalf("function %d: return %+v", i, r)
			}
			if string(src[r.Start:r.Keyword]) != "return" {
				t.Fatalf("function %d: return is %q", i, src[r.Start:r.Keyword])
			}
			last = r.Keyword
		}
		last = f.Params
		for _, p := range f.Suspends {
			if !ordered(last, p.Start, p.Keyword, f.BodyEnd) || p.ArgStart >= 0 && !ordered(p.Keyword, p.ArgStart, p.ArgEnd, f.BodyEnd) {
				t.Fatalf("function %d: suspend %+v", i, p)
			}
			last = p.Keyword
		}
		checkLoops(t, f.Loops, f.BodyStart, f.BodyEnd)
	}
}

func checkLoops(t *testing.T, loops []Loop, start, end int) {
	t.Helper()
	last := start
	for _, l := range loops {
		if !ordered(last, l.Start, l.BodyStart, l.BodyEnd, l.End, end) || l.Block && l.BodyEnd-l.BodyStart < 2 {
			t.Fatalf("loop %+v in %d-%d", l, start, end)
		}
		last = l.Start
	}
}

func ordered(offsets ...int) bool { return slices.IsSorted(offsets) }
