package bias

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// line writes a row of a table.
func line(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// head writes the first row of a table, and the line under it.
func head(b *strings.Builder, names ...string) {
	line(b, names...)
	fmt.Fprintf(b, "|%s\n", strings.Repeat("---|", len(names)))
}

// compared reports whether any real program was compared with its truth.
func (e *EngineReport) compared() bool {
	for _, m := range e.Means {
		if m.Programs+len(m.Alone) > 0 {
			return true
		}
	}
	return false
}

// averaged reports whether there are enough programs for any mean.
func (e *EngineReport) averaged() bool {
	for _, m := range e.Means {
		if len(m.Overlaps) > 0 {
			return true
		}
	}
	return false
}

// comparedWith says what profiles of real programs are compared with, and whether that has
// earned to be called a truth.
func (r *Report) comparedWith(engine string) string {
	if !r.Engines[engine].compared() {
		return ""
	}
	standing := "which is a " + r.Standing(engine) + " by the exact programs"
	if r.Engines[engine].Samplers[referenceIn(engine)] == nil {
		standing = "a reference that no exact program has judged here"
	}
	return fmt.Sprintf("\nReal programs are compared with the sampler %s, %s; tables say truth for short.\n", referenceIn(engine), standing)
}

// firstTable is what a reader must see of each preset. A promise alone says nothing: a
// preset that tells no functions apart keeps it.
func (e *EngineReport) firstTable(b *strings.Builder) {
	var ways []string
	for _, way := range wayNames(e.Means) {
		if wayRank(way) < len(presets) {
			ways = append(ways, way)
		}
	}
	e.rowsOf(b, e.Means, ways)
	e.Common.table(b)
}

func (e *EngineReport) meansTable(b *strings.Builder) {
	if e.compared() {
		b.WriteString("\n## Real programs, means\n\n")
		e.rowsOf(b, e.Means, wayNames(e.Means))
		e.Common.table(b)
	}
	if e.averaged() {
		e.levelsTable(b)
	}
	if len(e.Classics) > 0 {
		b.WriteString("\n## Classic programs, means\n\n")
		e.rowsOf(b, e.Classics, wayNames(e.Classics))
	}
}

func (e *EngineReport) rowsOf(b *strings.Builder, means map[string]*Mean, ways []string) {
	head(b, "way", "programs", "strict overlap", "resolution", "e^H", "promise: overlap", "floor", "bias", "strict bias", "samples to truth's", "missed")
	for _, way := range ways {
		m := means[way]
		line(b, ruled(way), m.programs(), m.figure(Strict), percent(m.Resolution), percent(m.Functions), m.figure(Promise), m.of(Promise, func(c Comparison) string { return interval(c.Floor) }),
			m.bias(Promise), m.bias(Strict), m.ratios(), percent(m.Missed))
	}
}

// ruled names the rule that classic's cells are by.
func ruled(way string) string {
	if way == "classic" {
		return "classic, own frame"
	}
	return way
}

// programs is "11", "11 of 13" if some are in no mean, or "2: no mean".
func (m *Mean) programs() string {
	text := figures.Mark(fmt.Sprint(m.Programs), m.Few > 0)
	if len(m.Alone) > 0 {
		text += fmt.Sprintf(" of %d", m.Programs+len(m.Alone))
	}
	if m.Programs < estimate.FewestForMean {
		text += ": no mean"
	}
	return text
}

// of is a figure of a level of detail, with the number of programs if it is not the
// promise's.
func (m *Mean) of(detail string, text func(Comparison) string) string {
	c, ok := m.Overlaps[detail]
	if !ok {
		return "–"
	}
	if n := m.Of[detail]; n != m.Programs && n > 0 {
		return fmt.Sprintf("%s, of %d", text(c), n)
	}
	return text(c)
}

func (m *Mean) figure(detail string) string {
	return m.of(detail, func(c Comparison) string { return interval(c.Overlap) })
}

func (m *Mean) bias(detail string) string {
	return m.of(detail, func(c Comparison) string { return biasText(c.Bias) })
}

func (m *Mean) ratios() string {
	if m.MostRatio == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f–%.2f", m.LeastRatio, m.MostRatio)
}

func percent(value *float64) string {
	if value == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f", *value)
}

// biasText is "8.9 (6.1–11.8)", or "≤ 3.2" if there may be none.
func biasText(b estimate.Bias) string {
	if b.Low <= 0 && b.High > 0 {
		return fmt.Sprintf("≤ %.1f", b.High)
	}
	return interval(b.Estimate)
}

// levelsTable compares levels of detail, and the order of functions.
func (e *EngineReport) levelsTable(b *strings.Builder) {
	fmt.Fprintf(b, "\nOverlaps by level of detail; rank correlation (Spearman) of the truth's %d hottest functions, and programs whose hottest function is the truth's, by the preset's promise and strictly.\n\n", topFunctions)
	head(b, "way", "strict", "merged(3)", "merged(10)", "Spearman: promise", "strict", "hottest first: promise", "strict")
	for _, way := range wayNames(e.Means) {
		m := e.Means[way]
		rank := func(detail string, text func(MeanRanks) string) string {
			if r, ok := m.Ranks[detail]; ok {
				return text(r)
			}
			return "–"
		}
		rho := func(r MeanRanks) string {
			switch {
			case r.Unordered == 0:
				return fmt.Sprintf("%.2f", r.Spearman)
			case r.Unordered == r.Of:
				return "–"
			}
			return fmt.Sprintf("%.2f, of %d", r.Spearman, r.Of-r.Unordered)
		}
		hottest := func(r MeanRanks) string { return fmt.Sprintf("%d of %d", r.Hottest, r.Of) }
		line(b, ruled(way), m.figure(Strict), m.figure("merged(3)"), m.figure("merged(10)"), rank(Promise, rho), rank(Strict, rho), rank(Promise, hottest), rank(Strict, hottest))
	}
	if len(e.Floor) > 0 {
		floor := func(detail string) string {
			if f, ok := e.Floor[detail]; ok {
				return interval(f)
			}
			return "–"
		}
		line(b, "*noise floor*", floor(Strict), floor("merged(3)"), floor("merged(10)"), "", "", "", "")
	}
}

func (e *EngineReport) rulesTable(b *strings.Builder) {
	if !e.averaged() {
		return
	}
	b.WriteString("\n## The same samples by other rules\n\nOverlaps: strict / merged(10).\n\n")
	names := []string{"way"}
	for _, rule := range rules {
		names = append(names, rule.Name)
	}
	head(b, names...)
	for _, way := range wayNames(e.Means) {
		cells := []string{ruled(way)}
		for _, rule := range rules {
			values := e.Means[way].Rules[rule.Name]
			if len(values) == 0 {
				cells = append(cells, "–")
				continue
			}
			cells = append(cells, figureAt(values, Strict)+" / "+figureAt(values, "merged(10)"))
		}
		line(b, cells...)
	}
}

// figureAt is the figure of a level of detail; "–" if it has too few programs.
func figureAt(byDetail map[string]float64, detail string) string {
	if value, ok := byDetail[detail]; ok {
		return percent(&value)
	}
	return percent(nil)
}

func (e *EngineReport) programsTable(b *strings.Builder) {
	if !e.compared() && len(e.Classics) == 0 {
		return
	}
	b.WriteString("\n## Real and classic programs\n\nThe worst function and the rank of the truth's hottest one are by the preset's promise.\n\n")
	head(b, "program", "way", "strict overlap", "resolution", "e^H", "promise: overlap", "floor", "bias", "worst function", "truth", "profile", "hottest is", "samples", "to truth's", "in no mean", "left out")
	for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
		for _, way := range wayNames(e.Programs[program]) {
			c := e.Programs[program][way]
			promise, ok := c.Overlaps[Promise]
			if !ok {
				continue
			}
			ranks, rank := c.Ranks[Promise], "missing"
			if ranks.HottestRank > 0 {
				rank = fmt.Sprintf("no. %d", ranks.HottestRank)
			}
			line(b, program, ruled(way), interval(c.Overlaps[Strict].Overlap), fmt.Sprintf("%.1f", c.Resolution), fmt.Sprintf("%.1f", c.Functions), interval(promise.Overlap), interval(promise.Floor), biasText(promise.Bias),
				figures.Cell(ranks.Worst.Function), fmt.Sprintf("%.1f", ranks.Worst.Truth), fmt.Sprintf("%.1f", ranks.Worst.Profile), rank,
				figures.Mark(fmt.Sprint(c.Samples), c.Few), fmt.Sprintf("%.2f", c.Ratio), promise.Alone, leftOut(c.LeftOut))
		}
	}
}

// fewDifferences is how many a table shows of each program.
const fewDifferences = 3

// promisesTable says by what functions were told apart, and where the transform checks
// other functions than the promise says.
func (e *EngineReport) promisesTable(b *strings.Builder) {
	if len(e.Promises) == 0 {
		return
	}
	b.WriteString("\n## What the presets promise\n\nThe functions of each program by acorn, and where the transform's checks differ from the promise (+ checked, − not checked).\n\n")
	head(b, "program", "functions", "by", "differences")
	for _, program := range slices.Sorted(maps.Keys(e.Promises)) {
		p := e.Promises[program]
		by, texts := "acorn", []string(nil)
		if p.Unparsed != "" {
			by = "the transform's own table: " + figures.Cell(p.Unparsed)
		}
		for _, detail := range slices.Sorted(maps.Keys(p.Differences)) {
			list := p.Differences[detail]
			text := fmt.Sprintf("%s: %d, such as %s", detail, len(list), strings.Join(list[:min(fewDifferences, len(list))], ", "))
			texts = append(texts, figures.Cell(text))
		}
		line(b, program, fmt.Sprint(p.Functions), by, strings.Join(texts, "; "))
	}
}

// interval is "90.6 (89.9–91.2)", or the figure alone if it has no interval.
func interval(e Estimate) string {
	if e.Low == e.High {
		return fmt.Sprintf("%.1f", e.Value)
	}
	return fmt.Sprintf("%.1f (%.1f–%.1f)", e.Value, e.Low, e.High)
}
