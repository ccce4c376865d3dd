package deployed

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/engine/bundle"
)

// Failure is an error the program did not catch.
type Failure struct {
	What   string // "Uncaught TypeError: x is not a function"
	Places []Place
}

// maxStack bounds the frames of a failure that are shown.
const maxStack = 20

// Error gives where it was thrown, what, the line with a caret, and the stack.
func (f *Failure) Error() string {
	if len(f.Places) == 0 {
		return f.What
	}
	var b strings.Builder
	first := f.Places[0]
	fmt.Fprintf(&b, "%s:%d:%d: %s", first.File, first.Line, first.Column, f.What)
	if first.text != "" {
		b.WriteString("\n" + bundle.Caret(first.text, first.offset))
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

// Failure explains an error by its stack as the engine wrote it, in whichever
// grammar: a frame of the script is where its file is named with a position.
func (s *Script) Failure(what, stack string) *Failure {
	frame := regexp.MustCompile(regexp.QuoteMeta(s.File) + `:(\d{1,9}):(\d{1,9})`)
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
