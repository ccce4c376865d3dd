package coordinator

// pace decides at which checks the clock is read. Half of the checks that are expected
// before the deadline pass without a reading: so a handful of readings lead up to a
// deadline, each nearer to it, and close to it every check reads. The tick then falls
// on the first check after the deadline, as if another processor had raised it. If
// every n-th check read the clock, all ticks of a loop with n checks, or any divisor
// of n, would fall on the same check.
type pace struct {
	left   int32 // checks until the next reading
	stride int32 // checks between the last reading and the next
	read   int64 // when the clock was last read; 0 if that is meaningless
	each   int64 // estimated time from one check to the next, in ns
}

const (
	// maxStride bounds the error of the estimate when checks suddenly become rare.
	// A reading costs some 40 ns, so this many checks share it at a third of a
	// nanosecond each; a check takes 10.
	maxStride = 128
	// restStride is for a clock that is stopped.
	restStride = 1024
)

// reset says that time has passed without checks.
func (p *pace) reset() { p.read, p.left = 0, 0 }

// next plans the next reading after one at the time now. It divides by constants only
// while the deadline is far away.
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
	default: // or the deadline has passed, and another goroutine is serving it
		p.stride = int32(max(1, left/(2*p.each+1)))
	}
	p.left = p.stride - 1
}

// learn updates the estimate with how long the last stride took.
func (p *pace) learn(took int64) {
	each := took / maxStride
	if p.stride != maxStride {
		each = took / int64(p.stride)
	}
	p.each = max(each, (p.each+each)/2) // adapt to rarer checks at once, to denser ones slowly
}
