package folded

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// lines are the lines to write, as a tree: each begins with its caller's. Stacks whose functions
// have equal names are one line.
type lines struct {
	all     []line // the first has no function; callers come before their callees
	ids     map[step]int32
	names   []string // as they are written
	numbers map[string]int32
}

// line is a line without its callers'.
type line struct {
	step
	length  int64 // with its callers', in bytes
	ticks   int64
	callees []int32
}

// step is a line by what it adds to its caller's: the name of the function on top.
type step struct{ caller, name int32 }

// linesOf makes the lines of a profile.
func linesOf(p *profile.Profile) *lines {
	l := &lines{all: []line{{length: -1}}, ids: map[step]int32{}, numbers: map[string]int32{}}
	names := make([]int32, len(p.Functions.Name))
	for f := range names {
		names[f] = l.number(escape(p.Function(profile.FunctionID(f)).Label()))
	}
	of := make([]int32, len(p.Stacks.Parent))
	for s, parent := range p.Stacks.Parent { // parents come first
		at := step{0, names[p.Frames.Function[p.Stacks.Frame[s]]]}
		if parent != profile.NoStack {
			at.caller = of[parent]
		} else if rest, ok := strings.CutPrefix(l.names[at.name], "#"); ok { // else it would be a comment
			at.name = l.number(`\x23` + rest)
		}
		of[s] = l.line(at)
	}
	for i, s := range p.Samples.Stack {
		var id int32
		if s != profile.NoStack {
			id = of[s]
		} else {
			id = l.line(step{0, l.number(codec.LoneName(p.Samples.Kind[i]))})
		}
		l.all[id].ticks += int64(p.Samples.Weight[i])
	}
	l.hideNumbers()
	return l
}

// hideNumbers writes the blanks before numbers at the ends of names in another way if all lines
// would end in two numbers.
func (l *lines) hideNumbers() {
	for i := range l.all {
		if l.all[i].ticks > 0 && beforeNumber(l.names[l.all[i].name]) < 0 {
			return
		}
	}
	for n, name := range l.names {
		if i := beforeNumber(name); i >= 0 {
			l.names[n] = name[:i] + `\x20` + name[i+1:]
		}
	}
	for i := range l.all[1:] { // callers come first
		one := &l.all[i+1]
		one.length = l.all[one.caller].length + 1 + int64(len(l.names[one.name]))
	}
}

// number returns the number of a name.
func (l *lines) number(name string) int32 {
	n, known := l.numbers[name]
	if !known {
		n = int32(len(l.names))
		l.names, l.numbers[name] = append(l.names, name), n
	}
	return n
}

// line finds a line, or adds it.
func (l *lines) line(at step) int32 {
	id, known := l.ids[at]
	if !known {
		id = int32(len(l.all))
		l.ids[at] = id
		caller := &l.all[at.caller]
		caller.callees = append(caller.callees, id)
		l.all = append(l.all, line{step: at, length: caller.length + 1 + int64(len(l.names[at.name]))})
	}
	return id
}

// numberLength is as much as a number of ticks and its blank take, with the line's end.
const numberLength = 21

// fit fails if the lines are longer than Read accepts. A name is written for each stack that
// it is on, so a small profile may have much text.
func (l *lines) fit() error {
	size := int64(0)
	for i := range l.all {
		one := &l.all[i]
		if one.ticks == 0 {
			continue
		}
		if one.length > MaxLine-numberLength {
			return fmt.Errorf("folded: a stack of %d bytes is longer than a line may be (%d)", one.length, MaxLine)
		}
		if size += one.length + numberLength; size > maxSize {
			return fmt.Errorf("folded: the stacks have more than %d bytes in all, because the format writes out each of them", int64(maxSize))
		}
	}
	return nil
}

// write writes the lines in the order of their text, each when it has been put together.
func (l *lines) write(out *bufio.Writer) {
	type level struct {
		left   []part
		length int
	}
	var text []byte
	for levels := []level{{l.parts(0), 0}}; len(levels) > 0; {
		at := &levels[len(levels)-1]
		if len(at.left) == 0 {
			levels = levels[:len(levels)-1]
			continue
		}
		p := at.left[0]
		at.left = at.left[1:]
		if text = append(text[:at.length], p.name...); p.deeper {
			text = append(text, ';')
			levels = append(levels, level{l.parts(p.line), len(text)})
		} else {
			fmt.Fprintf(out, "%s %d\n", text, l.all[p.line].ticks)
		}
	}
}

// part is a line, or the lines of its callees: they begin with its text and a semicolon, so that
// lines of other functions may be between the two.
type part struct {
	line   int32
	name   string
	deeper bool
}

// parts returns the parts of a line's callees, in order.
func (l *lines) parts(id int32) (parts []part) {
	for _, callee := range l.all[id].callees {
		c := &l.all[callee]
		if c.ticks > 0 {
			parts = append(parts, part{callee, l.names[c.name], false})
		}
		if len(c.callees) > 0 {
			parts = append(parts, part{callee, l.names[c.name], true})
		}
	}
	slices.SortFunc(parts, func(a, b part) int {
		same := min(len(a.name), len(b.name))
		return cmp.Or(cmp.Compare(a.name[:same], b.name[:same]), cmp.Compare(a.after(same), b.after(same)))
	})
	return parts
}

// after is the byte after the first n of what the part's lines begin with; -1: none.
func (p *part) after(n int) int {
	switch {
	case n < len(p.name):
		return int(p.name[n])
	case p.deeper:
		return ';'
	}
	return -1
}
