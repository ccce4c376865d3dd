package coordinator

// overdue tells that a script does not take its ticks.
type overdue struct {
	ticks int32
	tell  func()
}

// WhenOverdue has a function called each time that so many more ticks wait to be taken, because the
// script that runs comes to no check. The function has a goroutine of its own, and the ticks may have
// been taken by then. It must be set before the script runs. With Options.Clock, which leaves everything
// to one goroutine, the function is never called.
func (c *Counter) WhenOverdue(ticks int, tell func()) {
	if c.coordinator.options.Clock != nil {
		return
	}
	c.mu.Lock()
	c.overdue = overdue{int32(max(ticks, 1)), tell}
	c.mu.Unlock()
}

// look tells if there are so many more.
func (o *overdue) look(before, now int32) {
	if o.tell != nil && now/o.ticks > before/o.ticks {
		go o.tell()
	}
}
