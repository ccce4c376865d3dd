package profile

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// random makes a valid profile of a few functions.
func random(r *rand.Rand, samples int) *Profile {
	var b Builder
	b.Meta = Meta{Start: time.Unix(1e9, 0), Duration: time.Duration(samples) * time.Millisecond, Interval: time.Millisecond, Ticks: Ticks{Raised: 1}}
	for range samples {
		stack := NoStack
		for range r.IntN(6) {
			stack = b.Stack(stack, b.Frame(b.Function(Function{Name: string(rune('a' + r.IntN(5)))}), r.Int32N(3), 0))
		}
		b.Sample(Sample{Time: r.Int64N(int64(samples)) * 1e6, Stack: stack, Weight: 1 + r.Int32N(3)})
	}
	return b.Profile()
}

func TestLead(t *testing.T) {
	for _, c := range []struct {
		sample, mark time.Duration // none below 0
		want         time.Duration
	}{{-1, -1, 0}, {time.Hour, -1, time.Hour - 20*ms}, {5 * ms, -1, 0}, {-1, time.Minute, time.Minute}, {time.Hour, time.Minute, time.Minute}, {time.Minute, time.Hour, time.Minute - 20*ms}} {
		b := Builder{Meta: Meta{Interval: 10 * ms}}
		if c.sample >= 0 {
			b.Sample(Sample{Time: int64(c.sample), Stack: NoStack, Kind: Idle, Weight: 2})
			b.Sample(Sample{Time: int64(c.sample), Stack: NoStack, Kind: Idle, Weight: 1})
		}
		if c.mark >= 0 {
			b.Mark(Mark{Time: c.mark})
		}
		must.Equal(t, b.Profile().Lead(), c.want, c)
	}
}

// Parts of a profile keep their distance when they are merged, whether it is known when it began or not.
func TestMergedParts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, start := range []time.Time{{}, time.Unix(1e9, 0)} {
		p := random(r, 40)
		p.Meta.Start = start
		whole := must.Get(Merge(Between(p, 5*ms, 12*ms), Between(p, 30*ms, 40*ms)))(t)
		must.Equal(t, whole.Meta.Duration, 17*ms, "none was recorded between them")
		var want []int64
		for _, at := range p.Samples.Time {
			if at := time.Duration(at); at >= 5*ms && at < 12*ms || at >= 30*ms {
				want = append(want, int64(at-5*ms))
			}
		}
		must.Equal(t, whole.Samples.Time, want)
		again := must.Get(Merge(Between(p, 0, 5*ms), whole))(t)
		must.Equal(t, again.Meta.Duration, 22*ms)
		must.Equal(t, again.Samples.Time[again.Len()-1], p.Samples.Time[p.Len()-1])
	}
}

func TestRangesPartitionTheSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		p := random(r, r.IntN(40))
		cut := time.Duration(r.Int64N(int64(p.Extent()) + 2))
		first, second := Between(p, 0, cut), Between(p, cut, p.Extent())
		var got, want []Sample
		for i, part := range []*Profile{first, second} {
			must.Do(t, part.CheckValid())
			for j := range part.Len() {
				s := part.Sample(j)
				if i == 1 {
					s.Time += int64(cut)
				}
				got = append(got, s)
			}
		}
		for i := range p.Len() {
			want = append(want, p.Sample(i))
		}
		must.Equal(t, got, want)
		if first.Meta.Duration+second.Meta.Duration != p.Extent() && cut <= p.Extent() {
			t.Fatalf("%v + %v, want %v", first.Meta.Duration, second.Meta.Duration, p.Extent())
		}
	}
}

func TestBetween(t *testing.T) {
	var b Builder
	b.Meta = Meta{Start: time.Unix(100, 0), Duration: 10 * time.Second, Ticks: Ticks{Raised: 3}}
	for i := range 3 {
		b.Sample(Sample{Time: int64(i) * int64(time.Second), Stack: NoStack, Weight: 1})
	}
	p := Between(b.Profile(), time.Second, time.Hour)
	if p.Len() != 2 || p.Samples.Time[0] != 0 || p.Meta.Start != time.Unix(101, 0) || p.Meta.Duration != 9*time.Second {
		t.Errorf("%+v", p)
	}
	if p.Meta.Ticks != (Ticks{}) || b.Meta.Ticks.Raised != 3 {
		t.Error("the part has the account of the whole")
	}
	for _, c := range [][2]time.Duration{{5, 2}, {time.Hour, 2 * time.Hour}, {-5, 0}} {
		if got := Between(b.Profile(), c[0], c[1]); got.Len() != 0 || got.Meta.Duration < 0 {
			t.Errorf("%v: %+v", c, got)
		}
	}
}

func TestFocus(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		p := random(r, 30)
		part := Focus(p, func(f Function) bool { return f.Name == "b" })
		must.Do(t, part.CheckValid())
		want := 0
		for _, s := range p.Samples.Stack {
			for ; s != NoStack; s = p.Stacks.Parent[s] {
				if p.Function(p.Frames.Function[p.Stacks.Frame[s]]).Name == "b" {
					want++
					break
				}
			}
		}
		must.Equal(t, part.Len(), want)
	}
}

func ExampleBetween() {
	var b Builder
	b.Meta.Duration = 10 * time.Second
	for second := range 10 {
		b.Sample(Sample{Time: int64(second) * int64(time.Second), Stack: NoStack, Weight: 1})
	}
	p := b.Profile()
	fmt.Println(Between(p, 2*time.Second, 5*time.Second).Len(), Between(p, 5*time.Second, p.Extent()).Len())
	// Output: 3 5
}
