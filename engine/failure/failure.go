// Package failure explains an error that the program did not catch, in positions of
// its sources.
package failure

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// Failure is an error that the program did not catch.
type Failure struct {
	What   string // "Uncaught TypeError: x is not a function"
	Places []instrumented.Place
}

// maxStack bounds the frames of a failure that are shown.
const maxStack = 20

// Error says where it was thrown and what, and shows the line with a caret and the
// stack.
func (f *Failure) Error() string {
	if len(f.Places) == 0 {
		return f.What
	}
	var b strings.Builder
	first := f.Places[0]
	fmt.Fprintf(&b, "%s:%d:%d: %s", first.File, first.Line, first.Column, f.What)
	if first.Text != "" {
		b.WriteString("\n" + bundle.Caret(first.Text, first.Offset))
	}
	for i, p := range f.Places {
		if i == maxStack {
			fmt.Fprintf(&b, "\n    … %d more", len(f.Places)-i)
			break
		}
		b.WriteString("\n    at " + p.String())
	}
	return b.String()
}

// Explain makes a failure from a stack as the engine wrote it, in any engine's
// grammar: a line is a frame of the script if it names its file with a position.
func Explain(s *instrumented.Script, what, stack string) *Failure {
	frame := regexp.MustCompile(regexp.QuoteMeta(s.File()) + `:(\d{1,9}):(\d{1,9})`)
	f := &Failure{What: what}
	for line := range strings.Lines(stack) {
		if m := frame.FindStringSubmatch(line); m != nil {
			row, _ := strconv.Atoi(m[1])
			column, _ := strconv.Atoi(m[2])
			f.Places = append(f.Places, s.Place(row, column))
		}
	}
	f.Places = s.InSources(f.Places)
	return f
}
