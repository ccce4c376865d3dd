package bundle

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
)

// maxShown limits how much of a source line a message shows, in runes.
const maxShown = 120

// formatMessage formats one of esbuild's messages as
//
//	app.js:3:9: Expected ")" but found "{"
//	    if (x {
//	          ^
func formatMessage(m api.Message, target *Target) string {
	var b strings.Builder
	if m.Location == nil {
		b.WriteString(m.Text)
	} else {
		l := m.Location
		before := l.LineText[:min(l.Column, len(l.LineText))]
		fmt.Fprintf(&b, "%s:%d:%d: %s\n%s", l.File, l.Line, utf8.RuneCountInString(before)+1, m.Text, Caret(l.LineText, l.Column))
	}
	for _, note := range explain(m, target) {
		b.WriteString("\n  ")
		if note.Location != nil {
			fmt.Fprintf(&b, "%s:%d: ", note.Location.File, note.Location.Line)
		}
		b.WriteString(note.Text)
	}
	return b.String()
}

// topLevelAwait is how esbuild's messages about one begin.
const topLevelAwait = "Top-level await"

// explain returns the notes of a message. If the engine lacks something, esbuild's own
// advice is about its options, so this says what is available instead.
func explain(m api.Message, target *Target) []api.Note {
	switch {
	case strings.HasPrefix(m.Text, topLevelAwait):
		return []api.Note{{Text: target.Engine + " has no top-level await: put it into an async function and call that"}}
	case isBuiltin([]api.Message{m}):
		return []api.Note{{Text: target.lacksModules()}}
	case strings.HasPrefix(m.Text, "No loader is configured"):
		return []api.Note{{Text: "a program consists of JavaScript, TypeScript, JSX, CSS, JSON, text, Markdown and HTML: let your bundler take other files, and run what it writes"}}
	}
	return m.Notes
}

// isBuiltin reports whether what could not be resolved is a module of Node.
func isBuiltin(messages []api.Message) bool {
	return slices.ContainsFunc(messages, func(m api.Message) bool {
		return strings.HasPrefix(m.Text, "Could not resolve") && len(m.Notes) > 0 && strings.Contains(m.Notes[0].Text, "built into node")
	})
}

// lacksModules says which of Node's modules there are.
func (t *Target) lacksModules() string {
	text := t.Engine + " has none of Node's modules"
	if len(t.HostModules) > 0 {
		text += " but " + strings.Join(t.HostModules, ", ")
	}
	return text
}

// Caret formats a line of source with a caret under one of its bytes. A long line is
// cut around that byte; control characters become spaces.
func Caret(line string, column int) string {
	column = min(column, len(line))
	before, after := []rune(line[:column]), []rune(line[column:])
	if len(before) > maxShown/2 {
		before = append([]rune("…"), before[len(before)-maxShown/2:]...)
	}
	if len(after) > maxShown/2 {
		after = append(after[:maxShown/2:maxShown/2], '…')
	}
	clean := func(rs []rune) string {
		return strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return ' '
			}
			return r
		}, string(rs))
	}
	return "    " + clean(before) + clean(after) + "\n    " + strings.Repeat(" ", len(before)) + "^"
}

// awaitsAtTop reports whether all errors are about top-level awaits.
func awaitsAtTop(messages []api.Message) bool {
	return len(messages) > 0 && !slices.ContainsFunc(messages, func(m api.Message) bool { return !strings.HasPrefix(m.Text, topLevelAwait) })
}
