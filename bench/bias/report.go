package bias

import (
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Report is the result of the measure. Its maps are by name, so that a JSON Pointer
// into bias.json stays valid:
// /engines/node/means/balanced/overlaps/promise/overlap/value.
type Report struct {
	figures.Origin
	Part      Part                     `json:"part,omitempty"` // of the whole plan; "": all
	Took      time.Duration            `json:"tookNs"`
	Resamples int                      `json:"resamples"`
	Engines   map[string]*EngineReport `json:"engines"`
	Skipped   []Skip                   `json:"skipped"`
}

// Skip says why a cell has no figures.
type Skip struct {
	Engine  string `json:"engine"`
	Program string `json:"program"`
	Ways    string `json:"ways"`
	Reason  string `json:"reason"`
}

// The details of a comparison: which functions count by themselves.
const (
	Strict = "strict"
	// Promise is merged(N) with the N of the way's preset.
	Promise = "promise"
)

// EngineReport is the result in one engine.
type EngineReport struct {
	// Version tells one Node from another.
	Version string `json:"version,omitempty"`
	// Load is the median of what else the machine had to do; results recorded before it was
	// observed lack it.
	Load *figures.Load `json:"load,omitempty"`
	// Means over the real programs, by way.
	Means map[string]*Mean `json:"means"`
	// Common are the presets over the same programs.
	Common *Common `json:"common,omitempty"`
	// Classics are means over the classic programs, by way.
	Classics map[string]*Mean `json:"classics,omitempty"`
	// Floor is the noise floor, by detail: mean overlap of truth with itself.
	Floor map[string]Estimate `json:"floor"`
	// Programs are the real ones and the classics, each by way.
	Programs map[string]map[string]*Cell `json:"programs"`
	// Exact are the programs whose distribution is known, each by way; the
	// engine's own sampler is among the ways, under its name.
	Exact map[string]map[string]*ExactCell `json:"exact"`
	// Samplers are the engine's own, judged by the exact programs.
	Samplers     map[string]*SamplerReport   `json:"samplers,omitempty"`
	Skids        map[string]figures.Skids    `json:"skids"` // by way, over all programs
	Independence map[string]*IndependenceRow `json:"independence"`
	Observers    map[string]*Observer        `json:"observers"` // by program
	// Processes are by kind of cell; a kind of which too few cells ran in several processes
	// is absent, and has intervals of samples alone.
	Processes map[string]*Processes `json:"processes,omitempty"`
	scatters  []scatter             // what they are made of
	// Promises say by what the functions of real programs are told apart.
	Promises map[string]*Promised `json:"promises,omitempty"`
}

// Observer is the effect of checks on the observed program, by clocks at every entry
// and exit: overlaps of its self times, in percent.
type Observer struct {
	Checks float64 `json:"checks"` // with idle checks and without
	Again  float64 `json:"again"`  // without and without: the floor
}

// Mean sums up a way over the real programs whose comparison by the promise is fit for
// it. Under three there are no figures.
type Mean struct {
	Programs int                   `json:"programs"`
	Few      int                   `json:"few"`             // of them with few samples
	Alone    []string              `json:"alone,omitempty"` // programs that are not in it
	Overlaps map[string]Comparison `json:"overlaps"`
	// Of is the number of programs in the mean of each level of detail.
	Of map[string]int `json:"of,omitempty"`
	// Resolution is the share of the true time in functions that the preset tells apart,
	// in percent; Functions are the effective number of those, e^H of the merged truth.
	Resolution *float64 `json:"resolution,omitempty"`
	Functions  *float64 `json:"functions,omitempty"`
	// LeastRatio and MostRatio are of samples in the profile to those in a run of the
	// truth.
	LeastRatio float64 `json:"leastRatio,omitempty"`
	MostRatio  float64 `json:"mostRatio,omitempty"`
	// Rules are the overlaps, by detail, of the same samples attributed by other
	// rules.
	Rules map[string]map[string]float64 `json:"rules"`
	Ranks map[string]MeanRanks          `json:"ranks,omitempty"` // by detail: promise and strict
	// Missed ticks were due while the clock could not run, and so never raised; lost ones
	// were raised and never taken. In percent of those that were due.
	Missed *float64 `json:"missed,omitempty"`
	Lost   *float64 `json:"lost,omitempty"`
}

// MeanRanks sums up Ranks.
type MeanRanks struct {
	Spearman float64 `json:"spearman"` // the mean
	// Unordered are programs with too few functions for it.
	Unordered int `json:"unordered,omitempty"`
	Hottest   int `json:"hottest"` // programs whose hottest function is first
	Of        int `json:"of"`      // so many programs
}

// Cell is one real program in one way.
type Cell struct {
	Samples      int                           `json:"samples"`
	TruthSamples int                           `json:"truthSamples"` // of the smaller run
	Few          bool                          `json:"few,omitempty"`
	Overlaps     map[string]Comparison         `json:"overlaps"`
	Rules        map[string]map[string]float64 `json:"rules,omitempty"`
	Ranks        map[string]Ranks              `json:"ranks,omitempty"` // by detail: promise and strict
	Ratio        float64                       `json:"ratio"`           // samples to those of a run of the truth
	// Effective and TruthEffective are the numbers of equal samples that would scatter as
	// much as those with their ticks.
	Effective      float64            `json:"effective"`
	TruthEffective float64            `json:"truthEffective"`
	Resolution     float64            `json:"resolution"`
	Functions      float64            `json:"functions"`
	Missed         float64            `json:"missed"`
	Lost           float64            `json:"lost"`
	LeftOut        map[string]float64 `json:"leftOut"`
	TruthLeftOut   map[string]float64 `json:"truthLeftOut"`
}

// ExactCell is a program of known distribution in one way.
type ExactCell struct {
	Samples int      `json:"samples"`
	Few     bool     `json:"few,omitempty"`
	Tiny    bool     `json:"tiny,omitempty"`
	Overlap Estimate `json:"overlap"`
	// Alone says why the cell is in no comparison of reports.
	Alone  string             `json:"alone,omitempty"`
	Worst  Difference         `json:"worst"`
	Shares map[string]float64 `json:"shares"`
	// Known are the true shares, of a traced program.
	Known map[string]float64 `json:"known,omitempty"`
	// Overhead is in percent of CPU time, the median of rounds; nil if not measured.
	Overhead *float64 `json:"overhead,omitempty"`
}

// IndependenceRow says of how many programs chance explains the difference
// between profiles that should be alike.
type IndependenceRow struct {
	Pairs       int     `json:"pairs"`
	Independent int     `json:"independent"`
	Overlap     float64 `json:"overlap"` // mean
	Chance      float64 `json:"chance"`  // mean
}

// Name is the file in bench/results. A part has its own, which names the engine if there
// is only one.
func (r *Report) Name() string {
	if r.Part == "" {
		return "bias"
	}
	name := string(r.Part)
	if len(r.Engines) == 1 {
		for engine := range r.Engines {
			name += "-" + engine
		}
	}
	return name
}
