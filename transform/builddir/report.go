package builddir

import (
	"time"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform"
)

// Report says what a run found and did. Its JSON form is what
// instrument --json prints.
type Report struct {
	Output  string `json:"output"`
	Preset  string `json:"preset"`
	Files   int    `json:"files"` // of the input
	Scripts int    `json:"scripts"`
	// ScriptBytes is the size of all scripts.
	ScriptBytes int64 `json:"scriptBytes"`
	Pages       int   `json:"pages"`
	// Instrumented are the scripts and pages that changed.
	Instrumented int `json:"instrumented"`
	// Functions counts all; Checked those with a check. Statements likewise:
	// their share is the coverage, how much of the code a profile can tell apart.
	Functions         int `json:"functions"`
	CheckedFunctions  int `json:"checkedFunctions"`
	Statements        int `json:"statements"`
	CheckedStatements int `json:"checkedStatements"`
	// Placed says what counts have chosen; nil without them.
	Placed *Placed `json:"placed,omitempty"`
	// Handlers are inline event handlers, which are left alone.
	Handlers int   `json:"inlineHandlers"`
	Sizes    Sizes `json:"sizes"`
	// Elapsed is the time spent on scripts, from reading to writing.
	Elapsed  time.Duration `json:"elapsedNanoseconds"`
	Details  []*FileReport `json:"details"`
	Warnings []Warning     `json:"warnings"`
}

// Sizes are the sizes of all scripts and pages that changed. Compressed sizes
// are for gzip at its best level and brotli at level 5; 0 when not measured.
type Sizes struct {
	Raw    Growth `json:"raw"`
	Gzip   Growth `json:"gzip"`
	Brotli Growth `json:"brotli"`
}

// Growth is a size in bytes before and after.
type Growth struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// Percent is by how much it grew.
func (g Growth) Percent() float64 {
	if g.Before == 0 {
		return 0
	}
	return float64(g.After-g.Before) / float64(g.Before) * 100
}

func (g *Growth) add(other Growth) {
	g.Before += other.Before
	g.After += other.After
}

// FileReport is what happened to one script or page.
type FileReport struct {
	Path  string          `json:"path"`
	Bytes Growth          `json:"bytes"`
	Stats transform.Stats `json:"stats"`
	// LeftOut says why the file was not searched; "" if it was.
	LeftOut string `json:"leftOut,omitempty"`
	// Imports is the file of the runtime that a module now imports, by its path in
	// the output; "" for what is no module or has no checks.
	Imports string `json:"imports,omitempty"`
	// List has every function, when asked for.
	List []Listed `json:"list,omitempty"`

	changed  bool
	handlers int
	warnings []Warning
}

// Listed is one function and why it is in or out.
type Listed struct {
	Line     int32   `json:"line"` // where it is defined in the input
	Column   int32   `json:"column"`
	Name     string  `json:"name"`
	Checks   string  `json:"checks"` // the site kinds, "" when it is out
	Reason   string  `json:"reason"`
	Original *Origin `json:"original,omitempty"`
}

// Origin is a place in a source, as the map names it.
type Origin struct {
	Source string `json:"source"`
	Line   int32  `json:"line"`
	Column int32  `json:"column"`
	Name   string `json:"name"`
}

// Warning is something the user should know about a file.
type Warning struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"` // 1-based; 0 when the whole file is meant
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"`
}

func (w Warning) String() string {
	return transform.Warning{File: w.File, Line: w.Line, Column: w.Column, Text: w.Text}.String()
}

// warn notes a warning about the whole file.
func (r *FileReport) warn(text string) {
	if text != "" {
		r.warnings = append(r.warnings, Warning{File: r.Path, Text: text})
	}
}

// add merges another report on the same file.
func (r *FileReport) add(made *FileReport) {
	r.Bytes, r.Stats, r.LeftOut, r.Imports, r.List, r.changed = made.Bytes, made.Stats, made.LeftOut, made.Imports, made.List, made.changed
	r.warnings = append(r.warnings, made.warnings...)
}

// fill merges a result of Transform; a page has several.
func (r *FileReport) fill(result *transform.Result, list bool) {
	r.Stats.Add(result.Stats)
	for _, w := range result.Warnings {
		r.warnings = append(r.warnings, Warning{w.File, w.Line, w.Column, w.Text})
	}
	if !list {
		return
	}
	for i := range result.Table.Functions {
		f := &result.Table.Functions[i]
		if f.Kind == functable.Script {
			continue
		}
		at, name := result.Reasons[i].At, f.Name
		if name == "" {
			name = f.Inferred
		}
		listed := Listed{at.Line, at.Column, name, f.Sites.String(), result.Reasons[i].String(), nil}
		if o := f.Original; o != nil {
			listed.Original = &Origin{o.Source, o.Line, o.Column, o.Name}
		}
		r.List = append(r.List, listed)
	}
}

// report sums up.
func (w *work) report() *Report {
	r := &Report{
		Output:  w.Output,
		Preset:  w.Preset.String(),
		Files:   w.tree.total.Files,
		Scripts: len(w.scripts),
		Pages:   len(w.pages),
		Sizes:   w.sizes,
		Elapsed: w.spent,
		Details: w.details(),
	}
	for _, s := range w.scripts {
		r.ScriptBytes += s.size
	}
	for _, d := range r.Details {
		if d.changed {
			r.Instrumented++
		}
		r.Functions += d.Stats.Functions
		r.CheckedFunctions += d.Stats.CheckedFunctions
		r.Statements += d.Stats.Statements
		r.CheckedStatements += d.Stats.CheckedStatements
		r.Handlers += d.handlers
		r.Warnings = append(r.Warnings, d.warnings...)
	}
	w.reportChoice(r)
	r.Warnings = append(r.Warnings, w.warnings...)
	r.Warnings = append(r.Warnings, w.warnOfEmbeds()...)
	if w.out != nil {
		r.Warnings = append(r.Warnings, w.out.warnings()...)
	}
	return r
}

// details are the reports on all scripts, then all pages, by path.
func (w *work) details() []*FileReport {
	all := make([]*FileReport, 0, len(w.scripts)+len(w.pages))
	for _, s := range w.scripts {
		all = append(all, s.done)
	}
	for _, p := range w.pages {
		all = append(all, p.done)
	}
	return all
}
