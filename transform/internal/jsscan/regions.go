package jsscan

import (
	"bytes"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// A source is read in regions, of whole statements of the top level: so several
// are read at a time, and the next source, if it is almost the same, needs only
// those that changed.
//
// Nobody knows where a statement of the top level begins before all in front of
// it is read. A region begins where one may well begin, and when all are read,
// the one before it says whether one does: if it stopped at the very token at
// which this one began, this one was read as it would have been. Otherwise it
// goes on reading, and this one was in vain.

// region is a stretch of statements and what was found there.
type region struct {
	start  int // behind a line break, or 0
	first  int // its first token
	behind int // behind its last token
	stop   int // the token that begins what is behind
	looked int // behind all that it depends on

	script Script // as it was read, from
	from   int
	goal   Goal // Auto: nothing there says it
	strict bool // a directive of the top level says so
	offs   []int
	// doubtful: in another goal it would be something else, or it cannot be read.
	doubtful bool
	live     *scanner // which can go on, until the region is settled
}

const (
	// minDivided is the size of a source that is worth dividing.
	minDivided = 128 << 10
	// regionSize is about the size of a region.
	regionSize = 64 << 10
	// patience is how far behind its limit a region may read before it is known to
	// be one. Reading all that a wrong guess leads to would take too long.
	patience = 4 * regionSize
	// lookahead is more than a token reads behind itself.
	lookahead = 8
)

// divide finds where regions may begin in a range of a text that itself begins
// where one does.
func divide(text []byte, from, to int) []int {
	starts := []int{from}
	for at := from + regionSize; at < to-regionSize/2; at += regionSize {
		n := nextOpening(text[at:to])
		if n < 0 {
			break
		}
		at += n
		starts = append(starts, at)
	}
	return starts
}

// openings are what statements of the top level begin with in a bundle, where
// those inside of others are indented.
var openings = [...]string{"var ", "function ", "const ", "let ", "class ", "// ", "async function "}

// nextOpening finds the next line that looks like a statement of the top level, or
// -1.
func nextOpening(text []byte) int {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return -1
		}
		at += n + 1
		for _, opening := range openings {
			if bytes.HasPrefix(text[at:], []byte(opening)) {
				return at
			}
		}
	}
}

// readRegion reads from a start up to a limit.
func (s *scanner) readRegion(goal Goal, start, limit int) *region {
	s.goal = goal
	r := &region{start: start, from: start, live: s}
	if start == 0 {
		s.head(limit)
	} else {
		s.reset(start, limit)
		s.begin(start)
		r.first = s.start
	}
	r.readOn(limit)
	return r
}

// readOn lets a region go on up to another limit.
func (r *region) readOn(limit int) {
	s := r.live
	s.readTo(limit)
	r.behind, r.stop = s.prevEnd, s.start
	r.looked = max(s.end, s.looked) + lookahead
}

// meets tells whether another region begins where this one stopped, in the state
// it stopped in.
func (r *region) meets(next *region) bool {
	return r.stop == next.first && r.behind <= next.start && next.start <= r.stop
}

// settle completes a region whose end is known.
func (r *region) settle(asked Goal) {
	s := r.live
	r.live = nil
	r.goal, r.strict, r.offs = s.goal, s.f.strict, s.offs
	r.doubtful = s.err != nil || s.restart || s.ambiguous || s.htmlComment || asked == Auto && s.goal == AsFunctionBody
	if !r.doubtful {
		s.finish()
		r.script = s.script
	}
}

// sideBySide calls do for 0 to n-1, on as many processors as there are.
func sideBySide(n int, do func(i int)) {
	var next atomic.Int32
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// readRegions reads those regions that are not known, and gives all that there
// really are. It is nil for a text that is to be read as a whole.
func readRegions(text []byte, goal Goal, starts []int, known []*region) []*region {
	limit := func(i int) int {
		if i+1 < len(starts) {
			return starts[i+1]
		}
		return len(text) - 1
	}
	regions := make([]*region, len(starts))
	scanners := make([]*scanner, len(starts))
	for i := range starts {
		if regions[i] = known[i]; regions[i] == nil {
			scanners[i] = newScanner(text) // not side by side: it writes the NUL again
		}
	}
	sideBySide(len(starts), func(i int) {
		if regions[i] == nil {
			if starts[i] > 0 {
				scanners[i].giveUp = limit(i) + patience
			}
			regions[i] = scanners[i].readRegion(goal, starts[i], limit(i))
		}
	})
	there := regions[:1]
	for i, next := range regions[1:] {
		last := there[len(there)-1]
		if last.meets(next) {
			if next.live != nil && next.live.gaveUp {
				next = newScanner(text).readRegion(goal, next.start, limit(i+1))
			}
			there = append(there, next)
			continue
		}
		if last.live == nil {
			last = newScanner(text).readRegion(goal, last.start, limit(i))
			there[len(there)-1] = last
		}
		last.live.giveUp = math.MaxInt
		last.readOn(limit(i + 1))
	}
	sideBySide(len(there), func(i int) {
		if there[i].live != nil {
			there[i].settle(goal)
		}
	})
	for i, r := range there {
		if r.doubtful || i > 0 && !there[i-1].meets(r) {
			return nil
		}
	}
	return there
}

// joined is the script of all regions.
func joined(regions []*region, asked Goal) *Script {
	c := regions[0].script
	c.Goal, c.Strict = asked, regions[0].strict
	functions, loops := 0, 0
	for _, r := range regions {
		functions += len(r.script.Functions)
		loops += len(r.script.Loops)
		if r.goal == AsModule {
			c.Goal, c.Strict = AsModule, true
		}
	}
	if c.Goal == Auto {
		c.Goal = AsScript
	}
	c.Statements, c.Begun, c.Functions, c.Loops = 0, 0, make([]Function, 0, functions), nil
	var offs []int
	for _, r := range regions {
		c.Statements += r.script.Statements
		c.Begun += r.script.Begun
		c.HasWith = c.HasWith || r.script.HasWith
		c.UsesEval = c.UsesEval || r.script.UsesEval
		c.OffFile = c.OffFile || r.script.OffFile
		c.add(&r.script, r.start-r.from)
		for _, off := range r.offs {
			if len(offs) == 0 || off > offs[len(offs)-1] { // else both regions saw it
				offs = append(offs, off)
			}
		}
	}
	if len(offs) > 0 {
		c.turnOff(offs)
	}
	return &c
}

// add puts the functions and loops of another script behind those of this one,
// moved.
func (c *Script) add(other *Script, by int) {
	first := len(c.Functions)
	c.Functions = append(c.Functions, other.Functions...)
	added := c.Functions[first:]
	for i := range added {
		f := &added[i]
		f.Strict = f.Strict || c.Strict
		if f.Parent >= 0 {
			f.Parent += first
		}
	}
	first = len(c.Loops)
	c.Loops = append(c.Loops, other.Loops...)
	if by != 0 {
		moveFunctions(added, by)
		moveLoops(c.Loops[first:], by)
	}
}
