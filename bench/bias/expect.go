package bias

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// Guesses of a run's time apart from the program itself: for bundling, inserting
// checks, starting the engine and reading the recording.
var around = map[string]time.Duration{
	"goja": 600 * time.Millisecond, "node": time.Second, currentNode: time.Second,
	"chromium": 1500 * time.Millisecond, "firefox": 3500 * time.Millisecond, "webkit": 1500 * time.Millisecond,
}

// Guesses of how many times as long as clean a program takes, on average over the ways,
// with few ticks, and with clocks at every call.
const (
	slower     = 1.2
	fieldSlow  = 1.05
	clocksSlow = 8
)

// guess is a block's time as long as nothing was measured.
func (b *Block) guess() time.Duration { return b.guessRuns() + b.allowed() }

// guessRuns is the time of one run in every way.
func (b *Block) guessRuns() time.Duration {
	var each time.Duration
	for _, way := range b.Ways {
		times, lasts := slower, b.Lasts
		switch {
		case way.Use == Traced:
			times = clocksSlow
		case way.Lasts > 0:
			times, lasts = fieldSlow, way.Lasts
		}
		each += around[b.Engine] + time.Duration(times*float64(lasts))
	}
	return each
}

// guessCalibration is the same for the run before a program's first block: unscaled
// fixtures take one to two seconds.
func (b *Block) guessCalibration() time.Duration {
	return around[b.Engine] + 1500*time.Millisecond
}

// expect is a block's expected time: the guess, corrected by how far off guesses were
// for its program in this engine, or for all programs there.
func (c *Collector) expect(b Block) time.Duration {
	off, ok := c.off[costOf(b)]
	if !ok {
		off, ok = c.off[b.Engine]
	}
	if !ok {
		return b.guess()
	}
	return time.Duration(off.times() * float64(b.guess()))
}

// learn notes how long a block took.
func (c *Collector) learn(b Block, took time.Duration) {
	for _, key := range []string{costOf(b), b.Engine} {
		off := c.off[key]
		c.off[key] = guesses{off.taken + took, off.guessed + b.guess()}
	}
}

// guesses compares measured and guessed times.
type guesses struct{ taken, guessed time.Duration }

func (g guesses) times() float64 { return float64(g.taken) / float64(g.guessed) }

func costOf(b Block) string { return b.Engine + "/" + b.Program.Name }

// List lists what a plan would run, and when, by guess; it runs nothing.
func (p Plan) List() string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "begins\ttakes\tengine\tprogram\tround\truns\n")
	var at, all time.Duration
	late, calibrated := 0, map[string]bool{}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		takes := b.guess()
		if !calibrated[costOf(*b)] {
			calibrated[costOf(*b)] = true
			takes += b.guessCalibration()
		}
		all += takes
		begins := "no time for it"
		if at+takes > p.Budget {
			late++
		} else {
			begins = at.Round(time.Second).String()
			at += takes
		}
		fmt.Fprintf(table, "%s\t%v\t%s\t%s\t%d\t%s\n", begins, takes.Round(time.Second), b.Engine, b.Program.Name, b.Round, b.runs())
	}
	_ = table.Flush() // a Builder takes everything
	fmt.Fprintf(&text, "\n%d blocks, by guess %v; the budget is %v", len(p.Blocks), all.Round(time.Second), p.Budget)
	if late > 0 {
		fmt.Fprintf(&text, ", and has no time for %d of them", late)
	}
	text.WriteString(".\n")
	return text.String()
}

// runs describes a block's runs in a few words.
func (b *Block) runs() string {
	names := make([]string, len(b.Ways))
	for i, way := range b.Ways {
		names[i] = way.Name
	}
	list := strings.Join(names, ", ")
	if b.Clocked {
		return "with clocks: " + list
	}
	return list
}
