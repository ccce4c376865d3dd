package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
)

//go:generate go run ./build report src/main.ts style.css
//go:generate go run ./build -live panel src/live/main.ts src/live/panel.css

var (
	//go:embed dist/report.js
	script string
	//go:embed dist/report.css
	style string
)

// Options are what a report may have in addition to its profile.
type Options struct {
	// Title heads the page; "" is the program's name.
	Title string
	// Before is a profile to compare with.
	Before *profile.Profile
	// Source gives the text of a file, by the name that functions have for it, if
	// it is known; nil knows none.
	Source func(file string) (text string, ok bool)
	// Scale is how many ticks one tick of the profile represents, where the profile is a sample
	// of what happened; 0 is 1. Times are multiplied by it.
	Scale float64
	// Notes are lines about the profile, in addition to its own.
	Notes []string
}

// Write writes the page. The profile must be attributed, as views and formats
// want it.
func Write(w io.Writer, p *profile.Profile, options Options) error {
	content, columns := contentOf(p, options)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, head, policy(script, style, ""), html.EscapeString(content.Profile.Title), style, "")
	if err := columns.write(out, content); err != nil {
		return err
	}
	fmt.Fprintf(out, tail, script)
	return out.Flush()
}

// WriteColumns writes only the element that holds the content of the page. Another page with
// the report's views fetches it, and unpacks it with contentIn (src/columns.ts).
func WriteColumns(w io.Writer, p *profile.Profile, options Options) error {
	content, columns := contentOf(p, options)
	out := bufio.NewWriter(w)
	if err := columns.write(out, content); err != nil {
		return err
	}
	return out.Flush()
}

func contentOf(p *profile.Profile, options Options) (*content, *packer) {
	var columns packer
	holding := holding{}
	holding.add(p)
	if options.Before != nil {
		holding.add(options.Before)
	}
	content := content{Profile: columnsOf(&columns, p, options.Title, holding), Sources: sourcesOf(p, options.Source)}
	for _, note := range options.Notes {
		if !slices.Contains(p.Health().Notes, note) {
			content.Profile.About = append(content.Profile.About, note)
		}
	}
	if options.Scale > 0 {
		content.Profile.Interval *= options.Scale
	}
	if options.Before != nil {
		before := columnsOf(&columns, options.Before, "", holding)
		content.Before = &before
	}
	return &content, &columns
}

const (
	head = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>%s</title>
<style>%s</style>
%s<body>
<noscript>This page needs JavaScript: it draws a profile.</noscript>
`
	tail = `<script>%s</script>
</html>
`
)

// policy allows what is in the page, and what more says. Its elements' own style attributes, such
// as widths, are set by the script.
func policy(script, style, more string) string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'%s", digest(script), digest(style), more)
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// MaxSource is how long the text of a file may be to go into the page, in bytes:
// lines are shown of the program, not of a bundle.
const MaxSource = 1 << 20

// maxSources bounds all of them.
const maxSources = 8 << 20

// sourcesOf are the texts of the files in the profile.
func sourcesOf(p *profile.Profile, source func(string) (string, bool)) map[string]string {
	texts := map[string]string{}
	if source == nil {
		return texts
	}
	room := maxSources
	for _, file := range p.Functions.File {
		name := p.Strings[file]
		if _, known := texts[name]; known || name == "" {
			continue
		}
		text, ok := source(name)
		if ok && len(text) <= min(MaxSource, room) {
			texts[name] = strings.ToValidUTF8(text, "\uFFFD")
			room -= len(text)
		}
	}
	return texts
}
