package live

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
)

const app = "http://localhost/app.js"

func hello(attributed bool) *Hello {
	return &Hello{Type: TypeHello, Version: Version, ID: "0123456789abcdef", What: "page", Name: "Shop",
		URL: "http://localhost/", Engine: "test", Clocks: []string{"shared", "poll"}, Origin: 1e12, Attributed: attributed}
}

// scripts knows one, whose functions cover a line each. Even ones carry checks.
func scripts(url string) (profile.Script, bool) {
	at := func(line, column int32) functable.Position { return functable.Position{Line: line, Column: column} }
	if url != app {
		return profile.Script{}, false
	}
	t := &functable.Table{File: url, Functions: []functable.Function{{Kind: functable.Script, Parent: -1, Start: at(1, 1), End: at(100, 1)}}}
	for line := int32(1); line < 40; line++ {
		f := functable.Function{Name: fmt.Sprint("f", line%30), Kind: functable.Declaration, Start: at(line, 2), End: at(line, 90)}
		if line%2 == 0 {
			f.Sites = 1
		}
		f.FilledFirst = line%6 == 0
		t.Functions = append(t.Functions, f)
	}
	return profile.Script{Table: t}, true
}

// captured is what a source records: a random profile, and the same as its batches.
type captured struct {
	profile *profile.Profile
	batches []*Batch
}

// capture makes a profile of functions that the script knows, of others, and of native ones.
func capture(random *rand.Rand, samples int) captured {
	began := Began{Time: 1e12 + 5, Interval: 1, Clock: "poll"}
	b := profile.Builder{Meta: profile.Meta{Start: time.UnixMilli(1e12 + 5).UTC(), Interval: time.Millisecond,
		Program: "Shop", Engine: "test", Clock: profile.ClockPolled, IdleKnown: true}}
	records := []Record{{ID: 2, Name: "a", File: app}, {ID: 3, Name: "b", File: app}, {ID: 4, Name: "other", File: "http://else/x.js"}, {ID: 9, Name: "sort"}}
	var nodes []node
	var stacks []profile.StackID
	var list []*Batch
	batch := func() *Batch { return &Batch{Type: TypeBatch, Profile: 1, Seq: int64(len(list) + 1)} }
	next := batch()
	next.Records, next.Began = records, &began
	at, before := int64(0), int64(0)
	var skids []time.Duration
	for range samples {
		for range random.IntN(3) { // new stacks
			n := node{parent: int32(random.IntN(len(nodes)+1)) - 1, record: records[random.IntN(4)].ID, line: 1 + random.Int32N(45), column: 1 + random.Int32N(95)}
			if n.record == 9 {
				n.line, n.column = 0, 0
			}
			nodes = append(nodes, n)
			next.Stacks = append(next.Stacks, n.parent, n.record, n.line, n.column)
			f := profile.Function{Name: "sort", File: profile.NameNative, Flags: profile.NativeCode}
			if r := records[slices.IndexFunc(records, func(r Record) bool { return r.ID == n.record })]; r.ID != 9 {
				f = profile.Function{Name: r.Name, File: r.File}
			}
			parent := profile.NoStack
			if n.parent >= 0 {
				parent = stacks[n.parent]
			}
			stacks = append(stacks, b.Stack(parent, b.Frame(b.Function(f), n.line, n.column)))
		}
		at += random.Int64N(2000)
		s := profile.Sample{Time: 1000 * at, Stack: profile.NoStack, Weight: 1 + random.Int32N(3), Skid: 1000 * random.Int64N(50)}
		kind, stack := random.IntN(6), int32(-1)
		if kind < 3 {
			stack = int32(random.IntN(len(stacks)+1)) - 1
			skids = append(skids, time.Duration(s.Skid))
		}
		switch s.Kind = profile.RuntimeKinds[kind]; {
		case stack < 0 && kind < 3:
			s.Kind, skids = profile.Program, skids[:len(skids)-1]
		case stack >= 0:
			s.Stack = stacks[stack]
			if nodes[stack].record == 9 {
				s.Kind = profile.Native
			}
		}
		b.Sample(s)
		if len(next.Samples.Delta) == 0 {
			before = 0
		}
		c := &next.Samples
		c.Delta, c.Stack, c.Weight = append(c.Delta, at-before), append(c.Stack, stack), append(c.Weight, s.Weight)
		c.Kind, c.Skid, before = append(c.Kind, int8(kind)), append(c.Skid, s.Skid/1000), at
		if random.IntN(10) == 0 {
			list = append(list, next)
			next = batch()
		}
	}
	next.Ended = true
	b.Meta.Duration, b.Meta.Skid = time.Duration(1000*at), profile.SpreadOf(skids)
	return captured{b.Profile(), append(list, next)}
}

// expected is what the whole profile becomes.
func (c *captured) expected() *profile.Profile {
	script, _ := scripts(app)
	return profile.Attribute(profile.Symbolize(c.profile, map[string]profile.Script{app: script}), profile.BySite)
}

// lines spells a profile's samples out, without the flags that only Attribute knows.
func lines(p *profile.Profile) []string {
	out := []string{}
	for i := range p.Len() {
		s := p.Sample(i)
		line := fmt.Sprint(s.Time, " ", s.Weight, " ", s.Kind)
		for at := s.Stack; at != profile.NoStack; at = p.Stacks.Parent[at] {
			frame := p.Stacks.Frame[at]
			f := p.Function(p.Frames.Function[frame])
			line += fmt.Sprintf(" | %s %s:%d:%d %d at %d:%d", f.Name, f.File, f.Line, f.Column, f.Flags&(profile.Pseudo|profile.NativeCode|profile.TopLevel),
				p.Frames.Line[frame], p.Frames.Column[frame])
		}
		out = append(out, line)
	}
	return out
}

func sent(t *testing.T, b *Batch) *Batch {
	t.Helper()
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	message, err := Limits{}.Decode(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return message.(*Batch)
}

// However a profile is cut into batches, and however often they are sent, the recording
// is the profile made in one go, and so is what panels get, also those that come late.
func TestRandomProfiles(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		c := capture(random, random.IntN(200))
		want := c.expected()
		r, stream := NewRecording(hello(false), nil), NewStream(false, scripts)
		panel, late := NewRecording(hello(true), nil), NewRecording(hello(true), nil)
		for i, b := range c.batches {
			b = sent(t, b)
			for range 1 + random.IntN(2) {
				if err := r.Add(b); err != nil {
					t.Fatal(err)
				}
			}
			if i > 0 && random.IntN(3) == 0 {
				if err := r.Add(c.batches[random.IntN(i)]); err != nil { // it was sent again
					t.Fatal(err)
				}
			}
			if i+2 < len(c.batches) {
				if err := r.Add(c.batches[i+2]); err == nil {
					t.Fatal("a batch is missing, and nobody notices")
				}
			}
			out := stream.Batch(b)
			if stream.Batch(b) != nil {
				t.Fatal("a stream repeats itself")
			}
			if err := panel.Add(sent(t, out)); err != nil {
				t.Fatal(err)
			}
		}
		for i, b := range panel.Batches(7) {
			b.Seq = int64(i + 1)
			if err := late.Add(sent(t, b)); err != nil {
				t.Fatal(err)
			}
		}
		got := r.Profile(scripts)
		if err := got.CheckValid(); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(lines(got), lines(want)) || !reflect.DeepEqual(got.Meta, want.Meta) {
			t.Fatalf("seed %d: the recording has\n%s\n%+v, not\n%s\n%+v", seed, strings.Join(lines(got), "\n"), got.Meta, strings.Join(lines(want), "\n"), want.Meta)
		}
		for name, of := range map[string]*Recording{"a panel": panel, "a late panel": late} {
			if got := of.Profile(nil); !slices.Equal(lines(own(got)), lines(own(want))) {
				t.Fatalf("seed %d: %s has\n%s\nnot\n%s", seed, name, strings.Join(lines(own(got)), "\n"), strings.Join(lines(own(want)), "\n"))
			}
		}
		whole := NewRecording(hello(true), nil)
		if err := whole.Add(sent(t, BatchOf(want))); err != nil {
			t.Fatal(err)
		}
		if got := whole.Profile(nil); !slices.Equal(lines(own(got)), lines(own(want))) {
			t.Fatalf("seed %d: BatchOf loses something", seed)
		}
	}
}

// own is a profile without the kinds of its samples: to panels, pseudo-functions say it.
func own(p *profile.Profile) *profile.Profile {
	q := *p
	q.Samples.Kind = make([]profile.Kind, p.Len())
	return &q
}

// A profile has the marks of its recording, also those whose times are at the limit.
func TestMarksOfProfile(t *testing.T) {
	r := NewRecording(hello(true), nil)
	b := &Batch{Type: TypeBatch, Profile: 1, Seq: 1, Began: &Began{Time: 1e12, Interval: 1}, Marks: []Mark{
		{Time: 240_000, Duration: 112_000, What: "interaction", Name: "click", Detail: "button#save"},
		{Time: 7, What: "mark", Name: "begun"},
		{Time: greatest, Duration: greatest, What: "note"},
	}}
	if err := r.Add(b); err != nil {
		t.Fatal(err)
	}
	p := r.Profile(scripts)
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	want := []profile.Mark{
		{What: profile.UserMark, Name: "begun", Time: 7 * time.Microsecond},
		{What: profile.Interaction, Name: "click", Detail: "button#save", Time: 240 * time.Millisecond, Duration: 112 * time.Millisecond},
		{What: profile.Note, Time: greatest * time.Microsecond, Duration: (longest - greatest) * time.Microsecond},
	}
	if !reflect.DeepEqual(p.Marks, want) {
		t.Errorf("%+v", p.Marks)
	}
}
