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
// one of these (or \x5c) as \x5c. If every function on top has a name like "step 2", the blank
// before the number is \x20, so that no line seems to have two. Names are otherwise kept, control
// characters included.
//
// Each stack is written out, with all its names: Write refuses what would be longer than 4 GB,
// or than MaxLine in a line.
//
// A profile that is read has no clock: its interval is 0, its weights are the numbers.
// One line is one sample. If numbers have fractions, which some tools write, all are
// multiplied by a power of ten that makes them whole, as far as a profile holds so many
// ticks. Lines of blanks are skipped, and comments: lines that start with # and a blank, or start
// with # and do not end in a blank and a number. (#priv;b 7 is of a private method.)
// Two numbers at the end of every line are the stacks of two profiles, as difffolded.pl
// compares them: they are refused.
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

var escapes = []struct{ plain, escaped string }{{";", `\x3b`}, {"\n", `\x0a`}, {"\r", `\x0d`}, {"#", `\x23`}, {" ", `\x20`}, {`\`, `\x5c`}}

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
	var all []stack
	sum, compared := 0.0, true
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, MaxLine)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), " \t\r")
		if strings.TrimSpace(line) == "" || isComment(line) {
			continue
		}
		one, err := readLine(&b, line)
		if sum += one.weight; err == nil && sum > codec.MaxTicks {
			err = fmt.Errorf("%.0f ticks so far are more than a profile holds", sum)
		}
		if err != nil {
			return nil, fmt.Errorf("folded: line %d: %w", n, err)
		}
		all = append(all, one)
		compared = compared && beforeNumber(line[:strings.LastIndexAny(line, " \t")]) > 0
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("folded: %w", err)
	}
	if compared && len(all) > 0 {
		return nil, errors.New("folded: each line ends in two numbers, as difffolded.pl writes them for two profiles: read each profile by itself, and compare them with diff")
	}
	scale, rest := scaleOf(all, sum), 0.0
	for _, one := range all {
		// Remainders are carried over, as far as the scale leaves any.
		weight := one.weight*scale + rest
		ticks := math.Round(weight)
		rest = weight - ticks
		b.Add(profile.Sample{Time: int64(b.Len()), Stack: one.id, Kind: one.kind}, int64(ticks))
	}
	if b.Len() == 0 {
		return nil, errors.New("folded: no stacks")
	}
	return b.Profile(), nil
}

// beforeNumber is where the blank is that a number at the end of a text follows, or -1.
func beforeNumber(text string) int {
	i := strings.LastIndexByte(text, ' ')
	if i < 0 || i == len(text)-1 || !isNumber(text[i+1:]) {
		return -1
	}
	return i
}

func isNumber(text string) bool { return strings.Trim(text, "0123456789.") == "" }

func isComment(line string) bool {
	if line[0] != '#' {
		return false
	}
	i := strings.LastIndexAny(line, " \t")
	return i <= 1 || line[1] == ' ' || line[1] == '\t' || !isNumber(line[i+1:])
}

// stack is a line that was read.
type stack struct {
	id     profile.StackID
	kind   profile.Kind
	weight float64
}

// scaleOf is the power of ten that makes weights whole, or the greatest with which a sample's
// ticks still fit 31 bits.
func scaleOf(all []stack, sum float64) float64 {
	digits := 0
	for _, one := range all {
		if one.weight != math.Trunc(one.weight) {
			_, fraction, _ := strings.Cut(strconv.FormatFloat(one.weight, 'f', -1, 64), ".")
			digits = max(digits, len(fraction))
		}
	}
	scale := 1.0
	for ; digits > 0 && sum*scale*10 <= math.MaxInt32; digits-- {
		scale *= 10
	}
	return scale
}

func readLine(b *profile.Builder, line string) (one stack, err error) {
	i := strings.LastIndexAny(line, " \t")
	if i < 0 {
		return one, errors.New("no blank and number after the stack")
	}
	v, err := strconv.ParseFloat(line[i+1:], 64)
	if err != nil || !(v >= 0 && v <= codec.MaxTicks) {
		return one, fmt.Errorf("%q is not a number of ticks", line[i+1:])
	}
	one, top := stack{profile.NoStack, 0, v}, profile.Function{}
	for name := range strings.SplitSeq(line[:i], ";") {
		top = profile.ParseLabel(unescape(name))
		one.id = b.Stack(one.id, b.Frame(b.Function(top), 0, 0))
	}
	one.kind = codec.Kind(top)
	return one, nil
}
