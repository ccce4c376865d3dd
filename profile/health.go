package profile

import (
	"fmt"
	"strings"
	"time"
)

// Health says how far a profile can be trusted. Delays are in milliseconds,
// coverage in percent of statements.
type Health struct {
	DurationMs   float64  `json:"durationMs"`
	Ticks        int64    `json:"ticks"`  // raised; without an account, the samples' ticks
	Missed       int64    `json:"missed"` // never raised: the clock could not run
	Lost         int64    `json:"lost"`   // raised, never taken
	Idle         int64    `json:"idle"`
	GC           int64    `json:"gc"`
	Samples      int      `json:"samples"`
	SkidMedianMs float64  `json:"skidMedianMs"`
	SkidP95Ms    float64  `json:"skidP95Ms"`
	LateMedianMs float64  `json:"lateMedianMs"`
	LateP95Ms    float64  `json:"lateP95Ms"`
	Coverage     *float64 `json:"coveragePercent,omitempty"` // nil when unknown
	Clock        string   `json:"clock,omitempty"`           // what raised the flag
	Notes        []string `json:"notes,omitempty"`           // what was lost and why
}

// Health reads a profile's health from its metadata.
func (p *Profile) Health() Health {
	m := &p.Meta
	h := Health{DurationMs: millis(m.Duration), Ticks: m.Ticks.Raised, Missed: m.Ticks.Missed, Lost: m.Ticks.Lost,
		Idle: m.Ticks.Idle, GC: m.Ticks.GC, Samples: p.Len(),
		SkidMedianMs: millis(m.Skid.Median), SkidP95Ms: millis(m.Skid.P95),
		LateMedianMs: millis(m.Late.Median), LateP95Ms: millis(m.Late.P95),
		Clock: m.Clock, Notes: Notes(m.Notes)}
	if m.Ticks == (Ticks{}) { // a foreign profile
		h.Ticks = p.Samples.Ticks()
	}
	if m.Coverage.Statements > 0 {
		c := 100 * float64(m.Coverage.CheckedStatements) / float64(m.Coverage.Statements)
		h.Coverage = &c
	}
	return h
}

// HealthLine is the health of a profile in one line, without what is unknown:
//
//	2000 ticks in 2.0s at 1ms, 1893 samples, skid 12µs (p95 0.8ms), late 0.1ms (p95 1.2ms), 3 missed, 0 lost, coverage 98.2%, clock: polled
func (p *Profile) HealthLine() string {
	m, h := &p.Meta, p.Health()
	first := fmt.Sprintf("%d ticks", h.Ticks)
	if m.Duration > 0 {
		first += " in " + short(m.Duration)
	}
	if m.Interval > 0 {
		first += " at " + short(m.Interval)
	}
	parts := []string{first, fmt.Sprintf("%d samples", h.Samples)}
	if m.Skid.Count > 0 {
		parts = append(parts, fmt.Sprintf("skid %s (p95 %s)", short(m.Skid.Median), short(m.Skid.P95)))
	}
	if m.Late.Count > 0 {
		parts = append(parts, fmt.Sprintf("late %s (p95 %s)", short(m.Late.Median), short(m.Late.P95)))
	}
	if m.Ticks != (Ticks{}) {
		parts = append(parts, fmt.Sprintf("%d missed", h.Missed), fmt.Sprintf("%d lost", h.Lost))
	}
	if m.Ticks.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d dropped", m.Ticks.Dropped))
	}
	if h.Coverage != nil {
		parts = append(parts, fmt.Sprintf("coverage %.1f%%", *h.Coverage))
	}
	if h.Clock != "" {
		parts = append(parts, "clock: "+noteOf(h.Clock))
	}
	return strings.Join(parts, ", ")
}

// short is a duration in two or three digits.
func short(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%dns", d)
	case d < time.Millisecond:
		return trim(float64(d)/float64(time.Microsecond), "µs")
	case d < time.Second:
		return trim(float64(d)/float64(time.Millisecond), "ms")
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

func trim(v float64, unit string) string {
	if v < 10 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + unit
	}
	return fmt.Sprintf("%.0f%s", v, unit)
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
