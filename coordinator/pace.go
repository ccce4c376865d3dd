package coordinator

// pace says at which checks the clock is read. Half of the checks that are
// expected before the deadline go by without: so a handful of readings lead up
// to a deadline, each nearer to it, and close to it every check reads. The
// tick then falls on the first check behind the deadline, as if another
// processor had raised it. Reading at every n-th check would put the ticks of a
// loop with n checks, or any divisor of n, all onto the same one.
type pace struct {
	left   int32 // checks until the next reading
	stride int32 // checks between the last reading and the next
	read   int64 // when the clock was last read; 0 when that tells nothing
	each   int64 // what a check takes, with the work up to the next: a guess
}

const (
	// maxStride bounds how far the guess can miss where checks become rare all
	// of a sudden. A reading costs some 40 ns, so this many make it a third of
	// a nanosecond each, of the 10 that a check takes.
	maxStride = 128
	// restStride is for a clock that stands still.
	restStride = 1024
)

// reset says that time has passed without checks.
func (p *pace) reset() { p.read, p.left = 0, 0 }

// next plans the next reading, after one at a time. It divides by constants
// alone while the deadline is far.
func (p *pace) next(now, deadline int64) {
	if p.read != 0 {
		p.learn(now - p.read)
	}
	p.read = now
	switch left := deadline - now; {
	case deadline == never:
		p.stride = restStride
	case left > 2*maxStride*p.each:
		p.stride = maxStride
	default: // a deadline that has passed is being served by someone else
		p.stride = int32(max(1, left/(2*p.each+1)))
	}
	p.left = p.stride - 1
}

// learn takes in how long the last stride took.
func (p *pace) learn(took int64) {
	each := took / maxStride
	if p.stride != maxStride {
		each = took / int64(p.stride)
	}
	p.each = max(each, (p.each+each)/2) // believe in rarer checks at once, in denser ones with care
}
