package overhead

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/plot"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
)

//go:generate go run ../document overhead

//go:embed overhead.md.tmpl
var pageText string

var pageTemplate = template.Must(template.New("overhead.md").Parse(pageText))

// Summary is an engine's costs in short.
type Summary struct{ Title, Table string }

// The names of results. Without the first there is no page; it does without the others.
const (
	costsName    = "overhead"
	browsersName = "overhead-browsers" // they take so long to start that they are recorded apart
	trialName    = "overhead-aa"
	proofName    = "overhead-proof"
	trainedName  = "overhead-trained"
)

var resultNames = []string{costsName, browsersName, trialName, proofName, trainedName}

// pictures are in this folder, as the page in docs finds it.
const pictures = "../bench/results"

// Name is the name of the report's files.
func (r *Report) Name() string {
	switch {
	case r.Trial != nil:
		return trialName
	case r.Proof != nil:
		return proofName
	case r.Within > 0:
		return trainedName
	case browser.Only(slices.Collect(maps.Keys(r.Engines))):
		return browsersName
	}
	return costsName
}

// ReadRecorded reads the results of a directory, by name.
func ReadRecorded(results string) (map[string]*Report, error) {
	return figures.ReadAll[Report](results, resultNames...)
}

// Document is docs/overhead.md, made from the recorded reports.
func Document(reports map[string]*Report) ([]byte, error) {
	r, browsers, trial, proof, trained := reports[costsName], reports[browsersName], reports[trialName], reports[proofName], reports[trainedName]
	if r == nil {
		return nil, fmt.Errorf("there is no %s.json", costsName)
	}
	page := struct {
		*Report
		Minutes                      string
		Summaries                    []Summary
		Pictures                     string
		Aa, Proof, Trained, Browsers string
	}{Report: r, Minutes: r.Took.Round(time.Second).String(), Summaries: r.summaries(), Pictures: plot.Pictures(r.Plots(), pictures)}
	var b strings.Builder
	if browsers != nil {
		fmt.Fprintf(&b, "%s, in %s.\n", browsers.InShort(), browsers.Took.Round(time.Second))
		for _, s := range browsers.summaries() {
			fmt.Fprintf(&b, "\n### %s\n\n%s", s.Title, s.Table)
		}
		browsers.writeSkipped(&b, "###")
		page.Browsers = b.String() + plot.Pictures(browsers.Plots(), pictures)
		b.Reset()
	}
	if trial != nil && trial.Trial != nil {
		fmt.Fprintf(&b, "%s.\n\n", trial.InShort())
		trial.Trial.table(&b)
		page.Aa = b.String()
		b.Reset()
	}
	if proof != nil && proof.Proof != nil {
		fmt.Fprintf(&b, "%s.\n\n", proof.InShort())
		proof.Proof.table(&b)
		page.Proof = b.String()
		b.Reset()
	}
	if trained != nil {
		fmt.Fprintf(&b, "%s, in %s.\n", trained.InShort(), trained.Took.Round(time.Second))
		trained.trainedTable(&b, "###")
		trained.writeSkipped(&b, "###")
		page.Trained = b.String() + plot.Pictures(trained.Plots(), pictures)
	}
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, page)
	return out.Bytes(), err
}

// summaries are those of all engines, by the meters that tell something there.
func (r *Report) summaries() []Summary {
	var list []Summary
	for _, e := range engines {
		for _, meter := range []int{mainMeter, processMeter, wallMeter} {
			if browser.Is(e.name) != (meter == wallMeter) {
				continue
			}
			if table := r.summary(e.name, meter); table != "" {
				list = append(list, Summary{e.name + ": " + titleOf(e.name, meter), table})
			}
		}
	}
	return list
}

// summary is a table of an engine's means, by preset and group.
func (r *Report) summary(engine string, meter int) string {
	presets := slices.SortedFunc(maps.Keys(r.Engines[engine]), byCost)
	var keys, titles []string
	for _, c := range columns {
		if slices.ContainsFunc(presets, func(preset string) bool { return r.Engines[engine][preset].hasMean(c.key, meter) }) {
			keys, titles = append(keys, c.key), append(titles, c.title)
		}
	}
	if len(keys) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| preset | programs | %s |\n|---|---|%s\n", strings.Join(titles, " | "), strings.Repeat("---|", len(keys)))
	for _, preset := range presets {
		t := r.Engines[engine][preset]
		for _, group := range []string{fixtures.Libraries, fixtures.TinyCalls} {
			if t.Means[group] == nil {
				continue
			}
			fmt.Fprintf(&b, "| %s | %s |", preset, group)
			for _, key := range keys {
				fmt.Fprintf(&b, " %s |", t.Means[group][key].text(meter))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// hasMean reports whether any group has a mean.
func (t *Table) hasMean(key string, meter int) bool {
	for _, means := range t.Means {
		if means[key] != nil && *means[key].These.of(meter) != nil {
			return true
		}
	}
	return false
}
