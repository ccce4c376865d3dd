package bias

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/profile"
)

// Distribution is self time by function: samples, each with its owner's key and
// its weight in ticks. The zero Distribution is empty.
type Distribution struct {
	keys    []string
	index   map[string]int
	owner   []int32 // into keys, of each sample
	weight  []float64
	known   []float64         // instead of samples: the shares, by construction
	labels  map[string]string // for people, by key
	leftOut map[string]float64
}

// Known is a distribution that is known without samples.
func Known(shares map[string]float64) *Distribution {
	d := &Distribution{}
	for _, key := range slices.Sorted(maps.Keys(shares)) { // sums depend on their order
		i := d.indexOf(key)
		for len(d.known) <= i {
			d.known = append(d.known, 0)
		}
		d.known[i] += shares[key]
	}
	return d
}

// Add adds a sample.
func (d *Distribution) Add(key string, ticks float64) {
	d.owner = append(d.owner, int32(d.indexOf(key)))
	d.weight = append(d.weight, ticks)
}

func (d *Distribution) indexOf(key string) int {
	i, ok := d.index[key]
	if !ok {
		if d.index == nil {
			d.index = map[string]int{}
		}
		i = len(d.keys)
		d.index[key] = i
		d.keys = append(d.keys, key)
	}
	return i
}

// Len is the number of samples.
func (d *Distribution) Len() int { return len(d.owner) }

// effective is the number of equal samples that would scatter as much.
func (d *Distribution) effective() float64 { return align(d)[0].sampled().Len() }

// Functions is the effective number of functions: e to the entropy of the shares, which is
// n for n functions of equal shares. 1 means that everything is in one.
func (d *Distribution) Functions() float64 {
	entropy, ticks := 0.0, d.ticks()
	total := figures.Sum(ticks)
	for _, t := range ticks {
		if t > 0 {
			entropy -= t / total * math.Log(t/total)
		}
	}
	return math.Exp(entropy)
}

// thinned has n of the samples, drawn without replacement, if there are more.
func (d *Distribution) thinned(n int, seed uint64) *Distribution {
	if d.Len() <= n {
		return d
	}
	thin := &Distribution{keys: d.keys, index: d.index, labels: d.labels}
	order := rand.New(rand.NewPCG(seed, 0xd1342543de82ef95)).Perm(d.Len())[:n]
	slices.Sort(order)
	for _, i := range order {
		thin.owner, thin.weight = append(thin.owner, d.owner[i]), append(thin.weight, d.weight[i])
	}
	return thin
}

// Shares are the shares by key, in percent; there are none if it is empty.
func (d *Distribution) Shares() map[string]float64 {
	ticks, total := d.ticks(), 0.0
	for _, t := range ticks {
		total += t
	}
	shares := make(map[string]float64, len(ticks))
	if total > 0 {
		for i, t := range ticks {
			shares[d.keys[i]] = 100 * t / total
		}
	}
	return shares
}

// ticks are the ticks of each key, in order of keys.
func (d *Distribution) ticks() []float64 {
	ticks := make([]float64, len(d.keys))
	copy(ticks, d.known)
	for i, owner := range d.owner {
		ticks[owner] += d.weight[i]
	}
	return ticks
}

// Label is the readable name of a key's function.
func (d *Distribution) Label(key string) string {
	if label := d.labels[key]; label != "" {
		return label
	}
	return key
}

// LeftOut are the ticks in no function of the program, in percent of all, by
// pseudo-function.
func (d *Distribution) LeftOut() map[string]float64 {
	total := 0.0
	for _, w := range d.weight {
		total += w
	}
	for _, t := range d.leftOut {
		total += t
	}
	percent := map[string]float64{}
	for name, t := range d.leftOut {
		percent[name] = 100 * t / total
	}
	return percent
}

// leave adds ticks that are left out.
func (d *Distribution) leave(name string, ticks float64) {
	if d.leftOut == nil {
		d.leftOut = map[string]float64{}
	}
	d.leftOut[name] += ticks
}

// Detail says which functions a distribution tells apart.
type Detail struct {
	Name  string // "strict", "merged(10)"
	apart map[string]bool
	// everything: each function that a profile names is told apart.
	everything bool
}

// NewDetail tells apart the functions given.
func NewDetail(name string, functions []profile.Function) Detail {
	d := Detail{Name: name, apart: map[string]bool{}}
	for _, f := range functions {
		d.apart[Key(f)] = true
	}
	return d
}

// Resolution is the share of time, in percent, in functions that are told apart by
// themselves. Code outside functions counts where any function is told apart from it.
func (d Detail) Resolution(strict *Distribution) float64 {
	resolved, ticks := 0.0, strict.ticks()
	for i, t := range ticks {
		if key := strict.keys[i]; d.apart[key] || len(d.apart) > 0 && strings.HasPrefix(key, topLevel) {
			resolved += t
		}
	}
	return 100 * resolved / max(figures.Sum(ticks), math.SmallestNonzeroFloat64)
}

// topLevel begins the keys of code outside functions.
const topLevel = "(top level) "

// Key identifies a function by where it is defined, across profiles. Code outside
// functions belongs to its file.
func Key(f profile.Function) string {
	if f.Flags&profile.TopLevel != 0 {
		return topLevel + f.File
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
}

// Weighing is the rule for a sample's weight.
type Weighing uint8

// The weighings. A missed tick or two may be due to the machine, more are due to a long
// time without a check: hence LongTicks.
const (
	ByTicks   Weighing = iota // the ticks it took
	BySample                  // one
	LongTicks                 // the ticks it took if they are three or more, else one
)

func (w Weighing) of(ticks int32) float64 {
	if w == BySample || w == LongTicks && ticks < 3 {
		return 1
	}
	return float64(ticks)
}

// AddProfile adds the self time of an attributed profile. The time of a function that
// is not told apart goes to its nearest caller that is.
func (d *Distribution) AddProfile(p *profile.Profile, detail Detail, weighing Weighing) {
	keys := make([]string, len(p.Functions.Name))
	d.add(p, detail, weighing, func(owner profile.FunctionID) string {
		if owner < 0 {
			return ""
		}
		if keys[owner] == "" {
			keys[owner] = Key(p.Function(owner))
			d.name(keys[owner], p.DisplayName(owner))
		}
		return keys[owner]
	})
}

// add counts each sample of a profile under the key of its owner; the owner −1 means that it
// has none. Samples without a key, or in no function of the program, are left out.
func (d *Distribution) add(p *profile.Profile, detail Detail, weighing Weighing, keyOf func(owner profile.FunctionID) string) {
	owners := ownersOf(p, detail)
	for i := range p.Len() {
		s := p.Sample(i)
		ticks := weighing.of(s.Weight)
		if name := outside(p, s); name != "" {
			d.leave(name, ticks)
		} else if key := keyOf(owners[s.Stack]); key != "" {
			d.Add(key, ticks)
		} else {
			d.leave(profile.NameProgram, ticks)
		}
	}
}

func (d *Distribution) name(key, label string) {
	if d.labels == nil {
		d.labels = map[string]string{}
	}
	d.labels[key] = label
}

// ownersOf is, for each stack, the innermost function that is told apart, or
// -1. Code outside functions always is.
func ownersOf(p *profile.Profile, detail Detail) []profile.FunctionID {
	apart := make([]bool, len(p.Functions.Name))
	for f := range apart {
		function := p.Function(profile.FunctionID(f))
		apart[f] = function.Flags&(profile.Pseudo|profile.NativeCode) == 0 &&
			(function.Flags&profile.TopLevel != 0 || detail.everything || detail.apart[Key(function)])
	}
	owners := make([]profile.FunctionID, len(p.Stacks.Parent))
	for s, parent := range p.Stacks.Parent { // parents come first
		f := p.Frames.Function[p.Stacks.Frame[s]]
		switch {
		case apart[f]:
			owners[s] = f
		case parent == profile.NoStack:
			owners[s] = -1
		default:
			owners[s] = owners[parent]
		}
	}
	return owners
}

// outside names the pseudo-function of a sample in no function of the program, "" for
// all others.
func outside(p *profile.Profile, s profile.Sample) string {
	switch s.Kind {
	case profile.Idle, profile.GC, profile.Lost:
		return s.Kind.PseudoName()
	}
	if s.Stack == profile.NoStack {
		return profile.NameProgram
	}
	top := p.Function(p.Frames.Function[p.Stacks.Frame[s.Stack]])
	if top.Flags&profile.Pseudo != 0 {
		switch top.Name {
		case profile.NameIdle, profile.NameGC, profile.NameLost:
			return top.Name
		}
	}
	return ""
}
