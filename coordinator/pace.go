package coordinator

// pace decides at which checks the clock is read, so that the tick falls on the first check
// after the deadline, as if another processor had raised it:
//
//	checks   R . . . . . R . . . . . R . . . R . R R R R R        R R T
//	         | stride: at most   |               | guard: by   |
//	         | 10 µs, 128 checks |               | the gap     deadline
//
//	R reads the clock, . counts down, T reads it and takes the tick
//
// Half of the checks that are expected before the guard pass without a reading. If every
// n-th check read the clock instead, all ticks of a loop with n checks, or any divisor of n,
// would fall on the same check.
//
// Checks are not spaced evenly: after a hundred that a loop has in ten microseconds comes one
// after a call into Go that took a millisecond. Most of the time is in such gaps, and so are
// most deadlines. The guard is therefore several times as long as the gap that a moment
// chosen at random is in, which is the mean of all gaps, each weighted by its length.
type pace struct {
	left   int32 // checks until the next reading
	stride int32 // checks between the last reading and the next
	read   int64 // when the clock was last read; 0 if that is meaningless
	each   int64 // estimated time from one check to the next where they are dense, in ns
	gap    int64 // estimated length of the gap that a moment is in, in ns
	credit int64 // what guards may take, in ns
}

const (
	// maxStride bounds the error of the estimate when checks suddenly become rare.
	// A reading costs some 40 ns, so this many checks share it at a third of a
	// nanosecond each; a check takes 10.
	maxStride = 128
	// maxStrideTime bounds it in time: a reading is then 0.4 % of it.
	maxStrideTime = 10_000
	// restStride is for a clock that is stopped.
	restStride = 1024

	// readingTime is what a reading takes, and guards take at most one part in guardShare of
	// all time, saved up for at most savedTime.
	readingTime = 40
	guardShare  = 64
	savedTime   = 10_000_000
	// gaps is how many gaps long a guard is, and minGuard the shortest.
	gaps, minGuard = 3, 2000
	// gapMemory is how long a gap is, in ns, that counts as much as all before it.
	gapMemory = 2_000_000
	// maxTook bounds what is multiplied.
	maxTook = 1_000_000_000
)

// reset says that time has passed without checks.
func (p *pace) reset() { p.read, p.left = 0, 0 }

// next plans the next reading after one at the time now.
func (p *pace) next(now, deadline int64) {
	if p.read != 0 {
		p.learn(now-p.read, int64(p.stride))
	}
	p.read = now
	p.stride = restStride
	if deadline != never {
		p.stride = p.plan(deadline - now)
	}
	p.left = p.stride - 1
}

// plan returns the stride to take when a deadline is left ns away.
func (p *pace) plan(left int64) int32 {
	before := left - gaps*p.gap - minGuard
	if before <= 0 { // or the deadline has passed, and another goroutine is serving it
		if p.credit >= readingTime {
			p.credit -= readingTime
			return 1
		}
		before = left
	}
	return int32(max(1, min(maxStride, min(before/2, maxStrideTime)/(p.each+1))))
}

// interrupt ends a row of checks before the next reading: its callers read the clock in
// any case. Scripts whose tasks are short, or call into Go often, have no other rows.
func (p *pace) interrupt(now int64) {
	if passed := int64(p.stride - 1 - p.left); p.read != 0 && passed > 0 {
		p.learn(now-p.read, passed+1)
	}
	p.reset()
}

// learn updates the estimates with how long a number of checks took.
func (p *pace) learn(took, checks int64) {
	took = min(took, maxTook)
	gap := took / checks
	if usual := checks * p.each; checks > 1 && p.each > 0 && took > 2*usual {
		gap = took - usual // one of them was long, or all are now: the estimate follows slowly
		p.each += p.each/8 + 1
	} else {
		p.each = max(gap, (p.each+gap)/2) // adapt to rarer checks at once, to denser ones slowly
	}
	p.gap += (gap - p.gap) * took / (took + gapMemory)
	p.credit = min(p.credit+took/guardShare, savedTime/guardShare)
}
