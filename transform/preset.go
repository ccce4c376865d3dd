package transform

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
)

// Preset names a balance of detail and cost. The one knob behind it is N: a
// function under N statements is checked only if it has a loop, calls what loops in the
// engine (jsscan.Function.Iterates), or is entered by the event loop (Entered, or it is
// async) and calls something. The time of the others is counted in their nearest checked
// caller, which those that the event loop enters do not have.
type Preset uint8

// The presets.
const (
	Balanced Preset = iota // entry, loop and exit checks, N 10
	Classic                // Facebook's: entry only, N 10; for comparison
	Fine                   // entry, loop and exit checks, N 3
	Precise                // entry, loop and exit checks, N 1
)

var presets = []struct {
	name          string
	minStatements int
	checks        functable.Sites
}{
	Balanced: {"balanced", 10, functable.Entry | functable.Loop | functable.Exit},
	Classic:  {"classic", 10, functable.Entry},
	Fine:     {"fine", 3, functable.Entry | functable.Loop | functable.Exit},
	Precise:  {"precise", 1, functable.Entry | functable.Loop | functable.Exit},
}

func (p Preset) String() string {
	if int(p) < len(presets) {
		return presets[p].name
	}
	return fmt.Sprintf("Preset(%d)", uint8(p))
}

// MinStatements is the preset's N.
func (p Preset) MinStatements() int { return presets[p].minStatements }

// Checks are the sites the preset checks.
func (p Preset) Checks() functable.Sites { return presets[p].checks }

// ParsePreset finds a preset by name. The error lists the names there are.
func ParsePreset(name string) (Preset, error) {
	for i, p := range presets {
		if p.name == name {
			return Preset(i), nil
		}
	}
	return 0, fmt.Errorf("no preset %q: choose classic, balanced, fine or precise", name)
}

// ParseChecks reads a comma-separated list of site kinds: "entry,loop,exit".
func ParseChecks(list string) (functable.Sites, error) {
	var sites functable.Sites
	for _, word := range strings.Split(list, ",") {
		switch strings.TrimSpace(word) {
		case "entry":
			sites |= functable.Entry
		case "loop":
			sites |= functable.Loop
		case "exit":
			sites |= functable.Exit
		default:
			return 0, fmt.Errorf("no site kind %q in %q: list any of entry, loop, exit, separated by commas", word, list)
		}
	}
	return sites, nil
}
