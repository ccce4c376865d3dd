package htmlscan

import (
	"slices"
	"strings"
)

// CSP is the text of one content security policy, as a meta element or a header
// has it. Its methods return changed text and leave everything else in it as it
// is.
type CSP string

// Directive is a directive of a policy. Offsets are bytes of the policy.
type Directive struct {
	Name       string // in lower case
	Sources    []Source
	Start, End int
	Ignored    bool // one with this name came before
}

// Source is a source expression, or whatever else a directive lists.
type Source struct {
	Text       string
	Start, End int
}

// Directives returns the directives of the policy, in order.
func (p CSP) Directives() []Directive {
	var all []Directive
	known := map[string]bool{}
	for start := 0; start <= len(p); {
		end := start
		for end < len(p) && p[end] != ';' {
			end++
		}
		if list := sources(string(p), start, end); len(list) > 0 {
			name := lower(list[0].Text)
			all = append(all, Directive{
				Name: name, Sources: list[1:], Start: list[0].Start, End: list[len(list)-1].End, Ignored: known[name],
			})
			known[name] = true
		}
		start = end + 1
	}
	return all
}

// sources lists the words of a part of a policy.
func sources(policy string, start, end int) (list []Source) {
	for at := start; at < end; {
		if isSpace(policy[at]) {
			at++
			continue
		}
		from := at
		for at < end && !isSpace(policy[at]) {
			at++
		}
		list = append(list, Source{Text: policy[from:at], Start: from, End: at})
	}
	return list
}

// scriptDirectives are the directives that script elements obey: the first of
// them that a policy has.
var scriptDirectives = []string{"script-src-elem", "script-src", "default-src"}

// directive returns the directive with a name that counts, nil without.
func directive(all []Directive, name string) *Directive {
	i := slices.IndexFunc(all, func(d Directive) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// WithScriptHash returns the policy with one hash of an inline script in the
// place of another, wherever it allows scripts. Both are source expressions
// with their quotes, as Hash returns them. The old one may be spelled in either
// alphabet of base64; the new one is spelled like it.
func (p CSP) WithScriptHash(old, replacement string) CSP {
	was, ok := unquoteDigest(old)
	is, ok2 := unquoteDigest(replacement)
	if !ok || !ok2 {
		return p
	}
	var b strings.Builder
	copied := 0
	for _, d := range p.Directives() {
		if d.Ignored || !slices.Contains(scriptDirectives, d.Name) {
			continue
		}
		for _, source := range d.Sources {
			found, ok := unquoteDigest(source.Text)
			if !ok || found.algorithm != was.algorithm || string(found.sum) != string(was.sum) {
				continue
			}
			spelled := is
			spelled.url, spelled.open = found.url, found.open
			if found.algorithm == is.algorithm {
				spelled.prefix = found.prefix
			}
			b.WriteString(string(p[copied:source.Start]) + "'" + spelled.String() + "'")
			copied = source.End
		}
	}
	b.WriteString(string(p[copied:]))
	return CSP(b.String())
}

// WithScriptSource returns the policy with one more source that script elements
// may come from: a hash, a nonce or a place. The source joins the directive
// that script elements obey; if that is default-src, a script-src with the
// same sources is added for it, so that nothing else is allowed more. The
// policy stays as it is where it allows scripts from anywhere, has the source
// already, or allows every inline script: there a hash or a nonce would end
// that.
func (p CSP) WithScriptSource(source string) CSP {
	all := p.Directives()
	var d *Directive
	for _, name := range scriptDirectives {
		if d = directive(all, name); d != nil {
			break
		}
	}
	if d == nil || d.has(source) || restricts(source) && d.allowsInline() {
		return p
	}
	if d.Name == "default-src" {
		return p.append("script-src" + d.list(string(p)) + " " + source)
	}
	for _, s := range d.Sources {
		if lower(s.Text) == "'none'" && len(d.Sources) == 1 {
			return p[:s.Start] + CSP(source) + p[s.End:]
		}
	}
	return p[:d.End] + CSP(" "+source) + p[d.End:]
}

// append adds a directive at the end.
func (p CSP) append(text string) CSP {
	trimmed := strings.TrimRight(string(p), space)
	if strings.HasSuffix(trimmed, ";") {
		return CSP(trimmed + " " + text)
	}
	return CSP(trimmed + "; " + text)
}

// list returns the directive's sources as they stand in the policy, with a
// blank before; 'none' is no source.
func (d *Directive) list(policy string) string {
	if len(d.Sources) == 0 || len(d.Sources) == 1 && lower(d.Sources[0].Text) == "'none'" {
		return ""
	}
	return " " + policy[d.Sources[0].Start:d.End]
}

// has says whether the directive lists a source, in whatever spelling.
func (d *Directive) has(source string) bool {
	wanted, isDigest := unquoteDigest(source)
	return slices.ContainsFunc(d.Sources, func(s Source) bool {
		if found, ok := unquoteDigest(s.Text); ok && isDigest {
			return found.algorithm == wanted.algorithm && string(found.sum) == string(wanted.sum)
		}
		return s.Text == source
	})
}

// allowsInline says whether every inline script may run: 'unsafe-inline' is
// there, and nothing that takes its meaning away.
func (d *Directive) allowsInline() bool {
	unsafe := false
	for _, s := range d.Sources {
		switch text := lower(s.Text); {
		case text == "'unsafe-inline'":
			unsafe = true
		case text == "'strict-dynamic'" || restricts(text):
			return false
		}
	}
	return unsafe
}

// restricts says whether a source takes the meaning of 'unsafe-inline' away: a
// nonce or a hash does.
func restricts(source string) bool {
	text := lower(source)
	for _, prefix := range []string{"'nonce-", "'sha256-", "'sha384-", "'sha512-"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
