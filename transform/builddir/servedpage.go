package builddir

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// ServedPage is a page that a server is about to send.
type ServedPage struct {
	Path     string // names it in warnings and in its table
	Text     []byte
	Policies []string // of its Content-Security-Policy headers
	// Table describes its inline scripts; nil for none.
	Table *functable.Table
	// Charset is what Serve finds to be the character set that the page declares, "" for
	// none.
	Charset string
}

// ServeOptions chooses what Serve does to a page.
type ServeOptions struct {
	transform.Selection
	Include, Exclude []string              // as in Options
	Loses            func(src string) bool // a script, by its URL as browsers read it, whose integrity attribute must go; nil: none

	// Instrumented says that the page's inline scripts stay as they are.
	Instrumented bool
	// Scripts are the attributes of script elements to put before every other script.
	Scripts []string
	// From are the places that those scripts, and all that they load, come from, and To
	// where they connect to, as source expressions: the page's policies must allow both.
	From, To []string
}

// Serve instruments the inline scripts of one page, as Run does for the pages of a
// directory, and puts script elements before all others. The page's policies, in meta
// elements and in headers, are changed no more than that needs. A page in UTF-16 is
// returned unchanged, with a warning.
func Serve(served ServedPage, o ServeOptions) (ServedPage, []Warning, error) {
	s, err := Options{Selection: o.Selection, Include: o.Include, Exclude: o.Exclude}.settle()
	if err != nil {
		return served, nil, err
	}
	w := &work{settings: s} // without bindings: each script chooses its own names
	p := &pageFile{file: &file{path: served.Path, kind: page}, src: served.Text, done: &FileReport{Path: served.Path}, policed: len(served.Policies) > 0}
	odd := oddPage(served.Text)
	if bytes.HasPrefix(served.Text, []byte{0xfe, 0xff}) || bytes.HasPrefix(served.Text, []byte{0xff, 0xfe}) {
		return served, []Warning{{File: served.Path, Text: odd + "; served as it is"}}, nil
	}
	p.seen = htmlscan.Scan(served.Text)
	if !o.Instrumented && odd == "" {
		if err := w.instrumentInline(p); err != nil {
			return served, nil, err
		}
	}
	p.loseIntegrity(o.Loses)
	nonce := p.putFirst(o.Scripts, served.Policies)
	policies := p.allow(served.Policies, nonce, o.From, o.To)
	text := edited(served.Text, p.edits)
	table := p.describe(text, false)
	if table == nil && served.Table != nil {
		table = p.moved(served.Table, text)
	}
	return ServedPage{served.Path, text, policies, table, p.seen.Charset.Label}, p.done.warnings, nil
}

// putFirst puts script elements before every other script, and before a base, which
// would change what their URLs mean. It returns the nonce that they have, if any.
func (p *pageFile) putFirst(scripts []string, policies []string) (nonce string) {
	at := p.seen.HeadStart
	if first := p.firstThatRuns(); first != nil {
		at = first.Before
		if first.Nonce != nil {
			nonce = first.Nonce.Value
		}
		if p.underBase(at) {
			at = p.seen.BaseAt
		}
	}
	attribute := ""
	if nonce = cmp.Or(nonce, p.nonceIn(policies)); nonce != "" {
		attribute = nonceAttribute(nonce)
	}
	var text strings.Builder
	for _, attributes := range scripts {
		text.WriteString("<script " + attributes + classOfOurs + attribute + "></script>")
	}
	if text.Len() > 0 {
		p.edits = append(p.edits, pageEdit{at, at, text.String()})
	}
	return nonce
}

// nonceIn returns a nonce that a policy allows scripts by. Under 'strict-dynamic' no place allows a
// script: if there is no nonce either, it is a new one.
func (p *pageFile) nonceIn(headers []string) string {
	strict := false
	for _, policy := range p.policies(headers) {
		if nonce := policy.ScriptNonce(); nonce != "" {
			return nonce
		}
		strict = strict || policy.IsStrictDynamic()
	}
	if strict {
		return rand.Text()
	}
	return ""
}

// policies returns the policies of the page and of its headers.
func (p *pageFile) policies(headers []string) (all []htmlscan.CSP) {
	for _, header := range headers {
		for policy := range strings.SplitSeq(header, ",") {
			all = append(all, htmlscan.CSP(policy))
		}
	}
	for i := range p.seen.Policies {
		all = append(all, htmlscan.CSP(p.seen.Policies[i].Content.Value))
	}
	return all
}

// allow renews the page's policies, and returns those of its headers renewed.
func (p *pageFile) allow(headers []string, nonce string, from, to []string) []string {
	for i := range p.seen.Policies {
		policy := &p.seen.Policies[i]
		if is := p.renewPolicy(policy.Content.Value, nonce, from, to); is != policy.Content.Value {
			p.edits = append(p.edits, pageEdit{policy.Content.Start, policy.Content.End, policy.Content.Spell(is)})
		}
	}
	return eachPolicy(headers, func(policy string) string { return p.renewPolicy(policy, nonce, from, to) })
}

func (p *pageFile) renewPolicy(policy, nonce string, from, to []string) string {
	renewed := htmlscan.CSP(policy).WithScriptHashes(&p.renewed)
	if renewed.IsStrictDynamic() && nonce != "" && len(from) > 0 {
		renewed = renewed.WithScriptSources("'nonce-" + nonce + "'")
	}
	return allowIn(string(renewed), from, to)
}

// AllowInPolicies returns Content-Security-Policy headers that also allow scripts and
// workers to come from some places, and to connect to others.
func AllowInPolicies(headers, from, to []string) []string {
	return eachPolicy(headers, func(policy string) string { return allowIn(policy, from, to) })
}

func allowIn(policy string, from, to []string) string {
	return string(htmlscan.CSP(policy).WithScriptSources(from...).WithWorkers(from...).WithConnections(to...))
}

// eachPolicy changes each policy of some headers, which may hold several with commas
// between them.
func eachPolicy(headers []string, renew func(policy string) string) []string {
	var renewed []string
	for _, header := range headers {
		var list []string
		for policy := range strings.SplitSeq(header, ",") {
			list = append(list, renew(policy))
		}
		renewed = append(renewed, strings.Join(list, ","))
	}
	return renewed
}

// moved is the table of a page that is instrumented already, after the page's edits.
func (p *pageFile) moved(table *functable.Table, text []byte) *functable.Table {
	type end struct{ was, is functable.Position }
	var ends []end
	was, is := textpos.Cursor{Text: textpos.OfHTML(p.src)}, textpos.Cursor{Text: textpos.OfHTML(text)}
	grown := 0
	for _, e := range p.edits { // in order, since edited has sorted them
		grown += len(e.text) - (e.end - e.start)
		ends = append(ends, end{positionOf(&was, e.end), positionOf(&is, e.end+grown)})
	}
	move := func(at functable.Position) functable.Position {
		for _, e := range slices.Backward(ends) {
			switch {
			case at.IsZero() || at.Before(e.was):
			case at.Line == e.was.Line:
				return functable.Position{Line: e.is.Line, Column: at.Column - e.was.Column + e.is.Column}
			default:
				return functable.Position{Line: at.Line - e.was.Line + e.is.Line, Column: at.Column}
			}
		}
		return at
	}
	after := &functable.Table{File: table.File, Functions: slices.Clone(table.Functions)}
	for i := range after.Functions {
		f := &after.Functions[i]
		if i > 0 {
			f.Start = move(f.Start)
		}
		f.End, f.Definition = move(f.End), move(f.Definition)
	}
	return after
}
