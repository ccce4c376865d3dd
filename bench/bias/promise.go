package bias

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
)

// Parsed is a function of a program as acorn, a parser that shares no code with the
// transform, finds it in the program's clean bundle. A preset's promise follows from
// it and from docs/running.md, whichever functions have checks.
type Parsed struct {
	File       string `json:"file"`
	Line       int32  `json:"line"`
	Column     int32  `json:"column"`
	Statements int32  `json:"statements"`
	// Loops: it has a loop, or calls what loops in the engine.
	Loops bool `json:"loops,omitempty"`
	// Entered: the event loop enters it, or goes on with it, and it calls something.
	Entered bool `json:"entered,omitempty"`
	// Initializer: it is of a class's field or a static block, which presets leave out.
	Initializer bool `json:"initializer,omitempty"`
}

func (f *Parsed) key() string {
	return Key(profile.Function{File: f.File, Line: f.Line, Column: f.Column})
}

// promised reports whether a preset with this N promises to tell the function apart.
func (f *Parsed) promised(n int) bool {
	return !f.Initializer && (int(f.Statements) >= n || f.Loops || f.Entered)
}

// parse lists the functions of a bundle that are in the sources, by where they begin there.
func parse(ctx context.Context, b *bundle.Bundle) ([]Parsed, error) {
	if err := fixtures.InstallNodeModules(); err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("there is no node on the PATH")
	}
	kind := "script"
	if b.Module {
		kind = "module"
	}
	script := filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "bias", "promise", "functions.mjs")
	acorn := filepath.Join(fixtures.Dir(), "node_modules", "acorn", "dist", "acorn.mjs")
	cmd := exec.CommandContext(ctx, node, "--stack-size=30000", script, acorn, kind)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(b.Code), &said
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("acorn: %w: %.200s", err, said.String())
	}
	var found struct {
		Functions []struct {
			Start, Params               [2]int
			Statements                  int32
			Loops, Entered, Initializer bool
		}
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("acorn: %w", err)
	}
	if b.SourceMap == nil {
		return nil, errors.New("the bundle has no source map")
	}
	sources, err := sourcemap.Parse(b.SourceMap)
	if err != nil {
		return nil, err
	}
	var list []Parsed
	for _, f := range found.Functions {
		at, ok := sources.Find(f.Start[0]-1, f.Start[1]-1)
		if !ok { // a tool that kept no position of the key
			at, ok = sources.Find(f.Params[0]-1, f.Params[1]-1)
		}
		if ok {
			list = append(list, Parsed{at.Source, int32(at.Line) + 1, int32(at.Column) + 1, f.Statements, f.Loops, f.Entered, f.Initializer})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("acorn: no function of the bundle is in the sources")
	}
	return list, nil
}

// parsed is what a program's functions are in an engine; nil if that is not known, which
// Recording.Unparsed explains.
func (c *Collector) parsed(ctx context.Context, e Engine, program fixtures.Program, r *Recording) {
	if e.Bundle == nil || r.Variant != "" || r.Way.Name != "truth" || program.Expected != nil {
		return
	}
	b, err := e.Bundle(program.Path)
	if err == nil {
		r.Parsed, err = parse(ctx, b)
	}
	if err != nil {
		r.Unparsed = err.Error()
	}
}

// Promised says by what a program's functions were told apart.
type Promised struct {
	Functions int `json:"functions"`
	// Unparsed says why the transform's own table had to serve instead of acorn.
	Unparsed string `json:"unparsed,omitempty"`
	// Differences are where the transform's table and acorn disagree, by preset: "+" is
	// checked and not promised, "−" promised and not checked.
	Differences map[string][]string `json:"differences,omitempty"`
}

// promise are the levels of detail of a group's comparisons: every function, and the
// functions that each preset promises to tell apart.
func (g *group) promise() (map[string]Detail, *Promised) {
	p := &Promised{}
	var parsed []Parsed
	for _, r := range g.runs {
		if len(r.Parsed) > 0 {
			parsed = r.Parsed
		} else if r.Unparsed != "" {
			p.Unparsed = r.Unparsed
		}
	}
	own := g.ownDetails()
	if len(parsed) == 0 {
		p.Unparsed = cmp.Or(p.Unparsed, "the recordings do not have them by acorn")
		p.Functions = len(own[Strict].apart)
		return own, p
	}
	p.Unparsed = ""
	details := map[string]Detail{Strict: {Name: Strict, apart: map[string]bool{}}}
	for name, preset := range merges {
		apart := map[string]bool{}
		for i := range parsed {
			f := &parsed[i]
			details[Strict].apart[f.key()] = true
			if f.promised(preset.MinStatements()) {
				apart[f.key()] = true
			}
		}
		details[name] = Detail{Name: name, apart: apart}
	}
	p.Functions = len(details[Strict].apart)
	for name, detail := range own {
		if differences := detail.differences(details[name]); len(differences) > 0 {
			if p.Differences == nil {
				p.Differences = map[string][]string{}
			}
			p.Differences[name] = differences
		}
	}
	return details, p
}

// merges are the presets that levels of detail are named after.
var merges = map[string]transform.Preset{
	mergedName(transform.Balanced): transform.Balanced, mergedName(transform.Fine): transform.Fine, mergedName(transform.Precise): transform.Precise,
}

// differences from what was promised.
func (d Detail) differences(promised Detail) []string {
	var list []string
	for key := range d.apart {
		if !promised.apart[key] {
			list = append(list, "+ "+key)
		}
	}
	for key := range promised.apart {
		if !d.apart[key] {
			list = append(list, "− "+key)
		}
	}
	slices.Sort(list)
	return list
}
