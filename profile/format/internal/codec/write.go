package codec

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Outgoing is what a writer knows of a profile before it starts.
type Outgoing struct {
	Interval time.Duration // between ticks
	Ticks    int64         // of all samples
	Start    int64         // microseconds since 1970, 0 if unknown
	Meta     []byte        // in JSON
	// Long: an entry of a format of single ticks is a sample, as long as its ticks,
	// because there would be too many entries otherwise.
	Long bool

	format string
}

// NoTime says that a format does not multiply ticks by the interval.
const NoTime time.Duration = -1

// Spelling says how often a format spells out the frames of a stack.
type Spelling uint8

const (
	Never      Spelling = iota // stacks share their callers
	Once                       // one list of frames per stack
	EachSample                 // one list of frames per sample
)

// Up to maxEntries ticks, each is an entry of its own; beyond, and if samples have
// many ticks, an entry is a sample.
const (
	maxEntries  = 1 << 20
	longSamples = 16 // ticks
)

// Prepare checks that a format can hold a profile. The interval of a profile without
// a clock is usual.
func Prepare(format string, p *profile.Profile, usual time.Duration, s Spelling) (o Outgoing, err error) {
	if err := p.CheckValid(); err != nil {
		return o, fmt.Errorf("%s: %w", format, err)
	}
	o = Outgoing{Interval: p.Meta.Interval, Ticks: p.Samples.Ticks(), format: format}
	if o.Interval == 0 {
		o.Interval = max(0, usual)
	}
	if usual != NoTime && o.Ticks > 0 && o.Interval > 0 && int64(o.Interval) > math.MaxInt64/o.Ticks {
		return o, fmt.Errorf("%s: %d ticks of %v are more time than the format holds", format, o.Ticks, o.Interval)
	}
	if s != Never && Frames(p, s) > MaxFrames {
		return o, fmt.Errorf("%s: the samples' stacks have more than %d frames in all, and the format writes them out", format, MaxFrames)
	}
	if o.Meta, err = json.Marshal(p.Meta); err != nil {
		return o, fmt.Errorf("%s: %w", format, err)
	}
	if !p.Meta.Start.IsZero() {
		o.Start = p.Meta.Start.UnixMicro()
	}
	o.Long = o.Ticks > maxEntries && o.Ticks > longSamples*int64(p.Len())
	return o, nil
}

// AtMost rejects a profile with too many ticks for a format of single ticks.
func (o *Outgoing) AtMost(ticks int64) error {
	if o.Ticks > ticks {
		return fmt.Errorf("%s: %d ticks: the format holds each as a sample, and %d are the limit", o.format, o.Ticks, ticks)
	}
	return nil
}

// Micros is when a tick begins, in whole microseconds from the start.
func (o *Outgoing) Micros(tick int64) int64 { return tick * int64(o.Interval) / 1000 }

// MaxFrames bounds the frames of a file that spells out its stacks. Such a file can be
// as large as the number of stacks times their depth, whatever the size of the profile.
const MaxFrames = 1 << 30

// Frames counts the frames that a format spells out.
func Frames(p *profile.Profile, s Spelling) (frames int64) {
	depths := make([]int64, len(p.Stacks.Parent))
	for s, parent := range p.Stacks.Parent { // parents come first
		if depths[s] = 1; parent != profile.NoStack {
			depths[s] += depths[parent]
		}
	}
	for _, stack := range p.Samples.Stack {
		if stack == profile.NoStack {
			continue
		}
		frames += depths[stack]
		if s == Once {
			depths[stack] = 0
		}
	}
	return frames
}

// LoneName is the function shown for a sample without a stack.
func LoneName(k profile.Kind) string {
	if name := k.PseudoName(); name != "" {
		return name
	}
	return profile.NameProgram
}

// Encode writes JSON, with <, > and & unescaped.
func Encode(format string, out io.Writer, v any) error {
	buffered := bufio.NewWriterSize(out, 1<<16)
	enc := json.NewEncoder(buffered)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	return buffered.Flush()
}

// Numbering numbers strings in the order in which they are first asked for.
type Numbering struct {
	Names []string
	ids   map[string]int32
}

// NewNumbering returns a Numbering that starts with these names.
func NewNumbering(names ...string) *Numbering {
	n := &Numbering{Names: []string{}, ids: make(map[string]int32)}
	for _, name := range names {
		n.Of(name)
	}
	return n
}

// Of is the number of a name.
func (n *Numbering) Of(name string) int32 {
	id, ok := n.ids[name]
	if !ok {
		id = int32(len(n.Names))
		n.ids[name] = id
		n.Names = append(n.Names, name)
	}
	return id
}
