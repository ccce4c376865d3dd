package coordinator

import "github.com/fieldprof/fieldprof/profile"

// Away is a run of ticks that fell outside the program: idle ticks between two tasks,
// or a tick in a pause of the collector.
type Away struct {
	Kind  profile.Kind // profile.Idle or profile.GC
	Time  int64        // of the first, in nanoseconds since the coordinator was made
	Ticks int64
}

// maxAway bounds the memory for ticks outside the program. Further ticks are added to
// the last run of their kind.
const maxAway = 1 << 18

// awayList collects them, in order of time.
type awayList struct {
	runs []Away
	last [2]int // one past the last run of each kind; 0 for none
	idle bool   // the last idle run may still grow
}

// add records ticks, the first of which was due at the given time.
func (l *awayList) add(kind profile.Kind, at, ticks int64) {
	which := 0
	if kind == profile.GC {
		which = 1
	}
	if last := l.last[which]; last > 0 && (which == 0 && l.idle || len(l.runs) >= maxAway) {
		l.runs[last-1].Ticks += ticks
		return
	}
	l.runs = append(l.runs, Away{kind, at, ticks})
	l.last[which] = len(l.runs)
	if which == 0 {
		l.idle = true
	}
}

// endRun says that a task begins: idle ticks from now on are another run.
func (l *awayList) endRun() { l.idle = false }
