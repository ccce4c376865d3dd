package gecko

import (
	"fmt"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// link reads the stacks, given what the frames' categories mean. A stack names
// its caller's by index (prefix), or by how far before it that is (offset).
func (t *thread) link(path string, frame, prefix, offset column, categories []int32) error {
	for name, c := range map[string]*column{"frame": &frame, "prefix": &prefix, "prefixOffset": &offset} {
		if c.fault != nil {
			return fmt.Errorf("%s: %s: %w", path, name, c.fault)
		}
	}
	n := len(frame.values)
	t.stackFrame, t.stackUp = make([]int32, n), make([]int32, n)
	for i := range n {
		f, err := frame.index(i, len(t.frameFunc))
		if err != nil || f < 0 {
			return fmt.Errorf("%s[%d]: %v is not one of %d frames", path, i, frame.values[i], len(t.frameFunc))
		}
		up, err := prefix.index(i, n)
		if back := offset.at(i); offset.known && back != 0 {
			up = int32(i) - int32(math.Min(math.Max(back, -1), float64(i)+1))
			if !(back > 0) || up < 0 || back != math.Trunc(back) {
				err = fmt.Errorf("%v stacks before there is none", back)
			}
		}
		if err != nil {
			return fmt.Errorf("%s[%d]: the caller's stack: %w", path, i, err)
		}
		t.stackFrame[i], t.stackUp[i] = f, up
	}
	var cycle int32
	if t.order, cycle = codec.CallersFirst(t.stackUp); cycle >= 0 {
		return fmt.Errorf("%s[%d]: is its own caller", path, cycle)
	}
	t.category, t.scripts = make([]uint8, n), make([]uint8, n)
	for _, s := range t.order {
		f, up := t.stackFrame[s], t.stackUp[s]
		if fn := t.frameFunc[f]; t.isJS[fn] {
			t.scripts[s] = program
			if isBrowsers(t.functions[fn].File) {
				t.scripts[s] = browser
			}
		}
		if up >= 0 {
			t.scripts[s] = max(t.scripts[s], t.scripts[up])
		}
		if c := categories[f]; c >= 0 {
			t.category[s] = uint8(c)
		} else if up >= 0 {
			t.category[s] = t.category[up]
		}
	}
	return nil
}

// readSamples needs the stacks.
func (t *thread) readSamples(in *fileThread, raw bool) error {
	path := t.path + ".samples"
	var table sampleTable
	if raw {
		var data rows
		if err := unmarshal(in.Samples, path, &data); err != nil {
			return err
		}
		table.Stack, table.Time = data.column("stack"), data.column("time")
		if data.fault != nil {
			return fmt.Errorf("%s.%w", path, data.fault)
		}
	} else if err := unmarshal(in.Samples, path, &table); err != nil {
		return err
	}
	s := &t.samples
	n := len(table.Stack.values)
	times, delta := table.Time, false
	if !times.known && table.TimeDeltas.known {
		times, delta = table.TimeDeltas, true
	}
	for name, c := range map[string]*column{"stack": &table.Stack, "time": &times, "weight": &table.Weight} {
		if c.fault != nil {
			return fmt.Errorf("%s.%s: %w", path, name, c.fault)
		}
		if c.known && len(c.values) != n {
			return fmt.Errorf("%s.%s: %d entries for %d stacks", path, name, len(c.values), n)
		}
	}
	s.stack, s.time, s.weights, s.weightType = make([]int32, n), make([]float64, n), table.Weight.values, table.WeightType
	now := 0.0
	for i := range n {
		var err error
		if s.stack[i], err = table.Stack.index(i, len(t.stackFrame)); err != nil {
			return fmt.Errorf("%s.stack[%d]: %w stacks", path, i, err)
		}
		switch v := times.at(i); {
		case !times.known:
			now = float64(i)
		case delta:
			now += v
		default:
			now = v
		}
		if !(math.Abs(now) < 1e12) {
			return fmt.Errorf("%s.time[%d]: %v is not a time", path, i, now)
		}
		s.time[i] = now
		if s.stack[i] >= 0 {
			t.running[t.scripts[s.stack[i]]]++
		}
	}
	return nil
}

// stacks builds those that samples need, of the functions given.
func (t *thread) stacks(b *profile.Builder, functions []profile.Function) []profile.StackID {
	needed := make([]bool, len(t.stackUp))
	for _, s := range t.samples.stack {
		for ; s >= 0 && !needed[s]; s = t.stackUp[s] {
			needed[s] = true
		}
	}
	built := make([]profile.StackID, len(t.stackUp))
	ids := slices.Repeat([]profile.FunctionID{-1}, len(functions))
	for _, s := range t.order {
		if !needed[s] {
			continue
		}
		caller := codec.StackAt(built, t.stackUp[s])
		frame := t.stackFrame[s]
		f := t.frameFunc[frame]
		if g := &functions[f]; g.Name == profile.NameRoot && g.Flags&profile.Pseudo != 0 && caller == profile.NoStack {
			built[s] = profile.NoStack
			continue
		}
		if ids[f] < 0 {
			ids[f] = b.Function(functions[f])
		}
		built[s] = b.Stack(caller, b.Frame(ids[f], t.frameLine[frame], t.frameCol[frame]))
	}
	return built
}
