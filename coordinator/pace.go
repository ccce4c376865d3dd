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
	// of a sudden. A reading costs some 40 ns and a check some 10, so 64 make
	// it under a nanosecond each.
	maxStride = 64
	// restStride is for a clock that stands still.
	restStride = 1024
)

// reset says that time has passed without checks.
func (p *pace) reset() { p.read, p.left = 0, 0 }

// next plans the next reading, after one at a time.
func (p *pace) next(now, deadline int64) {
	if p.read != 0 {
		each := (now - p.read) / int64(p.stride)
		p.each = max(each, (p.each+each)/2) // believe in rarer checks at once, in denser ones with care
	}
	p.read = now
	switch left := deadline - now; {
	case deadline == never:
		p.stride = restStride
	default: // a deadline that has passed is being served by someone else
		p.stride = int32(max(1, min(maxStride, left/(2*p.each+1))))
	}
	p.left = p.stride - 1
}
