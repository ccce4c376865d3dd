package causal

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"unicode/utf16"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// script is a program as one file, which is edited in place: engines bundle it again
// under the same path, so functions keep theirs.
type script struct {
	path  string
	text  string
	sites []site // the script itself, then functions in order of Head
	lines []int  // offsets at which lines begin
}

// site is a function of a script, by offsets in bytes.
type site struct {
	Head   int `json:"head"`   // of the function, or of the member that it is
	Body   int `json:"body"`   // its brace
	Insert int `json:"insert"` // where its body takes a statement
	End    int `json:"end"`
}

// flat makes a program one file in a folder, with an engine's own bundler.
func flat(ctx context.Context, e *Engine, program fixtures.Program, folder string) (*script, error) {
	b, err := e.Bundle(program.Path)
	if err != nil {
		return nil, err
	}
	extension := ".js"
	if b.Module {
		extension = ".mjs"
	}
	return parse(ctx, filepath.Join(folder, program.Name+extension), string(b.Code))
}

//go:embed js/sites.mjs
var sitesScript []byte

// parse writes a script to its path and lists its functions, in Node with acorn.
func parse(ctx context.Context, path, text string) (*script, error) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, err
	}
	tool := filepath.Join(filepath.Dir(path), "sites$.mjs")
	if err := os.WriteFile(tool, sitesScript, 0o600); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, "node", tool, path, filepath.Join(fixtures.Dir(), "package.json")).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		return nil, fmt.Errorf("listing functions with acorn: %w", err)
	}
	s := &script{path: path, text: text, lines: []int{0}}
	if err := json.Unmarshal(out, &s.sites); err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.sites[1:], func(a, b site) int { return a.Head - b.Head })
	for i := range text {
		if text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s, nil
}

// find returns the index of the function whose head is around a position, a line and a
// UTF-16 column from 1; 0 if none is.
func (s *script) find(line, column int32) int {
	if line < 1 || int(line) > len(s.lines) || column < 1 {
		return 0
	}
	offset, units := s.lines[line-1], int(column)-1
	for i, r := range s.text[offset:] {
		if units <= 0 || r == '\n' {
			return s.around(offset + i)
		}
		units -= utf16.RuneLen(r)
	}
	return 0
}

func (s *script) around(offset int) int {
	found := 0
	for i, f := range s.sites[1:] { // inner functions come later
		if f.Head <= offset && offset <= f.Body {
			found = i + 1
		}
	}
	return found
}

// functionOf returns the index of a profile's function, 0 if it is not one of the script.
func (s *script) functionOf(f profile.Function) int {
	if f.Flags&(profile.Pseudo|profile.NativeCode|profile.TopLevel) != 0 || filepath.Base(f.File) != filepath.Base(s.path) {
		return 0
	}
	return s.find(f.Line, f.Column)
}

// holding returns the innermost function in whose body an offset is, 0 if none is.
func (s *script) holding(offset int) int {
	found := 0
	for i, f := range s.sites[1:] {
		if f.Body <= offset && offset < f.End {
			found = i + 1
		}
	}
	return found
}

// checks are what the presets put into a script.
type checks struct {
	sites   map[transform.Preset][]functable.Sites // of each function of the source
	checked []profile.Function                     // those that balanced tells apart
}

// presets are what is compared, in the order of tables.
var presets = []transform.Preset{transform.Classic, transform.Balanced, transform.Fine, transform.Precise}

// checksIn instruments the file at a path with each preset, as its engine does.
func checksIn(e *Engine, path string) (*checks, error) {
	b, err := e.Bundle(path)
	if err != nil {
		return nil, err
	}
	goal := e.Goal
	if b.Module {
		goal = transform.Module
	}
	c := &checks{sites: map[transform.Preset][]functable.Sites{}}
	for _, preset := range presets {
		settings := engine.Settings{Selection: transform.Selection{Preset: preset}}
		made, err := settings.Instrument(b.Code, transform.Options{File: "(dose).js", Target: e.Target, Goal: goal, SourceMap: b.SourceMap})
		if err != nil {
			return nil, err
		}
		c.sites[preset] = sitesOf(made)
		if preset != transform.Balanced {
			continue
		}
		symbols := made.Symbols()
		for _, f := range symbols.Functions() {
			if f.Flags&profile.Checked != 0 {
				c.checked = append(c.checked, f)
			}
		}
	}
	return c, nil
}

// sitesOf are the checks of a program's functions: neither the spin's own, nor the one
// that a bundler puts around a program, where the spin's variables are.
func sitesOf(made *instrumented.Script) []functable.Sites {
	var list []functable.Sites
	for i := range made.Table.Functions {
		if f := &made.Table.Functions[i]; f.Original != nil && f.Name != "spin$never" {
			list = append(list, f.Sites)
		}
	}
	return list
}

// differs names the first preset that puts other checks into one script than into
// another; "" if none does.
func (c *checks) differs(from *checks) string {
	for _, preset := range presets {
		if !slices.Equal(c.sites[preset], from.sites[preset]) {
			return preset.String()
		}
	}
	return ""
}
