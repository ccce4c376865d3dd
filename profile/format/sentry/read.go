package sentry

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// Thread is what a chunk has of one thread.
type Thread = codec.Thread

// Read reads the thread with the most time in functions.
func Read(r io.Reader) (*profile.Profile, error) {
	threads, err := ReadAll(r)
	return codec.Busiest(threads, err)
}

// ReadAll reads all threads, in the order in which they appear.
func ReadAll(r io.Reader) ([]Thread, error) {
	_, threads, err := read(r, 0)
	return threads, err
}

// Chunk is a profile chunk with its metadata.
type Chunk struct {
	ID, Profiler, Release, Environment string
	Profile                            *profile.Profile // of the thread with the most time in functions
}

// ReadChunk reads a chunk of at most so many frames, stacks, samples, and frames in stacks, each.
func ReadChunk(r io.Reader, most int64) (*Chunk, error) {
	c, threads, err := read(r, most)
	if err != nil {
		return nil, err
	}
	c.about.Profile, err = codec.Busiest(threads, nil)
	return &c.about, err
}

func read(r io.Reader, most int64) (*chunk, []Thread, error) {
	c := &chunk{names: make(map[string]string), most: most}
	in := jsonstream.NewReader(r)
	err := c.read(in)
	if err != nil {
		return nil, nil, fmt.Errorf("sentry: %w", err)
	}
	c.spelled = codec.RoomFor(in.Offset()).AtMost(most)
	threads, err := c.threads()
	if err != nil {
		return nil, nil, fmt.Errorf("sentry: %w", err)
	}
	return c, threads, nil
}

type chunk struct {
	version string
	frames  []profile.Function
	stacks  [][]int32 // top first
	samples []sample
	names   map[string]string // of threads
	own     *codec.Extension
	spelled codec.Room // of all threads

	debugIDs map[string]string
	about    Chunk
	most     int64 // 0: no bound
}

// room reports whether there may be n of something.
func (c *chunk) room(n int, of string) error {
	if c.most > 0 && int64(n) > c.most {
		return &codec.TooMany{What: of, Most: c.most}
	}
	return nil
}

type sample struct {
	stack  int64
	thread string
	at     float64 // seconds
}

func (c *chunk) read(in *jsonstream.Reader) error {
	return in.Members(jsonstream.Members{
		{"version", &c.version},
		{"chunk_id", &c.about.ID}, {"profiler_id", &c.about.Profiler}, {"release", &c.about.Release}, {"environment", &c.about.Environment},
		{"debug_meta", func() error { return c.readImages(in) }},
		{"profile", func() error { return c.tables(in) }},
		{"fieldprof", func() (err error) {
			c.own, err = codec.ReadExtension(in)
			return err
		}},
	})
}

func (c *chunk) tables(in *jsonstream.Reader) error {
	return in.Members(jsonstream.Members{
		{"frames", func() error { return in.Array(func(int) error { return c.frame(in) }) }},
		{"stacks", func() error { return in.Array(func(int) error { return c.readStack(in) }) }},
		{"samples", func() error {
			return in.Array(func(int) error {
				var s sample
				err := in.Members(jsonstream.Members{{"stack_id", &s.stack}, {"thread_id", &s.thread}, {"timestamp", &s.at}})
				c.samples = append(c.samples, s)
				return cmp.Or(err, c.room(len(c.samples), "samples"))
			})
		}},
		{"thread_metadata", func() error {
			return in.Object(func(id string) error {
				name := c.names[id]
				err := in.Members(jsonstream.Members{{"name", &name}})
				c.names[id] = name
				return err
			})
		}},
	})
}

func (c *chunk) readStack(in *jsonstream.Reader) error {
	var stack []int32
	err := in.Ints(func(v int64) error {
		if v < 0 || v > math.MaxInt32 {
			return in.Errorf("frame %d is out of range", v)
		}
		stack = append(stack, int32(v))
		return nil
	})
	c.stacks = append(c.stacks, stack)
	return cmp.Or(err, c.room(len(c.stacks), "stacks"))
}

func (c *chunk) frame(in *jsonstream.Reader) error {
	var name, path, file, module string
	var line, column float64
	err := in.Members(jsonstream.Members{{"function", &name}, {"abs_path", &path}, {"filename", &file}, {"module", &module}, {"lineno", &line}, {"colno", &column}})
	c.frames = append(c.frames, codec.Function(name, cmp.Or(path, file, module), codec.Position(line), codec.Position(column)))
	return cmp.Or(err, c.room(len(c.frames), "frames"))
}

// threads makes a profile of each thread.
func (c *chunk) threads() ([]Thread, error) {
	switch {
	case c.version != version:
		return nil, fmt.Errorf("version %.20q is not supported, only %q", c.version, version)
	case len(c.samples) == 0:
		return nil, errors.New(`"profile.samples" is missing or empty`)
	}
	byThread := make(map[string][]sample)
	var order []string
	for i, s := range c.samples {
		if s.stack < 0 || s.stack >= int64(len(c.stacks)) {
			return nil, fmt.Errorf("samples[%d]: stack %d of %d", i, s.stack, len(c.stacks))
		}
		if byThread[s.thread] == nil {
			order = append(order, s.thread)
		}
		byThread[s.thread] = append(byThread[s.thread], s)
	}
	var threads []Thread
	for _, id := range order {
		p, err := c.profile(byThread[id])
		if err != nil {
			return nil, fmt.Errorf("thread %.40q: %w", id, err)
		}
		threads = append(threads, Thread{Name: c.names[id], Profile: p})
	}
	return threads, nil
}

func (c *chunk) profile(samples []sample) (*profile.Profile, error) {
	slices.SortStableFunc(samples, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
	start := samples[0].at
	if !(start >= 0 && start < 1<<33) || samples[len(samples)-1].at-start > durations.Limit/1e9 {
		return nil, fmt.Errorf("timestamps from %v to %v", start, samples[len(samples)-1].at)
	}
	// Doubles hold seconds since 1970 to a quarter of a microsecond.
	at := func(i int) int64 { return int64(math.Round((samples[i].at-start)*1e6)) * 1e3 }
	last := len(samples) - 1
	duration := func(i int) int64 {
		if i < last {
			return at(i+1) - at(i)
		}
		return 0 // the one that closes
	}
	if c.own == nil {
		duration = sampled(last, duration)
	}
	var b profile.Builder
	count := durations.Counter{}
	switch {
	case c.own == nil:
		count.Tick = durations.Tick(last, duration)
		if count.Tick == 0 {
			count.Tick = duration(last)
		}
		b.Meta = profile.Meta{Start: time.UnixMicro(int64(start * 1e6)).UTC(), Duration: time.Duration(at(last)), Interval: time.Duration(count.Tick), Exact: true, DebugIDs: c.debugIDs}
	default:
		b.Meta = c.own.Meta
		if count.Tick = int64(c.own.Meta.Interval); count.Tick <= 0 {
			count.Tick = int64(time.Millisecond)
		}
	}
	if count.Tick > 0 && at(last)/count.Tick > codec.MaxTicks {
		return nil, fmt.Errorf("%d ticks are more than a profile holds", at(last)/count.Tick)
	}
	stacks := make(map[int64]profile.StackID)
	for i, s := range samples {
		stack, kind, err := c.stack(&b, stacks, s.stack)
		if err != nil {
			return nil, fmt.Errorf("stacks[%d]: %w", s.stack, err)
		}
		b.Add(profile.Sample{Time: at(i) + duration(i), Stack: stack, Kind: kind}, count.Count(duration(i)))
	}
	if c.own != nil {
		if err := codec.AddMarks(&b, c.own.Marks); err != nil {
			return nil, err
		}
	}
	p := b.Profile()
	return p, p.CheckValid()
}

// sampled is how long samples of an SDK last, given their gaps; the last one, as long as the others on
// average.
func sampled(last int, gap func(int) int64) func(int) int64 {
	gaps := durations.GapsOf(last, gap)
	if gaps.Mean == 0 {
		gaps.Mean = int64(10 * time.Millisecond) // the SDKs' interval
	}
	return func(i int) int64 {
		if i == last {
			return gaps.Mean
		}
		return gaps.Lasts(gap(i))
	}
}

// stack builds a stack, and says what a sample of it is.
func (c *chunk) stack(b *profile.Builder, made map[int64]profile.StackID, i int64) (profile.StackID, profile.Kind, error) {
	frames := c.stacks[i]
	if len(frames) == 0 {
		return b.Pseudo(profile.NoStack, profile.NameIdle), profile.Idle, nil
	}
	stack, ok := made[i]
	if !ok {
		if err := c.spelled.Take(len(frames)); err != nil {
			return 0, 0, err
		}
		stack = profile.NoStack
		for j := len(frames) - 1; j >= 0; j-- {
			if int(frames[j]) >= len(c.frames) {
				return 0, 0, fmt.Errorf("frame %d of %d", frames[j], len(c.frames))
			}
			stack = b.Stack(stack, b.Frame(b.Function(c.frames[frames[j]]), 0, 0))
		}
		made[i] = stack
	}
	return stack, codec.Kind(c.frames[frames[0]]), nil
}
