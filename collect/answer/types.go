package answer

import (
	"time"

	"github.com/fieldprof/fieldprof/profile/view"
)

// Estimate is a figure and its 95 % interval. Low and High are equal to Value if the interval is
// not known.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Function names a function as the sources do, if there is a map.
type Function struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int32  `json:"line,omitempty"`
}

// Overview is a row for each group of labels.
type Overview struct {
	From time.Time     `json:"from"`
	To   time.Time     `json:"to"`
	By   []string      `json:"by"`
	Rows []OverviewRow `json:"rows"` // the most views first
}

// OverviewRow is a group, such as a route in a release.
type OverviewRow struct {
	Labels    map[string]string `json:"labels"`
	Chunks    int64             `json:"chunks"`    // received
	Views     int64             `json:"views"`     // profiled
	AllViews  float64           `json:"allViews"`  // estimated, with those that were not profiled
	INP       *Estimate         `json:"inp"`       // p75 over views, ms; null if no view has one
	INPViews  int64             `json:"inpViews"`  // views that have one
	SlowShare *Estimate         `json:"slowShare"` // of interactions, 0 to 1; null if unknown
	CPU       *Estimate         `json:"cpu"`       // busy ms of the main thread per view; null if unknown
	BusyShare *Estimate         `json:"busyShare"` // of the observed time, 0 to 1; null if unknown
	LongTasks *float64          `json:"longTasks"` // per view; null if unknown
}

// Functions are the hottest functions.
type Functions struct {
	BusyMs    float64       `json:"busyMs"` // in all sessions, estimated
	Ticks     int64         `json:"ticks"`  // received
	Functions []FunctionRow `json:"functions"`
	Notes     []string      `json:"notes,omitempty"` // what is missing, such as maps
}

// FunctionRow is a function; shares are of the busy time, 0 to 1.
type FunctionRow struct {
	Function
	SelfMs     float64 `json:"selfMs"` // in all sessions, estimated
	TotalMs    float64 `json:"totalMs"`
	SelfShare  float64 `json:"selfShare"`
	TotalShare float64 `json:"totalShare"`
	Ignored    bool    `json:"ignored,omitempty"` // a framework's
}

// Diff is what a release, or any other selection, has changed.
type Diff struct {
	Before  string        `json:"before"` // described: "release 1.2"
	After   string        `json:"after"`
	Blocks  [2]int        `json:"blocks"` // stretches of time that each side was divided into
	Summary string        `json:"summary"`
	Diff    view.DiffList `json:"diff"`
}

// Trend is the share of a function over time.
type Trend struct {
	Function Function      `json:"function"`
	StepSec  int64         `json:"stepSeconds"`
	Points   []TrendPoint  `json:"points"`
	Releases []TrendSwitch `json:"releases,omitempty"` // when each release was first seen
}

// TrendPoint is a step of a trend.
type TrendPoint struct {
	At    time.Time `json:"at"`
	Self  *Estimate `json:"self"`  // share of the busy time, 0 to 1; null if nothing was recorded
	Total *Estimate `json:"total"` //
	Ticks int64     `json:"ticks"` // busy ticks received
}

// TrendSwitch is when a release was first seen.
type TrendSwitch struct {
	Release string    `json:"release"`
	At      time.Time `json:"at"`
}

// Slices are what was slow, and how often.
type Slices struct {
	Subjects []Subject  `json:"subjects"` // the one that cost users most time first
	Slices   []SliceRow `json:"slices"`   // the longest first
	Notes    []string   `json:"notes,omitempty"`
}

// Subject is a kind of slice: the clicks on one button.
type Subject struct {
	What   string     `json:"what"`
	Name   string     `json:"name"`
	Target string     `json:"target,omitempty"`
	Count  int64      `json:"count"` // received
	All    float64    `json:"all"`   // estimated
	P50Ms  float64    `json:"p50Ms"`
	P75Ms  float64    `json:"p75Ms"`
	MaxMs  float64    `json:"maxMs"`
	Causes []CauseRow `json:"causes"` // the most frequent first
}

// CauseRow is a cause and the share of the slices that have it, 0 to 1.
type CauseRow struct {
	Function
	Group string  `json:"group"`
	Share float64 `json:"share"`
}

// SliceRow is one slice.
type SliceRow struct {
	ID         string            `json:"id"`
	At         time.Time         `json:"at"`
	What       string            `json:"what"`
	Name       string            `json:"name"`
	Target     string            `json:"target,omitempty"`
	DurationMs float64           `json:"durationMs"`
	Weight     float64           `json:"weight"` // how many of all sessions' slices it represents
	Labels     map[string]string `json:"labels"`
	Why        string            `json:"why"` // a sentence, as profile/slices makes it
	Cause      *CauseRow         `json:"cause"`
}

// Slice is one slice with everything that is known about it.
type Slice struct {
	SliceRow
	InputDelayMs   float64            `json:"inputDelayMs"`
	ProcessingMs   float64            `json:"processingMs"`
	PresentationMs float64            `json:"presentationMs"`
	Groups         map[string]float64 `json:"groups"` // ms
	Functions      []SliceFunction    `json:"functions"`
	Handler        *Function          `json:"handler"`
}

// SliceFunction is a function of a slice.
type SliceFunction struct {
	Function
	Group   string  `json:"group"`
	SelfMs  float64 `json:"selfMs"`
	TotalMs float64 `json:"totalMs"`
}

// Values are the labels, for filters.
type Values struct {
	Labels []LabelValues `json:"labels"` // in the order in which they are shown
}

// LabelValues are the values of a label, the most frequent first.
type LabelValues struct {
	Name   string       `json:"name"`
	Values []LabelValue `json:"values"`
}

// LabelValue is a value and the chunks that have it.
type LabelValue struct {
	Value  string `json:"value"`
	Chunks int64  `json:"chunks"`
}

// Examples are chunks that can be looked at whole.
type Examples struct {
	Examples []ExampleRow `json:"examples"`
}

// ExampleRow is one of them.
type ExampleRow struct {
	ID     string            `json:"id"`
	At     time.Time         `json:"at"`
	Labels map[string]string `json:"labels"`
	BusyMs float64           `json:"busyMs"`
}

// Budgets is how budgets are kept.
type Budgets struct {
	Budgets []BudgetRow `json:"budgets"`
}

// BudgetRow is a budget as last checked.
type BudgetRow struct {
	Name    string    `json:"name"`
	Measure string    `json:"measure"`
	Unit    string    `json:"unit"`
	Max     float64   `json:"max"`
	Value   float64   `json:"value"`
	Margin  float64   `json:"margin"`
	Broken  bool      `json:"broken"`
	Since   time.Time `json:"since,omitzero"` // when it was broken, or kept again
	Checked time.Time `json:"checked"`
}
