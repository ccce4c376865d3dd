package truth

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// Qualified is the overlap with the known distribution, in percent and without what
// chance takes from it, that a sampler needs on each exact program of a kind, by the whole
// interval, to be called a truth for programs of that kind.
const Qualified = 97

// The names for a sampler's profiles.
const (
	IsTruth     = "truth"
	IsReference = "reference" // worth comparing with, and not known to be right
	// IsUndecided is for a kind of which too little is known to call it either: an interval
	// reaches across Qualified, or rests on too few samples.
	IsUndecided = "undecided"
)

// fewestSamples is the number of samples that a verdict needs: the interval of a score from fewer
// samples says nothing.
const fewestSamples = 100

// Score is how well a sampler does on one exact program.
type Score struct {
	Samples int `json:"samples"`
	// Overlap is with the known distribution, without what chance takes from it.
	Overlap estimate.Estimate `json:"overlap"`
}

// Grade scores profiles of a program's runs, which are attributed.
func Grade(program fixtures.Program, profiles []*profile.Profile, resamples int, seed uint64) Score {
	var shares []float64
	listed := map[string]int32{}
	for _, key := range slices.Sorted(maps.Keys(program.Expected)) {
		listed[key] = int32(len(shares))
		shares = append(shares, program.Expected[key])
	}
	var owners []int32
	var weights []float64
	for _, p := range profiles {
		for i := range p.Len() {
			s := p.Sample(i)
			if s.Kind == profile.Idle || s.Kind == profile.GC || s.Kind == profile.Lost {
				continue // no function's
			}
			owner := int32(-1)
			if s.Stack != profile.NoStack {
				if at, ok := listed[keyOf(program, p.Function(p.Frames.Function[p.Stacks.Frame[s.Stack]]))]; ok {
					owner = at
				}
			}
			owners, weights = append(owners, owner), append(weights, float64(s.Weight))
		}
	}
	return scoreOf(owners, weights, shares, resamples, seed)
}

// keyOf is a function's name in a program's declaration, or "". Programs that run in one
// pack have functions on the same lines.
func keyOf(program fixtures.Program, f profile.Function) string {
	if f.File != "" && path.Base(f.File) != path.Base(filepath.ToSlash(program.Path)) {
		return ""
	}
	return program.Key(f.Name, int(f.Line))
}

// scoreOf compares samples, each with the function it belongs to and its weight, with
// known shares. The owner -1 is none of the functions that have one.
func scoreOf(owners []int32, weights, shares []float64, resamples int, seed uint64) Score {
	draw := func(rng *rand.Rand) float64 {
		rest, counts := 0.0, make([]float64, len(shares))
		for i := range owners {
			if rng != nil {
				i = rng.IntN(len(owners))
			}
			if owners[i] < 0 {
				rest += weights[i]
			} else {
				counts[owners[i]] += weights[i]
			}
		}
		return distance(counts, rest, shares)
	}
	chance := byChance(shares, effective(weights))
	value := beyond(draw(nil), chance, 1)
	// Samples that were drawn from samples are away from the truth by chance twice.
	replicates := estimate.Bootstrap(resamples, seed, func(rng *rand.Rand) float64 { return 100 - beyond(draw(rng), chance, 2) })
	return Score{Samples: len(owners), Overlap: estimate.Centred(100-value, replicates).Bounded(0, 100)}
}

// distance is the total variation distance from shares, in percent.
func distance(counts []float64, rest float64, shares []float64) float64 {
	total, d := rest, 0.0
	for _, c := range counts {
		total += c
	}
	if total == 0 {
		return 100
	}
	left := 100.0
	for i, c := range counts {
		d += math.Abs(100*c/total - shares[i])
		left -= shares[i]
	}
	return (d + math.Abs(100*rest/total-left)) / 2
}

// effective is the number of samples of equal weight that scatter as much.
func effective(weights []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, w := range weights {
		sum += w
		squares += w * w
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / squares
}

// byChance is the mean distance from shares of n samples drawn from them, in percent: half
// the sum of the mean deviations of each.
func byChance(shares []float64, n float64) float64 {
	if n <= 0 {
		return 0
	}
	sum := 0.0
	for _, share := range shares {
		p := share / 100
		sum += math.Sqrt(2 * p * (1 - p) / (math.Pi * n))
	}
	return 50 * sum
}

// beyond is the part of a distance that chance does not explain. Both are errors that
// have nothing to do with each other, so their squares add up.
func beyond(distance, chance, times float64) float64 {
	return math.Sqrt(max(0, distance*distance-times*chance*chance))
}

// Qualification is how well a sampler does on all exact programs of a kind.
type Qualification struct {
	Programs int `json:"programs"`
	// Score is the mean of the programs' overlaps; Lowest is the program with the lowest.
	Score         estimate.Estimate `json:"score"`
	Lowest        estimate.Estimate `json:"lowest"`
	LowestProgram string            `json:"lowestProgram"`
	Verdict       string            `json:"verdict"`

	below, above int // programs whose whole interval is
}

// Qualify judges a sampler by its scores on exact programs, kind by kind.
func Qualify(scores map[string]Score) map[string]*Qualification {
	kinds := map[string]*Qualification{}
	for _, p := range fixtures.Exact() {
		score, ok := scores[p.Name]
		if !ok {
			continue
		}
		q := kinds[p.Kind]
		if q == nil {
			q = &Qualification{}
			kinds[p.Kind] = q
		}
		q.add(p.Name, score)
	}
	for _, q := range kinds {
		q.sumUp()
	}
	return kinds
}

func (q *Qualification) add(program string, score Score) {
	overlap := score.Overlap
	switch {
	case score.Samples < fewestSamples:
	case overlap.High < Qualified:
		q.below++
	case overlap.Low >= Qualified:
		q.above++
	}
	if q.Programs == 0 || overlap.Value < q.Lowest.Value {
		q.Lowest, q.LowestProgram = overlap, program
	}
	if q.Programs == 0 {
		q.Score.Replicates = make([]float64, len(overlap.Replicates))
	}
	q.Programs++
	q.Score.Value += overlap.Value
	for i := range min(len(q.Score.Replicates), len(overlap.Replicates)) {
		q.Score.Replicates[i] += overlap.Replicates[i]
	}
}

func (q *Qualification) sumUp() {
	n := float64(q.Programs)
	for i := range q.Score.Replicates {
		q.Score.Replicates[i] /= n
	}
	q.Score = estimate.Centred(q.Score.Value/n, q.Score.Replicates).Bounded(0, 100)
	switch {
	case q.below > 0:
		q.Verdict = IsReference
	case q.above == q.Programs:
		q.Verdict = IsTruth
	default:
		q.Verdict = IsUndecided
	}
}

// Standing is what a sampler is called on real programs, which are of all kinds: a truth
// if it is one for each kind.
func Standing(kinds map[string]*Qualification) string {
	for _, kind := range fixtures.Kinds {
		if q := kinds[kind]; q == nil || q.Verdict != IsTruth {
			return IsReference
		}
	}
	return IsTruth
}

// QualificationTable shows samplers by name, in an order, kind by kind.
func QualificationTable(names []string, samplers map[string]map[string]*Qualification) string {
	var b strings.Builder
	b.WriteString("| sampler | is |")
	for _, kind := range fixtures.Kinds {
		fmt.Fprintf(&b, " %s |", kind)
	}
	b.WriteString("\n|" + strings.Repeat("---|", 2+len(fixtures.Kinds)) + "\n")
	for _, name := range names {
		kinds := samplers[name]
		if len(kinds) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |", figures.Cell(name), Standing(kinds))
		for _, kind := range fixtures.Kinds {
			fmt.Fprintf(&b, " %s |", kinds[kind])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// String is "98.7 (98.1–99.2)", with the lowest program if that keeps it from being a truth.
func (q *Qualification) String() string {
	if q == nil {
		return "–"
	}
	text := fmt.Sprintf("%.1f (%.1f–%.1f)", q.Score.Value, q.Score.Low, q.Score.High)
	if q.Verdict == IsTruth {
		return "**" + text + "**"
	}
	return fmt.Sprintf("%s; %s %.1f", text, q.LowestProgram, q.Lowest.Value)
}
