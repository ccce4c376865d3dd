package coordinator

import (
	"slices"
	"sort"

	"github.com/fieldprof/fieldprof/profile"
)

// Outside is a run of ticks that fell outside the program: idle ticks between two tasks,
// a tick in a pause of the collector, or ticks that are lost.
type Outside struct {
	Kind  profile.Kind // profile.Idle, profile.GC or profile.Lost
	Time  int64        // of the first, in nanoseconds since the coordinator was made
	Ticks int64
}

// Bounds of the ticks outside the program. A long rest is several runs, so that a part of it
// can be reported. When there are too many, runs become longer; when they would be too long, the
// oldest quarter falls out.
const (
	maxOutside = 1 << 18
	maxRun     = int64(100e6) // nanoseconds, to begin with
	longest    = int64(60e9)  // unless the recording is so long that its parts are longer
	parts      = 16           // of what is kept for a time
)

// outsideList collects them, in order of time.
type outsideList struct {
	runs  []Outside
	idle  int        // one past the idle run that may still grow; 0 for none
	most  func() int // how many there may be; nil: maxOutside
	grain int64      // runs of a kind begin so far apart; 0: as they come
	keep  int64      // nanoseconds; 0 for as long as there is room
	gone  int64      // ticks of the runs that fell out
	till  int64      // when the last of them began
}

// add records ticks, the first of which was due at the given time.
func (l *outsideList) add(kind profile.Kind, at, ticks int64) {
	if kind == profile.Idle && l.idle > 0 {
		if run := &l.runs[l.idle-1]; at-run.Time < max(l.grain, maxRun) {
			run.Ticks += ticks
			return
		}
	}
	if l.keep > 0 {
		l.forget(at - l.keep)
	}
	if most := l.bound(); len(l.runs) >= most {
		l.shrink(most - most/4)
	}
	l.runs = append(l.runs, Outside{kind, at, ticks})
	if kind == profile.Idle {
		l.idle = len(l.runs)
	}
}

func (l *outsideList) bound() int {
	if l.most == nil {
		return maxOutside
	}
	return l.most()
}

// shrink makes runs longer, or drops the oldest, until there are so many.
func (l *outsideList) shrink(most int) {
	room := cap(l.runs)
	l.runs, l.grain = Fewer(l.runs, most, l.grain, l.keep)
	l.drop(max(len(l.runs)-most, 0))
	if room > 4*most { // it had more room once
		l.runs = slices.Clone(l.runs)
	}
	l.idle = 0
	for i, run := range l.runs {
		if run.Kind == profile.Idle {
			l.idle = i + 1
		}
	}
}

// Fewer makes runs longer, if there are more than so many: those of a kind that begin within
// a grain of each other become one. The grain is doubled as often as that takes, but is
// neither more than a minute nor more than a sixteenth of the time for which runs are kept: then
// the result has more runs. It is what Fewer returns, for the next call; 0 at first. The runs,
// which are changed, must be in order of time, and stay so.
func Fewer(runs []Outside, most int, grain, keep int64) (fewer []Outside, coarser int64) {
	for grain = max(grain, maxRun); ; grain *= 2 {
		runs = merged(runs, grain)
		if len(runs) <= most || 2*grain > max(longest, keep/parts) {
			return runs, grain
		}
	}
}

// merged merges the runs of a kind that begin within a grain of each other.
func merged(runs []Outside, grain int64) []Outside {
	last := map[profile.Kind]int{}
	kept := runs[:0]
	for _, run := range runs {
		if i, ok := last[run.Kind]; ok && run.Time-kept[i].Time < grain {
			kept[i].Ticks += run.Ticks
			continue
		}
		last[run.Kind] = len(kept)
		kept = append(kept, run)
	}
	return kept
}

// latest is when the last run began.
func (l *outsideList) latest() int64 {
	if len(l.runs) == 0 {
		return 0
	}
	return l.runs[len(l.runs)-1].Time
}

// endRun says that a task begins: idle ticks from now on are another run, unless there were
// too many.
func (l *outsideList) endRun() {
	if l.grain == 0 {
		l.idle = 0
	}
}

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
