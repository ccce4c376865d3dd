package coordinator

import (
	"slices"
	"sort"

	"github.com/fieldprof/fieldprof/profile"
)

// Outside is a run of ticks that fell outside the program: idle ticks between two tasks,
// or a tick in a pause of the collector.
type Outside struct {
	Kind  profile.Kind // profile.Idle or profile.GC
	Time  int64        // of the first, in nanoseconds since the coordinator was made
	Ticks int64
}

// Bounds of the ticks outside the program. When there are too many runs, the oldest
// quarter falls out; a long rest is several runs, so that a part of it can be told.
const (
	maxOutside = 1 << 18
	maxRun     = int64(100e6) // nanoseconds
)

// outsideList collects them, in order of time.
type outsideList struct {
	runs []Outside
	idle int   // one past the idle run that may still grow; 0 for none
	keep int64 // nanoseconds; 0 for as long as there is room
	gone int64 // ticks of the runs that fell out
	till int64 // when the last of them began
}

// add records ticks, the first of which was due at the given time.
func (l *outsideList) add(kind profile.Kind, at, ticks int64) {
	if kind == profile.Idle && l.idle > 0 {
		if run := &l.runs[l.idle-1]; at-run.Time < maxRun {
			run.Ticks += ticks
			return
		}
	}
	if l.keep > 0 {
		l.forget(at - l.keep)
	}
	if len(l.runs) >= maxOutside {
		l.drop(maxOutside / 4)
	}
	l.runs = append(l.runs, Outside{kind, at, ticks})
	if kind == profile.Idle {
		l.idle = len(l.runs)
	}
}

// latest is when the last run began.
func (l *outsideList) latest() int64 {
	if len(l.runs) == 0 {
		return 0
	}
	return l.runs[len(l.runs)-1].Time
}

// endRun says that a task begins: idle ticks from now on are another run.
func (l *outsideList) endRun() { l.idle = 0 }

// forget drops the runs that began before a time.
func (l *outsideList) forget(before int64) { l.drop(l.search(before)) }

// drop drops the oldest runs.
func (l *outsideList) drop(n int) {
	for _, run := range l.runs[:n] {
		l.gone, l.till = l.gone+run.Ticks, run.Time
	}
	l.runs = l.runs[n:] // the next that does not fit copies the rest
	l.idle = max(l.idle-n, 0)
}

// between copies the runs that began at or after a time and before another.
func (l *outsideList) between(from, until int64) []Outside {
	first := l.search(from)
	return slices.Clone(l.runs[first:max(first, l.search(until))])
}

// search finds the first run that began at or after a time.
func (l *outsideList) search(at int64) int {
	return sort.Search(len(l.runs), func(i int) bool { return l.runs[i].Time >= at })
}
