package slices

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// Explain says in one sentence whose time a slice was, or how its time is divided if no
// function has half of it.
func (s *Slice) Explain() string {
	b := &s.Blame
	if b.Cause != nil && 2*b.Cause.Time >= b.Total {
		return fmt.Sprintf("%d ms of %d: %s%s", rounded(b.Cause.Time), rounded(b.Total), b.chain(), b.besides())
	}
	text := fmt.Sprintf("%d ms: %s", rounded(b.Total), b.divided())
	if b.Cause != nil {
		return fmt.Sprintf("%s; %d in %s%s", text, rounded(b.Cause.Time), b.chain(), b.besides())
	}
	if len(b.Functions) > 0 && b.Functions[0].Self > 0 {
		return fmt.Sprintf("%s; most in %s: %d", text, shown(b.Functions[0].Function), rounded(b.Functions[0].Self))
	}
	if script := s.script(); script != "" {
		text += "; the browser names " + script
	}
	return text
}

// rounded is whole milliseconds.
func rounded(d time.Duration) int64 { return int64((d + time.Millisecond/2) / time.Millisecond) }

// chain is the cause, and where the page's own code began that led to it.
func (b *Blame) chain() string {
	if b.Handler == nil {
		return shown(b.Cause.Function)
	}
	return shown(b.Cause.Function) + " ← " + shown(*b.Handler)
}

// besides are the groups in which a quarter of the cause's time or more was not its own code.
func (b *Blame) besides() string {
	var parts []string
	for _, g := range []Group{Native, GC, Style, Layout, Paint} {
		if t := b.Cause.Groups[g]; 4*t >= b.Cause.Time {
			parts = append(parts, fmt.Sprintf("%d of it %s", rounded(t), g.spoken()))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

func (g Group) spoken() string {
	switch g {
	case GC:
		return "garbage collection"
	case Other:
		return "busy without a check"
	}
	return string(g)
}

// divided are the groups, the largest first.
func (b *Blame) divided() string {
	groups := slices.Clone(groupNames)
	slices.SortStableFunc(groups, func(x, y Group) int { return int(min(max(b.Groups[y]-b.Groups[x], -1), 1)) })
	var parts []string
	for _, g := range groups {
		if ms := rounded(b.Groups[g]); ms > 0 {
			parts = append(parts, fmt.Sprintf("%d %s%s", ms, g.spoken(), b.owner(g)))
		}
	}
	if len(parts) == 0 || b.Groups[Waiting] == b.Total {
		return "nothing was sampled at work"
	}
	return strings.Join(parts, ", ")
}

// owner is whose a group's largest function is: a package, or a host.
func (b *Blame) owner(g Group) string {
	i := slices.IndexFunc(b.Functions, func(f Function) bool { return f.Group == g })
	if i < 0 {
		return ""
	}
	name := ""
	switch g {
	case Framework:
		name = packageOf(b.Functions[i].File)
	case ThirdParty:
		name = hostOf(b.Functions[i].File)
	}
	if name == "" {
		return ""
	}
	return " (" + printable(name) + ")"
}

// script returns the browser's note about a script in a long animation frame. If there are
// several, it returns the one that overlaps the slice most; if there are none, "".
func (s *Slice) script() (text string) {
	shared := time.Duration(0)
	for i := range s.of.Marks {
		m := &s.of.Marks[i]
		both := min(s.Mark.End(), m.End()) - max(s.Mark.Time, m.Time)
		if m.What == profile.Note && both > shared {
			shared, text = both, printable(m.Name)
			if m.Detail != "" {
				text += ": " + printable(m.Detail)
			}
		}
	}
	return text
}

// shown is a function as people find it: "filterProducts (catalogue.ts:41)".
func shown(f profile.Function) string {
	name := printable(f.Name)
	switch {
	case name != "":
	case f.Flags&profile.TopLevel != 0:
		name = profile.DisplayTopLevel
	default:
		name = profile.DisplayAnonymous
	}
	file := f.File
	if i := strings.IndexAny(file, "?#"); i >= 0 {
		file = file[:i]
	}
	file = strings.TrimRight(file, `/\`)
	file = printable(file[strings.LastIndexAny(file, `/\`)+1:])
	switch {
	case file == "":
		return name
	case f.Line == 1 && f.Column > 1: // a minified file may have nothing but this line
		return fmt.Sprintf("%s (%s:1:%d)", name, file, f.Column)
	case f.Line > 0:
		return fmt.Sprintf("%s (%s:%d)", name, file, f.Line)
	}
	return fmt.Sprintf("%s (%s)", name, file)
}

// longest is the most characters of a name.
const longest = 100

// printable is a text from a page as it may be printed, cut if it is long.
func printable(text string) string {
	if runes := []rune(text[:min(len(text), 8*longest)]); len(runes) > longest {
		text = string(runes[:longest-1]) + "…"
	}
	return view.Printable(text)
}
