package causal

import (
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Report is what was observed, and what follows from it.
type Report struct {
	figures.Origin
	Took    time.Duration      `json:"tookNs"`
	Seed    uint64             `json:"seed"`
	Engines map[string]*Result `json:"engines"`
	Skipped []Skip             `json:"skipped"`
}

// Skip is something that could not be measured.
type Skip struct {
	Engine  string `json:"engine"`
	Program string `json:"program"`
	What    string `json:"what"` // "doses", a way, a function
	Reason  string `json:"reason"`
}

// Result is the result of an engine.
type Result struct {
	Programs map[string]*Trial        `json:"programs"`
	Changes  map[string]*Optimization `json:"changes"`
	Ways     map[string]*Verdict      `json:"ways"`
	// Chance is a random choice among the functions. Its regret is the mean of the programs', as that of ways is.
	Chance Choice `json:"chance"`
}

// Trial is a program with doses.
type Trial struct {
	Functions []Function         `json:"functions"`
	Units     map[string]float64 `json:"unitsNs"` // of the spin, by round
	Runs      []Run              `json:"runs"`

	// Figures that follow from the runs.
	Base      float64              `json:"baseSeconds"` // without doses, by the fit
	Agreement estimate.Estimate    `json:"agreement"`   // time that the doses took ÷ the doses
	Ways      map[string]*Response `json:"ways"`
}

// Function is one that gets doses.
type Function struct {
	Name  string  `json:"name"`
	Line  int32   `json:"line"`  // in the bundle
	Share float64 `json:"share"` // by the reference, in percent, unchecked callees included
	Calls int64   `json:"calls"`
	Step  int     `json:"step"` // rounds of the spin in the lowest dose
}

// Run is one run. Shares are by function, from 0 to 1.
type Run struct {
	Round   int       `json:"round"`
	Levels  Condition `json:"levels"` // of the doses; 0 everywhere is the base
	Way     string    `json:"way"`
	Seconds float64   `json:"seconds,omitempty"` // of a clean run
	Shares  []float64 `json:"shares,omitempty"`
	Samples float64   `json:"samples,omitempty"` // effective
}

// Response is how a way shows the doses of a program.
type Response struct {
	Slope     estimate.Estimate   `json:"slope"`
	Functions []estimate.Estimate `json:"functions"` // slopes
	Samples   float64             `json:"samples"`   // effective, in a run
	Choice

	choices choices
}

// Choice is what becomes of optimising the function that grew most.
type Choice struct {
	Right  float64 `json:"right"` // conditions in which no other function had a larger dose; a part of one where chance decides
	Of     int     `json:"of"`
	Regret float64 `json:"regret"` // mean, in percent of the best gain
}

// Optimization is a program without and with a change.
type Optimization struct {
	Function string      `json:"function"`
	What     string      `json:"what"`
	Runs     []ChangeRun `json:"runs"`

	Gain estimate.Estimate    `json:"gain"` // measured, in percent of the time before
	Ways map[string]*Reported `json:"ways"`
}

// ChangeRun is one run. Total is the share of the function and what it calls, 0 to 1.
type ChangeRun struct {
	Round   int     `json:"round"`
	After   bool    `json:"after"`
	Way     string  `json:"way"`
	Seconds float64 `json:"seconds,omitempty"`
	Total   float64 `json:"total,omitempty"`
	Samples float64 `json:"samples,omitempty"`
}

// Reported is what profiles say of a change, in percent of the time before.
type Reported struct {
	Before float64           `json:"before"` // the function's total: the most that can be gained
	Gain   estimate.Estimate `json:"gain"`
	Miss   estimate.Estimate `json:"miss"` // |reported − measured|
}

// Verdict is a way's over all programs. Fewer than three programs have no mean.
type Verdict struct {
	Programs int                `json:"programs"`
	Slope    *estimate.Estimate `json:"slope"`
	// Middle is between which the middle half of the functions' slopes are.
	Middle [2]float64 `json:"middle"`
	Choice
	Regrets *estimate.Estimate `json:"regrets"` // the mean with its interval
	Rights  *estimate.Estimate `json:"rights"`  // the share of right choices in percent, mean of programs
	// Against compares its choices with those of a random choice and of the engine's own samplers, by name.
	Against map[string]*Advantage `json:"against,omitempty"`
	Changes int                   `json:"changes"`
	Miss    *estimate.Estimate    `json:"miss"`
}
