package jsscan

import (
	"bytes"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// A source is read in regions of whole top-level statements, so that several can
// be read at a time, and a source that is almost the same as the last one needs
// only the regions that changed.
//
// Where a top-level statement begins is only known once everything before it has
// been read. So divide guesses: each region begins at a line that looks like the
// start of one. The region before it then reports whether the guess was right:
//
//	function a() {
//	  …
//	}                 A.end
//	// about b        B.start, a guess
//	var b = 1;        B.first; A.next, the token at which A stopped
//
// If A.next is B.first, B was read as it would have been in one go, and the two
// meet. Otherwise A reads on, and B is dropped:
//
//	x = `             A began before
//	var b = 1;`       B.start: a wrong guess, it is text of a template
//	var c             C.first; A.next, after A read on
//
// A region depends on the text up to its reach, which is after next: as long as
// that text is the same, so is the region.

// region is a stretch of statements and what was found there.
type region struct {
	start int // after a line break, or 0
	first int // its first token
	end   int // of its last token
	next  int // the token that begins what follows
	reach int // the end of all that it depends on

	script Script // with offsets as they were when it was read, when start was from
	from   int
	goal   Goal // Auto: nothing in it decides
	strict bool // a directive of the top level makes it so
	offs   []int
	// doubtful: it would be something else in another goal, or it cannot be read.
	doubtful bool
	live     *scanner // which can read on, until the region is settled
}

const (
	// minDivided is the size of a source that is worth dividing.
	minDivided = 128 << 10
	// regionSize is the approximate size of a region.
	regionSize = 64 << 10
	// patience is how far past its limit a region may read while it is a guess.
	// Reading all that a wrong guess leads to would take too long.
	patience = 4 * regionSize
	// lookahead is more than a token reads past its end.
	lookahead = 8
)

// divide guesses where regions begin in a range of a text. One begins at from.
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

// openings are what top-level statements begin with in a bundle, where inner ones
// are indented.
var openings = [...]string{"var ", "function ", "const ", "let ", "class ", "// ", "async function "}

// nextOpening finds the next line that looks like a top-level statement, or
// returns -1.
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

// readOn continues a region up to another limit.
func (r *region) readOn(limit int) {
	s := r.live
	s.readTo(limit)
	r.end, r.next = s.prevEnd, s.start
	r.reach = max(s.end, s.looked) + lookahead
}

// meets reports whether another region begins where this one stopped, in the state
// it stopped in.
func (r *region) meets(next *region) bool {
	return r.next == next.first && r.end <= next.start && next.start <= r.next
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

// sideBySide calls do for 0 to n-1, on all processors.
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

// readRegions reads the regions that are not known, drops the wrong guesses, and
// returns the rest. It returns nil for a text that has to be read as a whole.
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
	settled := regions[:1]
	for i, next := range regions[1:] {
		last := settled[len(settled)-1]
		if last.meets(next) {
			if next.live != nil && next.live.gaveUp {
				next = newScanner(text).readRegion(goal, next.start, limit(i+1))
			}
			settled = append(settled, next)
			continue
		}
		if last.live == nil {
			last = newScanner(text).readRegion(goal, last.start, limit(i))
			settled[len(settled)-1] = last
		}
		last.live.giveUp = math.MaxInt
		last.readOn(limit(i + 1))
	}
	sideBySide(len(settled), func(i int) {
		if settled[i].live != nil {
			settled[i].settle(goal)
		}
	})
	for i, r := range settled {
		if r.doubtful || i > 0 && !settled[i-1].meets(r) {
			return nil
		}
	}
	return settled
}

// joined makes one script of all regions.
func joined(text []byte, regions []*region, asked Goal) *Script {
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
	c.Statements, c.Begun, c.Functions, c.Loops, c.mentions = 0, 0, make([]Function, 0, functions), nil, nil
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
	c.resolve(text)
	if len(offs) > 0 {
		c.turnOff(offs)
	}
	return &c
}

// add appends the functions and loops of another script, moved.
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
	for _, m := range other.mentions {
		c.mentions = append(c.mentions, m.moved(first, by))
	}
	first = len(c.Loops)
	c.Loops = append(c.Loops, other.Loops...)
	if by != 0 {
		moveFunctions(added, by)
		moveLoops(c.Loops[first:], by)
	}
}
