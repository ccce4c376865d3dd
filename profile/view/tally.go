package view

import "github.com/fieldprof/fieldprof/profile"

// side sums up the runs before, or after.
type side struct {
	tally
	p    *profile.Profile // all runs
	runs []*tally         // each of them, its functions by their ids in p
}

func oneRun(p *profile.Profile) *side {
	t := tallyOf(p)
	return &side{tally: *t, p: p, runs: []*tally{t}}
}

func sideOf(runs []*profile.Profile) (*side, error) {
	if len(runs) == 1 {
		return oneRun(runs[0]), nil
	}
	p, err := profile.Merge(runs...)
	if err != nil {
		return nil, err
	}
	s := &side{tally: *tallyOf(p), p: p}
	ids := map[profile.Function]profile.FunctionID{}
	for f := range p.Functions.Name {
		ids[identity(p, profile.FunctionID(f))] = profile.FunctionID(f)
	}
	s.recorded.Runs, s.recorded.Seconds = len(runs), 0
	for _, run := range runs {
		t := tallyOf(run)
		for _, c := range []*columns{&t.self, &t.total} {
			c.ticks, c.squares = renumbered(run, c.ticks, ids), renumbered(run, c.squares, ids)
		}
		s.runs = append(s.runs, t)
		s.recorded.Seconds += t.recorded.Seconds / float64(len(runs))
	}
	return s, nil
}

// identity is what makes a function the same in a merged profile.
func identity(p *profile.Profile, f profile.FunctionID) profile.Function {
	fn := p.Function(f)
	fn.Flags &= profile.Pseudo | profile.NativeCode | profile.TopLevel
	return fn
}

// renumbered is a column of a run, by the merged profile's functions.
func renumbered[N int64 | float64](run *profile.Profile, column []N, ids map[profile.Function]profile.FunctionID) []N {
	out := make([]N, len(ids))
	for f, v := range column {
		out[ids[identity(run, profile.FunctionID(f))]] += v
	}
	return out
}

// noiseOf measures how much runs of a side differ.
func noiseOf(before, after *side, sameWork bool) noise {
	var n noise
	var d dispersion
	for _, s := range []*side{before, after} {
		if len(s.runs) == 1 {
			continue
		}
		n.freedom += float64(len(s.runs) - 1)
		for _, f := range s.used {
			var counts []count
			for _, run := range s.runs {
				counts = append(counts, run.count(run.self, f))
			}
			d.add(counts, sameWork)
		}
	}
	n.deviation = d.deviation()
	return n
}

// tally is a profile's busy ticks by function.
type tally struct {
	recorded Recorded
	squares  float64
	used     []profile.FunctionID // that occur in busy samples
	self     columns
	total    columns
}

// columns are by function: sums of weights, and of their squares, which can be beyond an integer.
type columns struct {
	ticks   []int64
	squares []float64
}

func tallyOf(p *profile.Profile) *tally {
	t := &tally{recorded: Recorded{Runs: 1}}
	n := len(p.Stacks.Parent)
	onTop, squares := make([]int64, n), make([]float64, n)
	for i, s := range p.Samples.Stack {
		w := int64(p.Samples.Weight[i])
		t.recorded.Ticks += w
		if !p.IsBusy(s) {
			continue
		}
		if t.recorded.Samples++; p.Meta.Summed {
			t.recorded.Samples += int(w) - 1
		}
		t.recorded.Busy += w
		onTop[s] += w
		square := float64(w) * float64(w)
		if p.Meta.Summed {
			square = float64(w) // of w ones
		}
		t.squares += square
		squares[s] += square
	}
	below := sameBelow(p)
	t.self.ticks, t.total.ticks = sums(p, below, onTop)
	t.self.squares, t.total.squares = sums(p, below, squares)
	for f, ticks := range t.total.ticks {
		if ticks > 0 {
			t.used = append(t.used, profile.FunctionID(f))
		}
	}
	t.recorded.Seconds = float64(t.recorded.Busy) * float64(p.TickTime()) / 1e9
	return t
}

func (t *tally) columns(self bool) columns {
	if self {
		return t.self
	}
	return t.total
}

func (t *tally) count(c columns, f profile.FunctionID) count {
	out := count{all: float64(t.recorded.Busy), allSquares: t.squares, seconds: t.recorded.Seconds, runs: float64(t.recorded.Runs)}
	if f != none {
		out.ticks, out.squares = float64(c.ticks[f]), c.squares[f]
	}
	return out
}
