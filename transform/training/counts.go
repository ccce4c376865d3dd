// Package training places checks by what a program did. A counting build counts how often each
// of its sites is executed (transform.Selection.Train); from these counts and the time that a
// check takes, Choose finds the checks that tell most for a given overhead.
package training

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/fieldprof/fieldprof/functable"
)

// Counts are how often the sites of one build were executed, as counts.json has them.
type Counts struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Build is the hash of all scripts of the build, see BuildHash.
	Build string `json:"build"`
	// Preset names the selection whose sites were counted (transform.Selection.Label).
	Preset string `json:"preset"`
	// Sessions is how many runs are added up.
	Sessions int `json:"sessions"`
	// Milliseconds is how long the program was busy in them.
	Milliseconds float64 `json:"milliseconds"`
	Files        []File  `json:"files"`

	from string // the name of what was read, for messages
}

// File is a script, or one of a page, with those of its functions that were executed.
type File struct {
	File      string     `json:"file"`
	Hash      string     `json:"hash"` // of its text before checks, see Hash
	Functions []Function `json:"functions"`
}

// Function is a function with sites. Index is its place in the function table; 0 is the top level.
type Function struct {
	Index  int32  `json:"index"`
	Line   int32  `json:"line"` // where it is defined in the text before checks
	Column int32  `json:"column"`
	Name   string `json:"name"`
	// Statements counts the function's own statements; Iterates says that it calls what loops in the engine.
	Statements int32 `json:"statements"`
	Iterates   bool  `json:"iterates,omitempty"`
	// Entry, Loops and Exit are the executions of its sites; nil where it has none.
	Entry *int64  `json:"entry,omitempty"`
	Loops []int64 `json:"loops,omitempty"`
	Exit  *int64  `json:"exit,omitempty"`
}

// The format of counts.json, and its version.
const (
	Format  = "fieldprof counts"
	Version = 1
)

// Sites are the kinds of sites that were counted.
func (f *Function) Sites() functable.Sites {
	var sites functable.Sites
	if f.Entry != nil {
		sites |= functable.Entry
	}
	if len(f.Loops) > 0 {
		sites |= functable.Loop
	}
	if f.Exit != nil {
		sites |= functable.Exit
	}
	return sites
}

// executions of its entry, its loops together, and its exit.
func (f *Function) executions() (entry, loops, exit float64) {
	for _, n := range f.Loops {
		loops += float64(n)
	}
	return float64(value(f.Entry)), loops, float64(value(f.Exit))
}

func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// Functions yields all functions that were counted, each with its file.
func (c *Counts) Functions() iter.Seq2[*File, *Function] {
	return func(yield func(*File, *Function) bool) {
		for i := range c.Files {
			file := &c.Files[i]
			for k := range file.Functions {
				if !yield(file, &file.Functions[k]) {
					return
				}
			}
		}
	}
}

// From names the file that the counts were read from.
func (c *Counts) From() string { return cmp.Or(c.from, "counts") }

// Encode writes counts as counts.json has them, in order of file and function.
func (c *Counts) Encode() ([]byte, error) {
	ordered := *c
	ordered.Files = slices.Clone(c.Files)
	slices.SortFunc(ordered.Files, compareFiles)
	for i := range ordered.Files {
		f := &ordered.Files[i]
		f.Functions = slices.Clone(f.Functions)
		slices.SortFunc(f.Functions, func(a, b Function) int { return cmp.Compare(a.Index, b.Index) })
	}
	text, err := json.Marshal(&ordered)
	return append(text, '\n'), err
}

func compareFiles(a, b File) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Hash, b.Hash))
}

// Hash identifies a script by its text before checks.
func Hash(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:16])
}

// Script is a script of a build: its file and the hash of its text.
type Script struct{ File, Hash string }

// BuildHash identifies a build by its scripts, in any order.
func BuildHash(scripts []Script) string {
	scripts = slices.Clone(scripts)
	slices.SortFunc(scripts, func(a, b Script) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Hash, b.Hash))
	})
	sum := sha256.New()
	for _, s := range scripts {
		fmt.Fprintf(sum, "%q %s\n", s.File, s.Hash)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// OfBuild reports what keeps counts from being those of a build with a preset. It names a script
// that has changed, if one has.
func (c *Counts) OfBuild(build, preset string, scripts []Script) error {
	if c.Preset != preset {
		return fmt.Errorf("%s: the sites of preset %s were counted, and checks are asked for with preset %s: train again, or name the same preset", c.From(), c.Preset, preset)
	}
	if c.Build == build {
		return nil
	}
	hashes := map[string]bool{}
	for _, s := range scripts {
		hashes[s.File], hashes[s.File+"\n"+s.Hash] = true, true
	}
	for i := range c.Files {
		switch f := &c.Files[i]; {
		case !hashes[f.File]:
			return fmt.Errorf("%s: it has counts of %s, which this build has not: train again with this build", c.From(), f.File)
		case !hashes[f.File+"\n"+f.Hash]:
			return fmt.Errorf("%s: %s has changed since it was counted: train again with this build", c.From(), f.File)
		}
	}
	return fmt.Errorf("%s: these are counts of another build (%s, and this is %s): train again with this build", c.From(), c.Build, build)
}

// Executions of all of its sites.
func (f *Function) Executions() float64 {
	entry, loops, exit := f.executions()
	return entry + loops + exit
}
