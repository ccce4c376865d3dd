package jsscan

import (
	"bytes"
	"runtime"
	"slices"
)

// Memory remembers a source and its regions, so that Scan does not read again what
// the next source has in common with it at its beginning and at its end:
//
//	last  |  A  |  B  |    C    |  D  |  E  |
//	      |==== head ====|x|==== tail ======|
//	next  |  A  |  B  |   new    |  D  |  E  |
//	                              moved by the difference in length
//
// The zero Memory is empty. It serves one Scan at a time.
type Memory struct {
	src     []byte
	goal    Goal // as asked
	regions []*region
}

// scan reads a source, of which text is a copy with a NUL, in regions. It returns
// nil for one that has to be read as a whole.
func (m *Memory) scan(src, text []byte, goal Goal) *Script {
	if m == nil {
		if runtime.GOMAXPROCS(0) == 1 {
			return nil
		}
		m = &Memory{}
	}
	last := *m
	*m = Memory{}
	if len(src) < minDivided {
		return nil
	}
	starts, known := last.known(src, goal)
	regions := readRegions(text, goal, starts, known)
	if regions == nil {
		return nil
	}
	*m = Memory{src, goal, regions}
	return joined(text, regions, goal)
}

// known returns where regions begin in a source, and which of them are known; the
// others are nil.
func (m *Memory) known(src []byte, goal Goal) (starts []int, known []*region) {
	before, after := 0, len(m.regions) // the regions before and from these are known
	by := len(src) - len(m.src)
	from, to := 0, len(src)
	if m.goal == goal && len(m.regions) > 0 {
		head := common(m.src, src)
		tail := commonEnd(m.src[head:], src[head:])
		for before < len(m.regions) && m.regions[before].reach <= head {
			before++
		}
		if head == len(m.src) && by == 0 {
			before = len(m.regions)
		}
		for after > before && m.regions[after-1].start > len(m.src)-tail {
			after--
		}
		if before < len(m.regions) {
			from = m.regions[before].start
		}
		if after < len(m.regions) {
			to = m.regions[after].start + by
		}
	}
	for _, r := range m.regions[:before] {
		starts, known = append(starts, r.start), append(known, r)
	}
	if before < after || len(m.regions) == 0 {
		starts = append(starts, divide(src, from, to)...)
		known = append(known, make([]*region, len(starts)-len(known))...)
	}
	for _, r := range m.regions[after:] {
		moved := r.moved(by)
		starts, known = append(starts, moved.start), append(known, moved)
	}
	return starts, known
}

// moved returns the region at another offset.
func (r *region) moved(by int) *region {
	if by == 0 {
		return r
	}
	m := *r
	m.start += by
	m.first += by
	m.end += by
	m.next += by
	m.reach += by
	m.offs = slices.Clone(r.offs)
	for i := range m.offs {
		m.offs[i] += by
	}
	return &m
}

// stride is how much is compared at a time.
const stride = 4 << 10

// common counts the bytes at the beginning that two texts share.
func common(a, b []byte) int {
	n, at := min(len(a), len(b)), 0
	for at+stride <= n && bytes.Equal(a[at:at+stride], b[at:at+stride]) {
		at += stride
	}
	for at < n && a[at] == b[at] {
		at++
	}
	return at
}

// commonEnd counts the bytes at the end that two texts share.
func commonEnd(a, b []byte) int {
	n, at := min(len(a), len(b)), 0
	for at+stride <= n && bytes.Equal(a[len(a)-at-stride:len(a)-at], b[len(b)-at-stride:len(b)-at]) {
		at += stride
	}
	for at < n && a[len(a)-at-1] == b[len(b)-at-1] {
		at++
	}
	return at
}

// moveFunctions moves functions whose returns, suspends and loops may be shared.
func moveFunctions(fns []Function, by int) {
	returns, suspends, loops := 0, 0, 0
	for i := range fns {
		returns += len(fns[i].Returns)
		suspends += len(fns[i].Suspends)
		loops += len(fns[i].Loops)
	}
	ownReturns, ownSuspends, ownLoops := make([]Return, 0, returns), make([]Suspend, 0, suspends), make([]Loop, 0, loops)
	for i := range fns {
		f := &fns[i]
		for _, offset := range []*int{&f.Start, &f.End, &f.Params, &f.ParamsEnd, &f.NameAt, &f.BodyStart, &f.BodyEnd, &f.Insert} {
			move(offset, by)
		}
		if f.Called.End > 0 {
			f.Called.Start, f.Called.End = f.Called.Start+by, f.Called.End+by
		}
		if len(f.Returns) > 0 {
			f.Returns, ownReturns = keep(f.Returns, ownReturns)
			for i := range f.Returns {
				r := &f.Returns[i]
				for _, offset := range []*int{&r.Start, &r.Keyword, &r.ArgStart, &r.ArgEnd, &r.Last} {
					move(offset, by)
				}
			}
		}
		if len(f.Suspends) > 0 {
			f.Suspends, ownSuspends = keep(f.Suspends, ownSuspends)
			for i := range f.Suspends {
				s := &f.Suspends[i]
				for _, offset := range []*int{&s.Start, &s.Keyword, &s.ArgStart, &s.ArgEnd} {
					move(offset, by)
				}
			}
		}
		if len(f.Loops) > 0 {
			f.Loops, ownLoops = keep(f.Loops, ownLoops)
			moveLoops(f.Loops, by)
		}
	}
}

func moveLoops(loops []Loop, by int) {
	for i := range loops {
		l := &loops[i]
		for _, offset := range []*int{&l.Start, &l.End, &l.BodyStart, &l.BodyEnd} {
			move(offset, by)
		}
	}
}

// move moves an offset that is not missing.
func move(offset *int, by int) {
	if *offset >= 0 {
		*offset += by
	}
}
