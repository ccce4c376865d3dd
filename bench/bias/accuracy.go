package bias

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"
)

//go:generate go run ./document

//go:embed accuracy.md.tmpl
var accuracyText string

var accuracyTemplate = template.Must(template.New("accuracy.md").Parse(accuracyText))

// accuracyEngine is what the page says of one engine.
type accuracyEngine struct {
	Title                                           string
	Balanced                                        *Mean // nil without real programs
	Short                                           []accuracyRow
	Means, Rules, Exact, Tracing, Rest, Front, Skid string
}

type accuracyRow struct {
	Preset, Promise, Floor, Classic, Libraries, Tiny string
}

var titles = map[string]string{"goja": "goja", "node": "V8 (Node)", "chromium": "V8 (Chromium)", "firefox": "SpiderMonkey (Firefox)", "webkit": "JavaScriptCore (WebKitGTK)"}

// Accuracy is docs/accuracy.md, made of the report.
func (r *Report) Accuracy() ([]byte, error) {
	data := struct {
		Report           *Report
		Quick            bool
		Took             time.Duration
		Few, FewestTicks int
		Engines          []accuracyEngine
		Skipped          string
	}{Report: r, Quick: strings.Contains(r.Command, "--quick"), Took: r.Took.Round(time.Second), Few: fewSamples, FewestTicks: fewestTicks, Skipped: r.skippedInShort()}
	plots := r.Plots()
	for _, name := range r.names() {
		data.Engines = append(data.Engines, r.Engines[name].accuracy(name, plots))
	}
	var b strings.Builder
	if err := accuracyTemplate.Execute(&b, data); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

func (e *EngineReport) accuracy(name string, plots map[string][]byte) accuracyEngine {
	a := accuracyEngine{Title: titles[name]}
	if m := e.Means["balanced"]; m != nil && len(m.Overlaps) > 0 {
		a.Balanced = m
		for _, preset := range presets {
			if m := e.Means[preset.String()]; m != nil {
				a.Short = append(a.Short, e.short(m, preset.String(), mergedName(preset)))
			}
		}
	}
	section := func(write func(*strings.Builder)) string {
		var b strings.Builder
		write(&b)
		return strings.ReplaceAll(b.String(), "\n## ", "\n#### ")
	}
	a.Means, a.Rules = section(e.meansTable), section(e.rulesTable)
	a.Exact, a.Tracing, a.Rest = section(e.exactTable), section(e.tracingTable), section(e.restTable)
	image := func(file, alt string) string {
		if plots[file] == nil {
			return ""
		}
		return fmt.Sprintf("\n![%s](../bench/results/%s)\n", alt, file)
	}
	a.Front = image("bias-front-"+name+".svg", "Overlap against overhead of each preset in "+a.Title)
	a.Skid = image("bias-skid-"+name+".svg", "Skid of each preset in "+a.Title)
	return a
}

// short is a preset's row of the first table. Classic's overlap stands beside
// that of each preset whose functions it is held against, too.
func (e *EngineReport) short(m *Mean, preset, detail string) accuracyRow {
	row := accuracyRow{Preset: preset, Promise: few(figure(m.Overlaps, Promise), m.Few > 0), Floor: interval(m.Overlaps[Promise].Floor),
		Classic: "–", Libraries: optional(m.Idle.Libraries), Tiny: optional(m.Idle.Tiny)}
	if classic := e.Means["classic"]; classic != nil && preset != "classic" {
		row.Classic = figure(classic.Overlaps, detail)
	}
	return row
}

// skippedInShort says what was skipped, but for what there was no time for.
func (r *Report) skippedInShort() string {
	unmet := r.Unmet()
	late := len(r.Skipped) - len(unmet)
	if len(r.Skipped) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("### Skipped\n\n")
	for _, s := range slices.Compact(unmet) {
		reason, _, _ := strings.Cut(s.Reason, "\n")
		fmt.Fprintf(&b, "- %s, %s (%s): %s\n", cell(s.Engine), cell(s.Program), cell(s.Ways), cell(reason))
	}
	if late > 0 {
		fmt.Fprintf(&b, "- %d blocks of runs, for which there was no time.\n", late)
	}
	return b.String()
}
