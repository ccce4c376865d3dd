package transform

import (
	"cmp"
	"compress/gzip"
	"errors"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// fit takes functions out of a plan until the result, compressed, keeps to
// Options.MaxGzip. It ranks what the plan checks by worth, and looks for the longest
// prefix of the ranking that fits: each length it considers is written and
// compressed, so the bound holds by measurement. Sizes rise with the length, give or
// take a few bytes, so it bisects.
func (p *plan) fit(src []byte, script *jsscan.Script, options *Options, names naming) {
	measure := newMeasure()
	bare := *options
	bare.Embed = "" // the budget is for checks
	limit := int(math.Min(float64(measure.size(src, math.MaxInt))*(1+options.MaxGzip/100), math.MaxInt32))
	ranking := p.rank(script)
	fits := func(n int) (plan, bool) {
		shorter := p.only(ranking[:n], script)
		code, _ := emit(src, script, &shorter, &bare, names).buffer.Apply(src)
		return shorter, measure.size(code, limit) <= limit
	}
	if whole, ok := fits(len(ranking)); ok {
		*p = whole
		return
	}
	// fits(low) holds, fits(high) does not.
	best, low, high := p.only(nil, script), 0, len(ranking)
	for high-low > 1+low/budgetGrain {
		middle := low + (high-low)/2
		if shorter, ok := fits(middle); ok {
			best, low = shorter, middle
		} else {
			high = middle
		}
	}
	*p = best
}

// budgetGrain ends the search when less than 1/budgetGrain of the ranking could be
// gained.
const budgetGrain = 100

// topLevelRank stands for the top level in a ranking of functions.
const topLevelRank = -1

// rank orders what a plan checks by worth, which is value for money:
//
//	(statements + 10·loops + 10 if it calls what loops + 5 if it calls + 10 if it is entered) / checks
//
// where statements and loops are the function's own, and checks are what would
// be inserted for it. Statements stand for the time it can take, loops multiply
// that, and a function that calls separates its callees' time; a function that the event
// loop enters has no caller to hold its time. Ties keep their order in the source.
func (p *plan) rank(script *jsscan.Script) []int {
	var ranking []int
	worth := map[int]float64{}
	if n := len(p.topLoops); n > 0 {
		ranking, worth[topLevelRank] = append(ranking, topLevelRank), 10
	}
	for i := range p.functions {
		if p.functions[i].sites == 0 {
			continue
		}
		f := &script.Functions[i]
		value := f.Statements + 10*len(f.Loops)
		if f.Iterates {
			value += 10
		}
		if f.HasCalls {
			value += 5
		}
		if enters(f) {
			value += 10
		}
		ranking = append(ranking, i)
		worth[i] = float64(value) / float64(countChecks(f, p.functions[i]))
	}
	slices.SortStableFunc(ranking, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	return ranking
}

// countChecks counts the checks that a decision puts into a function.
func countChecks(f *jsscan.Function, d decision) int {
	n := len(d.loops)
	if d.sites&functable.Entry != 0 {
		n++
	}
	if d.sites&functable.Exit == 0 {
		return n
	}
	for i := range f.Suspends {
		if !f.Suspends[i].Delegates {
			n++
		}
	}
	if d.exit == byFinally {
		return n + 1
	}
	n += len(f.Returns)
	if f.FallsThrough || f.ExpressionBody {
		n++
	}
	return n
}

// only returns the plan with checks in the ranked functions alone.
func (p *plan) only(ranked []int, script *jsscan.Script) plan {
	shorter := plan{
		functions: make([]decision, len(p.functions)),
		closed:    p.closed,
		reasons:   slices.Clone(p.reasons),
		fewest:    p.fewest,
		passes:    p.passes,
		brackets:  p.brackets,

		candidates: p.candidates,
	}
	for i := range shorter.reasons {
		if shorter.reasons[i].In() {
			shorter.reasons[i] = Reason{Why: OutOfBudget}
		}
	}
	for _, i := range ranked {
		if i == topLevelRank {
			shorter.topLoops = p.topLoops
		} else {
			shorter.functions[i] = p.functions[i]
		}
		shorter.reasons[i+1] = p.reasons[i+1]
	}
	shorter.settle(script)
	return shorter
}

// measure counts the bytes that gzip -9 writes.
type measure struct {
	compressor  *gzip.Writer
	count, most int
}

var errTooLarge = errors.New("larger than asked")

func newMeasure() *measure {
	m := &measure{}
	m.compressor, _ = gzip.NewWriterLevel(m, gzip.BestCompression) // the level exists
	return m
}

// Write counts, and fails as soon as the limit is exceeded.
func (m *measure) Write(b []byte) (int, error) {
	if m.count += len(b); m.count > m.most {
		return 0, errTooLarge
	}
	return len(b), nil
}

// size returns the compressed size of b, or some value above most if it is larger.
func (m *measure) size(b []byte, most int) int {
	m.count, m.most = 0, most
	m.compressor.Reset(m)
	if _, err := m.compressor.Write(b); err == nil {
		_ = m.compressor.Close() // fails only as Write does
	}
	return m.count
}
