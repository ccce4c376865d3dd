// Package folded writes and reads folded stacks, the text that flame graph
// scripts and viewers take: a line for each stack, outermost function first,
// functions separated by semicolons, then a blank and the number of ticks.
//
//	main;parse;next 42
//
// The form is free of positions and of everything else but names: functions of
// equal name become one. Functions without a name are therefore written with
// their file and line, "(anonymous) src/app.ts:12", "(top level) src/app.ts",
// and read back so. Stacks come in order of their text; equal ones are added
// up.
//
// A semicolon, newline or carriage return in a name is written as \x3b, \x0a,
// \x0d, a # that would begin a line as \x23, and a backslash that would begin
// one of these (or \x5c) as \x5c. Names are otherwise kept, control characters
// included.
//
// Each stack is written out, with all its names: Write refuses what would be longer than 4 GB,
// or than MaxLine in a line.
//
// A profile that is read has no clock: its interval is 0, its weights are the numbers.
// One line is one sample. Numbers with a fraction, which some tools write, are
// rounded; lines of blanks and lines that start with # are skipped.
package folded

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// MaxLine is the longest line that Read accepts, in bytes.
const MaxLine = 64 << 20

// maxSize bounds what Write writes: as much as package format reads.
const maxSize = 4 << 30

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	if _, err := codec.Prepare("folded", p, codec.NoTime, codec.Once); err != nil {
		return err
	}
	l := linesOf(p)
	if err := l.fit(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	l.write(out)
	return out.Flush()
}

var escapes = []struct{ plain, escaped string }{{";", `\x3b`}, {"\n", `\x0a`}, {"\r", `\x0d`}, {"#", `\x23`}, {`\`, `\x5c`}}

func escape(name string) string {
	if !strings.ContainsAny(name, ";\n\r\\") {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case ';', '\n', '\r':
			fmt.Fprintf(&b, `\x%02x`, name[i])
		case '\\':
			if _, n := unescapeOne(name[i:]); n > 0 {
				b.WriteString(`\x5c`)
				continue
			}
			fallthrough
		default:
			b.WriteByte(name[i])
		}
	}
	return b.String()
}

func unescape(name string) string {
	if !strings.Contains(name, `\x`) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if plain, n := unescapeOne(name[i:]); n > 0 {
			b.WriteString(plain)
			i += n - 1
			continue
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// unescapeOne reads one of our escapes at the start of s.
func unescapeOne(s string) (plain string, n int) {
	for _, e := range escapes {
		if strings.HasPrefix(s, e.escaped) {
			return e.plain, len(e.escaped)
		}
	}
	return "", 0
}

// Read reads folded stacks.
func Read(r io.Reader) (*profile.Profile, error) {
	var b profile.Builder
	all := int64(0)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, MaxLine)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), " \t\r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		ticks, err := readLine(&b, line)
		if all += ticks; err == nil && all > codec.MaxTicks {
			err = fmt.Errorf("%d ticks so far are more than a profile holds", all)
		}
		if err != nil {
			return nil, fmt.Errorf("folded: line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("folded: %w", err)
	}
	if b.Len() == 0 {
		return nil, errors.New("folded: no stacks")
	}
	return b.Profile(), nil
}

func readLine(b *profile.Builder, line string) (ticks int64, err error) {
	i := strings.LastIndexAny(line, " \t")
	if i < 0 {
		return 0, errors.New("no blank and number after the stack")
	}
	v, err := strconv.ParseFloat(line[i+1:], 64)
	if err != nil || !(v >= 0 && v <= codec.MaxTicks) {
		return 0, fmt.Errorf("%q is not a number of ticks", line[i+1:])
	}
	ticks = int64(math.Round(v))
	stack, top := profile.NoStack, profile.Function{}
	for name := range strings.SplitSeq(line[:i], ";") {
		top = profile.ParseLabel(unescape(name))
		stack = b.Stack(stack, b.Frame(b.Function(top), 0, 0))
	}
	b.Add(profile.Sample{Time: int64(b.Len()), Stack: stack, Kind: codec.Kind(top)}, ticks)
	return ticks, nil
}
