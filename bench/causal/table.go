package causal

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Table implements figures.Report.
func (r *Report) Table() string {
	return fmt.Sprintf("Profiles compared with slowdowns and optimizations of known effect. [docs/causal.md](../../docs/causal.md) defines the\nfigures. `%s`, %v, %s, %d CPUs, seed %d.\n%s",
		r.Command, r.Took.Round(time.Second), r.Machine.When, r.Machine.CPUs, r.Seed, r.Tables())
}

// Tables are the tables of each engine, and what was skipped.
func (r *Report) Tables() string {
	var b strings.Builder
	for _, name := range r.names() {
		e := r.Engines[name]
		fmt.Fprintf(&b, "\n## %s\n\n", name)
		e.verdictTable(&b)
		e.rivalTable(&b)
		e.programTable(&b)
		e.functionTable(&b)
		e.changeTable(&b)
	}
	if len(r.Skipped) > 0 {
		b.WriteString("\n## Skipped\n\n")
		for _, same := range byReason(r.Skipped) {
			fmt.Fprintf(&b, "- %s\n", skipped(same))
		}
	}
	return b.String()
}

// byReason groups what was skipped in an engine for one reason, in the order of the first of each.
func byReason(all []Skip) [][]Skip {
	var groups [][]Skip
	at := map[[2]string]int{}
	for _, s := range all {
		key := [2]string{s.Engine, s.reason()}
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// skipped is a line about what was skipped for one reason.
func skipped(same []Skip) string {
	engine, reason := figures.Cell(same[0].Engine), figures.Cell(same[0].reason())
	if len(same) == 1 {
		return fmt.Sprintf("%s, %s, %s: %s", engine, figures.Cell(same[0].Program), figures.Cell(same[0].What), reason)
	}
	var programs []string
	for _, s := range same {
		if name := figures.Cell(s.Program); !slices.Contains(programs, name) {
			programs = append(programs, name)
		}
	}
	return fmt.Sprintf("%s: %s (%d skips: %s)", engine, reason, len(same), strings.Join(programs, ", "))
}

// reason is the first line of a reason, as people say it.
func (s *Skip) reason() string {
	reason, _, _ := strings.Cut(s.Reason, "\n")
	return strings.Replace(reason, "is called 1 times", "is called once", 1)
}

// names of the engines with figures, in the order of tables.
func (r *Report) names() []string {
	var names []string
	for _, e := range Engines() {
		if x := r.Engines[e.Name]; x != nil && len(x.Programs)+len(x.Changes) > 0 {
			names = append(names, e.Name)
		}
	}
	return names
}

// wayNames are the presets, then samplers by name.
func wayNames[T any](of map[string]T) []string {
	names := slices.Sorted(maps.Keys(of))
	slices.SortStableFunc(names, func(a, b string) int { return wayRank(a) - wayRank(b) })
	return names
}

func wayRank(name string) int {
	for i, p := range presets {
		if p.String() == name {
			return i
		}
	}
	return len(presets)
}

func (e *Result) verdictTable(b *strings.Builder) {
	b.WriteString("| way | programs | slope | middle half of functions | grew most: right | regret | optimizations | off the measured gain by |\n" + divider(8))
	for _, way := range wayNames(e.Ways) {
		v := e.Ways[way]
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s | %d | %s |\n", way, v.Programs, optional(v.Slope, ratio), middle(v), right(v.Choice), optional(v.Regrets, percent), v.Changes, optional(v.Miss, points1))
	}
	if e.Chance.Of > 0 {
		fmt.Fprintf(b, "| *a random choice* | | | | %.1f of %d | %.0f %% | | |\n", e.Chance.Right, e.Chance.Of, e.Chance.Regret)
	}
}

// rivalTable has a row for each way: how often its choices are right, and by how much they are better
// than others under the same conditions.
func (e *Result) rivalTable(b *strings.Builder) {
	if len(e.Programs) == 0 {
		return
	}
	rivals := e.rivals()
	fmt.Fprintf(b, "\nHow often each way's choice is right, in percent, as the mean of programs; by how many points that is more often than other choices under the same\nconditions; and by how many points its regret is less:\n\n| way | right | more often than %s | less regret than %s |\n%s",
		strings.Join(rivals, " | than "), strings.Join(rivals, " | than "), divider(2+2*len(rivals)))
	for _, way := range wayNames(e.Ways) {
		v := e.Ways[way]
		fmt.Fprintf(b, "| %s | %s |", way, optional(v.Rights, percent))
		for _, of := range []func(*Advantage) *estimate.Estimate{
			func(a *Advantage) *estimate.Estimate { return a.Right }, func(a *Advantage) *estimate.Estimate { return a.Regret },
		} {
			for _, rival := range rivals {
				if a := v.Against[rival]; a != nil {
					fmt.Fprintf(b, " %s", optional(of(a), points0))
				}
				b.WriteString(" |")
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "| *a random choice* | %.0f %% |%s\n", e.rightByChance(), strings.Repeat(" |", 2*len(rivals)))
}

func middle(v *Verdict) string {
	if v.Programs == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f…%.2f", v.Middle[0], v.Middle[1])
}

func right(c Choice) string {
	if c.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f of %d", c.Right, c.Of)
}

// programTable has a row for each program: its slopes, and whether clock and doses agree.
func (e *Result) programTable(b *strings.Builder) {
	if len(e.Programs) == 0 {
		return
	}
	ways := e.doseWays()
	fmt.Fprintf(b, "\nSlopes by program, with the agreement of clock and counted doses:\n\n| program | agreement | %s |\n%s", strings.Join(ways, " | "), divider(2+len(ways)))
	for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
		t := e.Programs[program]
		fmt.Fprintf(b, "| %s | %s |", figures.Cell(program), ratio(t.Agreement))
		for _, way := range ways {
			if m := t.Ways[way]; m != nil {
				fmt.Fprintf(b, " %s", ratio(m.Slope))
			}
			b.WriteString(" |")
		}
		b.WriteByte('\n')
	}
}

// functionTable has a row for each function: its dose, and its slopes.
func (e *Result) functionTable(b *strings.Builder) {
	if len(e.Programs) == 0 {
		return
	}
	ways := e.doseWays()
	fmt.Fprintf(b, "\nThe functions with doses, with their share of the time by the reference (unchecked callees included), and their slopes:\n\n| program | function | share | calls | %s |\n%s", strings.Join(ways, " | "), divider(4+len(ways)))
	for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
		t := e.Programs[program]
		for i, f := range t.Functions {
			fmt.Fprintf(b, "| %s | %s:%d | %.1f %% | %d |", figures.Cell(program), figures.Cell(f.Name), f.Line, f.Share, f.Calls)
			for _, way := range ways {
				if m := t.Ways[way]; m != nil {
					fmt.Fprintf(b, " %.2f", m.Functions[i].Value)
				}
				b.WriteString(" |")
			}
			b.WriteByte('\n')
		}
	}
}

// changeTable has a row for each optimization: what it gained, and what profiles say.
func (e *Result) changeTable(b *strings.Builder) {
	if len(e.Changes) == 0 {
		return
	}
	ways := e.waysOf(func(add func(string)) {
		for _, o := range e.Changes {
			for way := range o.Ways {
				add(way)
			}
		}
	})
	fmt.Fprintf(b, "\nReal optimizations, in percent of the time before: the gain that was measured; and by each way the function's total before, which is the\nmost that can be gained, and the gain that it reports:\n\n| program | function | what it does now | gain | %s |\n%s", strings.Join(ways, " | "), divider(4+len(ways)))
	for _, program := range slices.Sorted(maps.Keys(e.Changes)) {
		o := e.Changes[program]
		fmt.Fprintf(b, "| %s | %s | %s | %s |", figures.Cell(program), figures.Cell(o.Function), figures.Cell(o.What), points1(o.Gain))
		for _, way := range ways {
			if r := o.Ways[way]; r != nil {
				fmt.Fprintf(b, " %.1f: %.1f ± %.1f", r.Before, r.Gain.Value, (r.Gain.High-r.Gain.Low)/2)
			}
			b.WriteString(" |")
		}
		b.WriteByte('\n')
	}
}

// doseWays are the ways in which doses were measured.
func (e *Result) doseWays() []string {
	return e.waysOf(func(add func(string)) {
		for _, t := range e.Programs {
			for way := range t.Ways {
				add(way)
			}
		}
	})
}

// waysOf gathers ways in the order of tables.
func (e *Result) waysOf(each func(add func(string))) []string {
	found := map[string]bool{}
	each(func(way string) { found[way] = true })
	return wayNames(found)
}

func divider(columns int) string { return "|" + strings.Repeat("---|", columns) + "\n" }

// optional formats an estimate, or writes a dash for nil.
func optional(e *estimate.Estimate, format func(estimate.Estimate) string) string {
	if e == nil {
		return "–"
	}
	return format(*e)
}

func ratio(e estimate.Estimate) string {
	return fmt.Sprintf("%.2f [%.2f…%.2f]", e.Value, e.Low, e.High)
}
func percent(e estimate.Estimate) string {
	return fmt.Sprintf("%.0f %% [%.0f…%.0f]", e.Value, e.Low, e.High)
}
func points1(e estimate.Estimate) string {
	return fmt.Sprintf("%.1f [%.1f…%.1f]", e.Value, e.Low, e.High)
}

// points0 is a difference in points.
func points0(e estimate.Estimate) string {
	return fmt.Sprintf("%+.0f [%+.0f…%+.0f]", e.Value, e.Low, e.High)
}
