package gecko

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
	"github.com/fieldprof/fieldprof/profile/format/internal/gzipped"
)

// MaxBytes bounds what Read takes, unzipped.
const MaxBytes = 1 << 31

// Read reads a profile in either form, gzipped or not.
func Read(r io.Reader) (*profile.Profile, error) {
	p, err := read(r)
	return codec.Checked("gecko", p, err)
}

func read(r io.Reader) (*profile.Profile, error) {
	plain, err := gzipped.Plain(r)
	if err != nil {
		return nil, err
	}
	var f file
	if err := codec.Decode(plain, MaxBytes, &f); err != nil {
		return nil, err
	}
	return f.profile()
}

func (f *file) profile() (*profile.Profile, error) {
	if err := f.Meta.check(); err != nil {
		return nil, err
	}
	if e := f.Fieldprof; e != nil {
		if len(f.Threads) == 0 {
			return nil, errors.New("threads: none")
		}
		t, err := f.thread(0, "threads[0]", nil)
		if err != nil {
			return nil, err
		}
		return e.profile(t)
	}
	t, err := f.busiest()
	if err != nil {
		return nil, err
	}
	return t.profile(f)
}

func (m *fileMeta) check() error {
	switch {
	case m.Version == nil && m.Processed == nil:
		return errors.New("meta.version is missing: not a profile of Gecko or the Firefox Profiler")
	case m.Processed != nil && *m.Processed > versionProcessed:
		return fmt.Errorf("meta.preprocessedProfileVersion: %v is newer than %d, the last that is known", *m.Processed, versionProcessed)
	case m.Processed == nil && *m.Version > versionRaw:
		return fmt.Errorf("meta.version: %v is newer than %d, the last that is known", *m.Version, versionRaw)
	case m.Processed == nil && *m.Version < versionFirst:
		return fmt.Errorf("meta.version: %v is older than %d, the first that is known", *m.Version, versionFirst)
	case m.Interval != nil && !(*m.Interval >= 0 && *m.Interval < 1e9):
		return fmt.Errorf("meta.interval: %v is not a duration", *m.Interval)
	case !(math.Abs(m.StartTime) < maxStart):
		return fmt.Errorf("meta.startTime: %v is not a time", m.StartTime)
	}
	return nil
}

// maxStart is the end of the year 9999, in milliseconds since 1970: no format has later dates.
const maxStart = 253402300800000

// interval is the nominal one.
func (m *fileMeta) interval() time.Duration {
	if m.Interval == nil {
		return 0
	}
	return time.Duration(math.Round(*m.Interval * 1e6))
}

// busiest is the thread with the most samples of a program's scripts; without
// any, the one with the most of the browser's own; then the one with the most of all.
func (f *file) busiest() (*thread, error) {
	var best *thread
	err := f.eachThread("", func(t *thread) {
		if best == nil || t.busierThan(best) {
			best = t
		}
	})
	if err == nil && best == nil {
		err = errors.New("threads: none")
	}
	return best, err
}

func (t *thread) busierThan(other *thread) bool {
	return cmp.Or(cmp.Compare(t.running[program], other.running[program]), cmp.Compare(t.running[browser], other.running[browser]),
		cmp.Compare(len(t.samples.stack), len(other.samples.stack))) > 0
}

// eachThread visits the threads of the process, then those of its subprocesses.
func (f *file) eachThread(path string, see func(*thread)) error {
	var shared *linked
	for i := range f.Threads {
		t, err := f.thread(i, fmt.Sprintf("%sthreads[%d]", path, i), shared)
		if err != nil {
			return err
		}
		if t.shared {
			shared = &t.linked
		}
		see(t)
	}
	for i := range f.Processes {
		path := fmt.Sprintf("%sprocesses[%d].", path, i)
		p := &f.Processes[i]
		if p.Meta.Categories == nil {
			p.Meta.Categories = f.Meta.Categories
		}
		if !(math.Abs(p.Meta.StartTime) < maxStart) {
			return fmt.Errorf("%smeta.startTime: %v is not a time", path, p.Meta.StartTime)
		}
		if err := p.eachThread(path, see); err != nil {
			return err
		}
	}
	return nil
}

// profile returns the profile of the thread of a file that others wrote.
func (t *thread) profile(f *file) (*profile.Profile, error) {
	var b profile.Builder
	b.Meta.Interval = f.Meta.interval()
	if t.start > 0 {
		b.Meta.Start = time.UnixMicro(int64(t.start * 1e3)).UTC()
	}
	if f.Meta.Product == "Firefox" || f.Meta.Product == "" && f.Meta.Processed == nil {
		b.Meta.Engine = "firefox"
	} else {
		b.Meta.Program = f.Meta.Product
	}
	stacks := t.stacks(&b, t.functions)
	weights, err := t.weights(&b.Meta)
	if err != nil {
		return nil, err
	}
	markers, err := t.stretches(f.Meta.Processed == nil)
	if err != nil {
		return nil, err
	}
	t.addMarks(&b, markers)
	engine := t.engineAt(markers)
	for i, s := range t.samples.stack {
		if weights[i] == 0 {
			continue
		}
		sample := profile.Sample{Time: t.until(i, weights[i], b.Meta.Interval), Stack: profile.NoStack, Kind: profile.Idle}
		if s >= 0 {
			sample.Stack, sample.Kind = stacks[s], t.kind(s, stacks[s])
		}
		if sample.Kind != profile.Idle {
			sample.Marker = engine[i]
		}
		if sample.Kind == profile.Idle || sample.Stack == profile.NoStack {
			sample.Stack = b.Pseudo(profile.NoStack, sample.Kind.PseudoName())
		}
		b.Add(sample, weights[i])
	}
	n := len(t.samples.time)
	if n == 0 {
		return b.Profile(), nil
	}
	p := b.Profile()
	start, end := time.Duration(nanoseconds(slices.Min(t.samples.time))), time.Duration(0) // they need not be in order
	if t.samples.weightType != lasting {
		start -= b.Meta.Interval
	}
	if p.Len() > 0 {
		end = time.Duration(p.Samples.Time[p.Len()-1])
	}
	p.Meta.Duration = max(0, end-max(0, start))
	return t.fromFirst(p, start), nil
}

// fromFirst begins a profile with its first sample, or with a mark before that. Times in the file count from the start of
// the browser, which may have run for hours, and so may a mark since a page was loaded: it is cut to the recording or,
// if the file does not say when that began, to the first sample.
func (t *thread) fromFirst(p *profile.Profile, first time.Duration) *profile.Profile {
	start := first
	for i := range p.Marks {
		switch m := &p.Marks[i]; {
		case t.began != nil:
			start = min(start, max(m.Time, codec.Nanos(*t.began)))
		case m.End() <= first:
			start = min(start, m.Time)
		}
	}
	if start <= 0 {
		return p
	}
	duration := p.Meta.Duration
	p = profile.Between(p, start, p.Extent())
	p.Meta.Duration = duration
	return p
}

// until is the time at which a sample ends: a sampler's at its own time, and one with a duration that much later.
func (t *thread) until(i int, weight int64, tick time.Duration) int64 {
	at := nanoseconds(t.samples.time[i])
	if t.samples.weightType == lasting {
		at += weight * int64(tick)
	}
	return at
}

func nanoseconds(ms float64) int64 { return max(0, int64(math.Round(ms*1e6))) }

// kind returns the kind of a sample on a stack.
func (t *thread) kind(s int32, built profile.StackID) profile.Kind {
	f := t.functions[t.frameFunc[t.stackFrame[s]]]
	switch c := t.category[s]; {
	case f.Flags&profile.Pseudo != 0 && built != profile.NoStack:
		return profile.KindOfPseudo(f.Name)
	case c == categoryIdle:
		return profile.Idle
	case c == categoryGC:
		return profile.GC
	case built == profile.NoStack: // nothing but (root)
		return profile.Program
	}
	return profile.Own
}

// weights are the ticks of each sample. Weights that are lengths of time may
// change the interval.
func (t *thread) weights(m *profile.Meta) ([]int64, error) {
	s := &t.samples
	weights := make([]int64, len(s.stack))
	total := 0.0
	for i := range weights {
		w := 1.0
		if s.weights != nil {
			w = s.weights[i]
		}
		if !(w >= 0 && w < math.MaxInt32) {
			return nil, fmt.Errorf("%s.samples.weight[%d]: %v: a profile of time has no such weights", t.path, i, w)
		}
		if total += w; total > 1<<50 {
			return nil, fmt.Errorf("%s.samples.weight[%d]: the weights add up to %v, more than a profile holds", t.path, i, total)
		}
		weights[i] = int64(math.Round(w))
	}
	switch s.weightType {
	case "", "samples":
		return weights, nil
	case lasting:
	default:
		return nil, fmt.Errorf("%s.samples.weightType: %.20q: only samples and tracing-ms are of time", t.path, s.weightType)
	}
	if total*1e6 >= durations.Limit {
		return nil, fmt.Errorf("%s.samples.weight: %v ms are more than a profile holds", t.path, total)
	}
	lasted := func(i int) int64 {
		if s.weights == nil {
			return int64(time.Millisecond)
		}
		return int64(math.Round(s.weights[i] * 1e6))
	}
	counter := durations.Counter{Tick: durations.Tick(len(weights), lasted)}
	if counter.Tick > 0 && total*1e6/float64(counter.Tick) > codec.MaxTicks {
		return nil, fmt.Errorf("%s.samples.weight: %v ms are more ticks of %v than a profile holds", t.path, total, time.Duration(counter.Tick))
	}
	for i := range weights {
		weights[i] = counter.Count(lasted(i))
	}
	m.Interval, m.Exact = time.Duration(counter.Tick), true
	return weights, nil
}

// lasting is the type of weights that are milliseconds.
const lasting = "tracing-ms"

// isIdle reports what the Firefox Profiler takes for idle.
func isIdle(c categories) bool {
	return c.Name == "Idle" || strings.EqualFold(c.Color, "transparent")
}
