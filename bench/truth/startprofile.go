package truth

import (
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

// readStartProfile adds the output of goja.StartProfile. Every sample weighs the
// same: the time in goja's samples is from the tick to the end of the instruction,
// not the time that a sample represents.
func readStartProfile(written io.Reader, r *recording) error {
	p, err := pprof.Read(written)
	if err != nil {
		return fmt.Errorf("goja's profile: %w", err)
	}
	stacks := make([]profile.StackID, len(p.Stacks.Parent))
	for i, parent := range p.Stacks.Parent { // parents come first
		if stacks[i] = profile.NoStack; parent != profile.NoStack {
			stacks[i] = stacks[parent]
		}
		frame := p.Stacks.Frame[i]
		f := p.Function(p.Frames.Function[frame])
		if f.File == gojaBundle {
			line := p.Frames.Line[frame]
			stacks[i] = r.pushFunction(stacks[i], functionOnLine(r.script.Table, f.Name, line), functable.Position{Line: line})
		}
	}
	for i := range p.Len() {
		stack := profile.NoStack
		if s := p.Sample(i).Stack; s != profile.NoStack {
			stack = stacks[s]
		}
		r.add(time.Duration(i)*10*time.Millisecond, stack, 1, profile.Program)
	}
	return nil
}

// numbered is the suffix that goja adds to a name it has used before.
var numbered = regexp.MustCompile(`\.\d+$`)

// functionOnLine finds a function by its name and a line it is on: the innermost one
// of that name there, else the innermost of any name.
func functionOnLine(table *functable.Table, name string, line int32) int {
	bare := numbered.ReplaceAllString(name, "")
	there, named := 0, false
	for i := range table.Functions { // inner functions come later
		f := &table.Functions[i]
		if i == 0 || line < f.Start.Line || line > f.End.Line {
			continue
		}
		own := f.Name
		if own == "" {
			own = f.Inferred
		}
		if called := own != "" && (own == bare || own == name); called || !named {
			there, named = i, called
		}
	}
	return there
}
