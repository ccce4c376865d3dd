package jsprofile

import (
	"expvar"
	"time"

	"github.com/fieldprof/fieldprof/gojahost/accounts"
)

// vars are a recording's state as metrics: gauges of what there is now, and counters of
// ticks that only grow.
type vars struct {
	Runtimes        int     `json:"runtimes"`
	Samples         int     `json:"samples"`
	Tags            int     `json:"tags"`
	KeptSeconds     float64 `json:"keptSeconds"` // since the oldest sample
	IntervalSeconds float64 `json:"intervalSeconds"`

	Raised  int64 `json:"ticksRaised"`
	Missed  int64 `json:"ticksMissed"`
	Taken   int64 `json:"ticksTaken"`
	Idle    int64 `json:"ticksIdle"`
	GC      int64 `json:"ticksGC"`
	Lost    int64 `json:"ticksLost"`
	Dropped int64 `json:"ticksDropped"`

	Usage []usage `json:"usage,omitempty"`
}

// usage is the usage of one set of tags.
type usage struct {
	Tags           map[string]string `json:"tags,omitempty"`
	Tasks          int64             `json:"tasks"`
	WallSeconds    float64           `json:"wallSeconds"`
	WaitingSeconds float64           `json:"waitingSeconds"`
	CPUSeconds     *float64          `json:"cpuSeconds,omitempty"` // if it is known
	Ticks          int64             `json:"ticks"`
}

// Var is a source's state for expvar. A source that also has Usage, as pools and hosts have,
// shows that of its tags.
func Var(source Source) expvar.Var {
	return expvar.Func(func() any { return read(source) })
}

// Publish is expvar.Publish of Var. It panics if the name is taken.
func Publish(name string, source Source) { expvar.Publish(name, Var(source)) }

func read(source Source) vars {
	s, clock := source.State(), source.Coordinator()
	v := vars{Runtimes: s.Runtimes, Samples: s.Samples, Tags: s.Tags, IntervalSeconds: clock.Interval().Seconds(),
		Raised: s.Ticks.Raised, Missed: s.Ticks.Missed, Taken: s.Ticks.Taken, Idle: s.Ticks.Idle, GC: s.Ticks.GC, Lost: s.Ticks.Lost, Dropped: s.Ticks.Dropped}
	if !s.Oldest.IsZero() {
		v.KeptSeconds = clock.Epoch().Add(time.Duration(clock.Now())).Sub(s.Oldest).Seconds()
	}
	if user, ok := source.(interface{ Usage() accounts.Usage }); ok {
		for _, row := range user.Usage().Rows {
			v.Usage = append(v.Usage, usageOf(&row))
		}
	}
	return v
}

func usageOf(row *accounts.UsageOf) usage {
	u := usage{Tasks: row.Tasks, WallSeconds: row.Wall.Seconds(), WaitingSeconds: row.Waiting.Seconds(), Ticks: row.Ticks}
	if row.CPUKnown {
		spent := row.CPU.Seconds()
		u.CPUSeconds = &spent
	}
	for _, tag := range row.Tags {
		if u.Tags == nil {
			u.Tags = map[string]string{}
		}
		u.Tags[tag.Key] = tag.Value
	}
	return u
}
