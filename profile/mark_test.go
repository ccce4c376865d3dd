package profile

import (
	"reflect"
	"testing"
	"time"
)

const ms = time.Millisecond

// marked has samples with markers, out of order, and marks.
func marked() *Profile {
	var b Builder
	b.Meta = Meta{Interval: 10 * ms, Duration: 100 * ms}
	f := b.Stack(NoStack, b.Frame(b.Function(Function{Name: "f", Flags: Checked}), 0, 0))
	for i, marker := range []Marker{NoMarker, MarkerStyle, NoMarker, MarkerGC} {
		b.Sample(Sample{Time: int64(time.Duration(40-10*i) * ms), Stack: f, Weight: 1, Kind: Loop, Marker: marker})
	}
	b.Mark(Mark{What: Interaction, Name: "click", Time: 20 * ms, Duration: 30 * ms, Processing: 10 * ms})
	b.Mark(Mark{What: UserMark, Name: "begun", Time: 5 * ms})
	return b.Profile()
}

func marksOf(p *Profile) (names []string, times []time.Duration) {
	for _, m := range p.Marks {
		names, times = append(names, m.Name), append(times, m.Time, m.End())
	}
	return names, times
}

// Marks and markers go through every operation on a profile.
func TestMarksStay(t *testing.T) {
	p := marked()
	later := marked()
	later.Meta.Start = time.Unix(1, 0)
	p.Meta.Start = time.Unix(0, 0)
	merged, err := Merge(later, p)
	if err != nil {
		t.Fatal(err)
	}
	if names, times := marksOf(merged); !reflect.DeepEqual(names, []string{"begun", "click", "begun", "click"}) || times[5] != 1005*ms {
		t.Errorf("merged: %v at %v", names, times)
	}
	for name, q := range map[string]*Profile{
		"as built":   p,
		"attributed": Attribute(p, BySite),
		"symbolized": Symbolize(p, nil),
		"folded":     Fold(p, func(Function) bool { return false }),
		"focused":    Focus(p, func(Function) bool { return true }),
		"whole":      Between(p, 0, p.Extent()),
	} {
		if err := q.CheckValid(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(q.Marks, p.Marks) || q.Sample(0).Marker != MarkerGC || q.Sample(2).Marker != MarkerStyle || q.Sample(3).Marker != NoMarker {
			t.Errorf("%s: %v, markers %v", name, q.Marks, q.Samples.Marker)
		}
	}
}

func TestMarksBetween(t *testing.T) {
	p := marked()
	for _, c := range []struct {
		from, to time.Duration
		want     []time.Duration
	}{
		{0, 5 * ms, nil},
		{5 * ms, 6 * ms, []time.Duration{0, 0}},
		{0, 30 * ms, []time.Duration{5 * ms, 5 * ms, 20 * ms, 30 * ms}},
		{30 * ms, 100 * ms, []time.Duration{0, 20 * ms}},
		{50 * ms, 100 * ms, nil},
	} {
		part := Between(p, c.from, c.to)
		if _, times := marksOf(part); !reflect.DeepEqual(times, c.want) || part.CheckValid() != nil {
			t.Errorf("from %v to %v: %v, want %v", c.from, c.to, times, c.want)
		}
	}
}

// A mark may end after the last sample and the recording; its part has all of it.
func TestMarksBeyondTheEnd(t *testing.T) {
	var b Builder
	b.Sample(Sample{Time: int64(10 * ms), Stack: NoStack, Weight: 1, Kind: Idle})
	b.Mark(Mark{What: Interaction, Time: 5 * ms, Duration: 30 * ms})
	p := b.Profile()
	if got := p.Extent(); got != 35*ms {
		t.Errorf("it lasts %v", got)
	}
	b.Mark(Mark{What: UserMark, Time: 40 * ms})
	if names, _ := marksOf(Between(b.Profile(), 0, b.Profile().Extent())); len(names) != 2 {
		t.Errorf("%d marks", len(names))
	}
	if _, times := marksOf(Between(p, 5*ms, 35*ms)); !reflect.DeepEqual(times, []time.Duration{0, 30 * ms}) {
		t.Errorf("%v", times)
	}
}

func TestMarkers(t *testing.T) {
	for m := range Marker(len(markerNames)) {
		if got := ParseMarker(m.String()); got != m {
			t.Errorf("%q is read as %q", m, got)
		}
	}
	if ParseMarker("gpu") != MarkerOther {
		t.Error("an unknown marker is not other")
	}
}

func TestInvalidMarks(t *testing.T) {
	for what, change := range map[string]func(*Profile){
		"order":    func(p *Profile) { p.Marks[0], p.Marks[1] = p.Marks[1], p.Marks[0] },
		"negative": func(p *Profile) { p.Marks[0].Time = -1 },
		"overflow": func(p *Profile) { p.Marks[1].Duration = 1<<63 - 1 },
		"part":     func(p *Profile) { p.Marks[1].InputDelay = -1 },
		"column":   func(p *Profile) { p.Samples.Marker = p.Samples.Marker[1:] },
		"marker":   func(p *Profile) { p.Samples.Marker[0] = 99 },
	} {
		p := marked()
		if change(p); p.CheckValid() == nil {
			t.Errorf("%s: it is valid", what)
		}
	}
}
