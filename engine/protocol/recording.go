package protocol

import (
	"errors"
	"fmt"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// Recording is a recording as the runtime captured it (RawRecording in
// runtime/src/recording/parts.ts): deployed positions, times in milliseconds.
type Recording struct {
	Version  int     `json:"version"`
	Clock    string  `json:"clock"` // shared or poll
	Interval float64 `json:"interval"`
	Seed     uint64  `json:"seed"`
	Started  float64 `json:"started"`
	Ended    float64 `json:"ended"`
	Origin   float64 `json:"origin"` // of times, since 1970
	Account  struct {
		Raised, Missed, Taken, Idle, Program, Lost int64
	} `json:"account"`
	Late    []float64 `json:"late"`
	Lost    []string  `json:"lost"`
	Strings []string  `json:"strings"`
	Frames  []int32   `json:"frames"` // url, name, line, column
	Stacks  []int32   `json:"stacks"` // parent, frame
	Samples struct {
		Time   []float64 `json:"time"`
		Stack  []int32   `json:"stack"`
		Weight []int32   `json:"weight"`
		Kind   []uint8   `json:"kind"`
		Skid   []float64 `json:"skid"`
	} `json:"samples"`
}

var errColumns = errors.New("its columns disagree")

// check validates everything that is used as an index.
func (r *Recording) check() error {
	if r.Version != 1 {
		return fmt.Errorf("its version is %d, not 1", r.Version)
	}
	s := &r.Samples
	n := len(s.Time)
	if len(s.Stack) != n || len(s.Weight) != n || len(s.Kind) != n || len(s.Skid) != n || len(r.Frames)%4 != 0 || len(r.Stacks)%2 != 0 {
		return errColumns
	}
	within := func(i int32, n int) bool { return i >= 0 && int(i) < n }
	for i := 0; i < len(r.Frames); i += 4 {
		if !within(r.Frames[i], len(r.Strings)) || !within(r.Frames[i+1], len(r.Strings)) {
			return errColumns
		}
	}
	for i := 0; i < len(r.Stacks); i += 2 {
		if parent := r.Stacks[i]; parent < -1 || int(parent) >= i/2 || !within(r.Stacks[i+1], len(r.Frames)/4) {
			return errColumns
		}
	}
	for i := range n {
		if s.Stack[i] < -1 || int(s.Stack[i]) >= len(r.Stacks)/2 || s.Weight[i] < 1 || int(s.Kind[i]) >= len(profile.RuntimeKinds) {
			return errColumns
		}
	}
	return nil
}

// Profile makes a profile of a recording of a script: stacks as captured, in original
// positions. The recording is nil if the program was stopped before it began. Frames
// whose URL is hidden are left out: those of the code that started the program.
func (r *Recording) Profile(s *instrumented.Script, hidden func(url string) bool) *profile.Profile {
	if r == nil {
		r = &Recording{Version: 1}
	}
	b := &profile.Builder{Meta: r.meta()}
	b.Meta.Coverage = instrumented.Coverage(s.Stats)
	frames := make([]profile.FrameID, len(r.Frames)/4)
	for i := range frames {
		frames[i] = b.Frame(b.Function(functionOf(r, r.Frames[4*i:])), max(r.Frames[4*i+2], 0), max(r.Frames[4*i+3], 0))
	}
	stacks := make([]profile.StackID, len(r.Stacks)/2)
	stack := func(i int32) profile.StackID {
		if i < 0 {
			return profile.NoStack
		}
		return stacks[i]
	}
	for i := range stacks {
		stacks[i] = stack(r.Stacks[2*i])
		if frame := r.Stacks[2*i+1]; hidden == nil || !hidden(r.Strings[r.Frames[4*frame]]) {
			stacks[i] = b.Stack(stacks[i], frames[frame])
		}
	}
	for i, time := range r.Samples.Time {
		sample := profile.Sample{
			Time: nanos(max(time-r.Started, 0)), Stack: stack(r.Samples.Stack[i]), Weight: r.Samples.Weight[i],
			Kind: profile.RuntimeKinds[r.Samples.Kind[i]], Skid: nanos(max(r.Samples.Skid[i], 0)),
		}
		switch sample.Kind {
		case profile.Entry, profile.Loop, profile.Exit:
			if sample.Stack == profile.NoStack { // it was lost, or hidden
				sample.Kind = profile.Program
			}
		default:
			sample.Stack = profile.NoStack
		}
		if name := sample.Kind.PseudoName(); name != "" {
			sample.Stack = b.Pseudo(profile.NoStack, name)
		}
		b.Sample(sample)
	}
	p := profile.Symbolize(b.Profile(), map[string]profile.Script{s.File(): s.Symbols()})
	return profile.Fold(p, s.Glue)
}

// functionOf is what an engine says about a frame. A name without a position is the
// engine's own code.
func functionOf(r *Recording, frame []int32) profile.Function {
	f := profile.Function{File: r.Strings[frame[0]], Name: r.Strings[frame[1]]}
	if frame[2] <= 0 && f.Name != "" {
		f.File, f.Flags = profile.NameNative, profile.NativeCode
	}
	return f
}

// meta is what the recording says about itself.
func (r *Recording) meta() profile.Meta {
	m := profile.Meta{
		Start:     time.UnixMicro(int64(1000 * (r.Origin + r.Started))).UTC(),
		Duration:  time.Duration(nanos(r.Ended - r.Started)),
		Interval:  time.Duration(nanos(r.Interval)),
		Seed:      r.Seed,
		Clock:     profile.ClockShared,
		IdleKnown: true,
		Late:      spread(r.Late),
		Notes:     profile.Notes(r.Lost),
	}
	if r.Clock == "poll" {
		m.Clock = profile.ClockPolled
	}
	var skids []float64
	var kept profile.Ticks
	for i, kind := range r.Samples.Kind {
		weight := int64(r.Samples.Weight[i])
		switch profile.RuntimeKinds[kind] {
		case profile.GC:
			kept.GC += weight
		case profile.Idle:
			kept.Idle += weight
		case profile.Program:
			kept.Taken += weight
		default:
			kept.Taken += weight
			skids = append(skids, r.Samples.Skid[i])
		}
	}
	m.Skid = spread(skids)
	kept.Raised, kept.Missed, kept.Lost = kept.Taken+kept.Idle+kept.GC+r.Account.Lost, r.Account.Missed, r.Account.Lost
	kept.Dropped = max(r.Account.Raised-kept.Raised, 0) // from a recording that was full
	m.Ticks = kept
	return m
}

// spread summarizes delays in milliseconds.
func spread(delays []float64) profile.Spread {
	exact := make([]time.Duration, len(delays))
	for i, ms := range delays {
		exact[i] = time.Duration(nanos(max(ms, 0)))
	}
	return profile.SpreadOf(exact)
}

func nanos(ms float64) int64 { return int64(ms * 1e6) }
