package view

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Health says how far a profile can be trusted. Delays are in milliseconds,
// coverage in percent of statements.
type Health struct {
	DurationMs   float64  `json:"durationMs"`
	Ticks        int64    `json:"ticks"`  // raised; without an account, those of the samples
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
}

// NewHealth reads a profile's health from its metadata.
func NewHealth(p *profile.Profile) Health {
	m := &p.Meta
	h := Health{DurationMs: inMillis(m.Duration), Ticks: m.Ticks.Raised, Missed: m.Ticks.Missed, Lost: m.Ticks.Lost,
		Idle: m.Ticks.Idle, GC: m.Ticks.GC, Samples: p.Len(),
		SkidMedianMs: inMillis(m.Skid.Median), SkidP95Ms: inMillis(m.Skid.P95),
		LateMedianMs: inMillis(m.Late.Median), LateP95Ms: inMillis(m.Late.P95)}
	if m.Ticks == (profile.Ticks{}) { // a foreign profile
		for _, w := range p.Samples.Weight {
			h.Ticks += int64(w)
		}
	}
	if m.Coverage.Statements > 0 {
		c := percent(m.Coverage.CheckedStatements, m.Coverage.Statements)
		h.Coverage = &c
	}
	return h
}

// WriteHealth writes the health of a profile as one line.
func WriteHealth(w io.Writer, p *profile.Profile) error {
	_, err := fmt.Fprintln(w, HealthLine(p))
	return err
}

// HealthLine is the health of a profile in one line, what is unknown left out:
//
//	2000 ticks in 2.0s at 1ms, 1893 samples, skid 12µs (p95 0.8ms), late 0.1ms (p95 1.2ms), 3 missed, 0 lost, coverage 98.2%
func HealthLine(p *profile.Profile) string {
	m, h := &p.Meta, NewHealth(p)
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
	if m.Ticks != (profile.Ticks{}) {
		parts = append(parts, fmt.Sprintf("%d missed", h.Missed), fmt.Sprintf("%d lost", h.Lost))
	}
	if h.Coverage != nil {
		parts = append(parts, fmt.Sprintf("coverage %.1f%%", *h.Coverage))
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
