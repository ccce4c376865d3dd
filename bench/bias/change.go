package bias

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// Change is known extra work in one function of a program in one file.
type Change struct {
	Function string // its readable name
	Anchor   string // the work goes after this text, on the same line; it occurs once in the file
	Work     string
	// Growth is the part that the work adds to the whole program, if known by
	// construction; 0 if processor time has to show it.
	Growth float64
}

// The variants of a changed program.
const (
	Before = "before"
	After  = "after"
)

// changes are the changes that the bench makes. The exact program runs the function's
// own loop twice more; the real one does the same arithmetic with a result that the
// program cannot see.
var changes = map[string]Change{
	"sequence": {
		Function: "light", Growth: 0.2,
		Anchor: "function light(x, n) {",
		Work:   " for (let i = 0; i < 2 * n; i++) { x = (x * 1103 + 12345) % 65521; }",
	},
	"kernel": {
		Function: "pick",
		Anchor:   "  pick() {",
		Work:     " let work = this.turn; for (let i = 0; i < 20; i++) { work = (work * 1103 + 12345) % 65521; } if (work < 0) return null;",
	},
}

// actionBlocks run programs with and without extra work.
func actionBlocks(o Options, round int) []Block {
	var blocks []Block
	for _, program := range append(fixtures.Exact(), fixtures.Real()...) {
		change, ok := changes[program.Name]
		if !ok || o.Quick && change.Growth == 0 {
			continue
		}
		for _, e := range engines[:2] {
			ways := append(cleanWays()[:1], profiledWays([]transform.Preset{transform.Precise}, "", standardInterval)...)
			blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Ways: ways, Change: &change})
		}
	}
	return blocks
}

// variant writes a program into a folder, changed or not, and returns it as it
// is to be run. Both variants have one path, so that functions keep theirs.
func (c *Change) variant(program fixtures.Program, folder, variant string) (fixtures.Program, error) {
	source, err := os.ReadFile(program.Path)
	if err != nil {
		return program, err
	}
	text := string(source)
	if n := strings.Count(text, c.Anchor); n != 1 {
		return program, fmt.Errorf("%s has %q %d times, not once: the change of bench/bias has lost its place", program.Path, c.Anchor, n)
	}
	if variant == After {
		text = strings.Replace(text, c.Anchor, c.Anchor+c.Work, 1)
	}
	program.Path = filepath.Join(folder, filepath.Base(program.Path))
	return program, os.WriteFile(program.Path, []byte(text), 0o644)
}
