package bias

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/truth"
)

//go:generate go run ../document bias

//go:embed accuracy.md.tmpl
var accuracyText string

var accuracyTemplate = template.Must(template.New("accuracy.md").Parse(accuracyText))

// accuracyEngine is the page's data of one engine.
type accuracyEngine struct {
	Title                                           string
	Balanced                                        *Mean  // nil without real programs
	First                                           string // the first table
	Reference                                       string // how right the reference is where the truth is known
	Means, Rules, Exact, Tracing, Rest, Plots, Skid string
}

var titles = map[string]string{"goja": "goja", "node": "V8 (Node)", currentNode: "V8 (current Node)", "chromium": "V8 (Chromium)", "firefox": "SpiderMonkey (Firefox)", "webkit": "JavaScriptCore (WebKitGTK)"}

// Accuracy is docs/accuracy.md, made from the report, and costs if there are any.
func (r *Report) Accuracy(costs Costs) ([]byte, error) {
	data := struct {
		Report           *Report
		Quick            bool
		Took             time.Duration
		Few, FewestTicks int
		Engines          []accuracyEngine
		Several          bool // cells in several processes, in some engine
		Skipped          string
		Versions         string
	}{Report: r, Versions: r.Machine.Versions(), Quick: strings.Contains(r.Command, "--quick"), Took: r.Took.Round(time.Second), Few: figures.FewSamples, FewestTicks: fewestTicks, Skipped: r.skippedInShort()}
	plots := r.Plots(costs)
	for _, name := range r.names() {
		data.Several = data.Several || len(r.Engines[name].Processes) > 0
		data.Engines = append(data.Engines, r.Engines[name].accuracy(name, plots))
	}
	var b strings.Builder
	if err := accuracyTemplate.Execute(&b, data); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

func (e *EngineReport) accuracy(name string, plots map[string][]byte) accuracyEngine {
	a := accuracyEngine{Title: titles[name], Reference: e.reference(referenceIn(name))}
	if m := e.Means["balanced"]; m != nil && len(m.Overlaps) > 0 {
		a.Balanced = m
		var b strings.Builder
		e.firstTable(&b)
		a.First = b.String()
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
	a.Plots = image("bias-overlap-"+name+".svg", "Overlap and noise floor of each preset in "+a.Title) +
		image("bias-front-"+name+".svg", "Overlap against overhead of each preset in "+a.Title)
	a.Skid = image("bias-skid-"+name+".svg", "Skid of each preset in "+a.Title)
	return a
}

// skippedInShort lists what was skipped; for lack of time, in one line per engine.
func (r *Report) skippedInShort() string {
	unmet := r.Unmet()
	late := map[string][]string{}
	for _, s := range r.Skipped {
		if s.late() && !slices.Contains(late[s.Engine], s.Program) {
			late[s.Engine] = append(late[s.Engine], s.Program)
		}
	}
	if len(r.Skipped) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("### Skipped\n\n")
	for _, s := range slices.Compact(unmet) {
		reason, _, _ := strings.Cut(s.Reason, "\n")
		fmt.Fprintf(&b, "- %s, %s (%s): %s\n", figures.Cell(s.Engine), figures.Cell(s.Program), figures.Cell(s.Ways), figures.Cell(reason))
	}
	for _, engine := range slices.Sorted(maps.Keys(late)) {
		fmt.Fprintf(&b, "- %s, for which there was no time, or not for all rounds: %s\n", figures.Cell(engine), figures.Cell(strings.Join(late[engine], ", ")))
	}
	return b.String()
}

// reference says how right the sampler that real programs are compared with is on the exact
// programs, if they ran.
func (e *EngineReport) reference(sampler string) string {
	s := e.Samplers[sampler]
	if s == nil || len(s.Kinds) == 0 {
		return ""
	}
	var right int
	var lowest *truth.Qualification
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		q := s.Kinds[kind]
		if q.Verdict == truth.IsTruth {
			right++
		}
		if lowest == nil || q.Lowest.Value < lowest.Lowest.Value {
			lowest = q
		}
	}
	return fmt.Sprintf("The reference is the sampler `%s`. It is a truth for %d of the %d kinds of exact programs; it is worst on `%s`, where it reads %.1f.",
		sampler, right, len(s.Kinds), lowest.LowestProgram, lowest.Lowest.Value)
}
