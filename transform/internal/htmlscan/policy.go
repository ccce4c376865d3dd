package htmlscan

import (
	"slices"
	"strings"
)

// CSP is the text of one content security policy, as in a meta element or a header.
// Its methods return changed text and leave the rest of it alone.
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

// firstDirective returns the first of some directives that a policy has, or nil.
func firstDirective(all []Directive, names []string) *Directive {
	for _, name := range names {
		if d := directive(all, name); d != nil {
			return d
		}
	}
	return nil
}

// directive returns the directive with a name that counts, or nil.
func directive(all []Directive, name string) *Directive {
	i := slices.IndexFunc(all, func(d Directive) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// ScriptHashes maps old hashes of inline scripts to new ones. Scripts with the same text
// may have become different ones. The zero value is empty.
type ScriptHashes struct {
	renewed map[string][]digest // by the key of the old one
}

// Add records that one hash replaces another. Both are source expressions with their
// quotes, as Hash returns them; anything else is ignored.
func (h *ScriptHashes) Add(old, replacement string) {
	was, ok := unquoteDigest(old)
	is, ok2 := unquoteDigest(replacement)
	if !ok || !ok2 {
		return
	}
	if h.renewed == nil {
		h.renewed = map[string][]digest{}
	}
	key := was.key()
	if slices.ContainsFunc(h.renewed[key], func(d digest) bool { return d.key() == is.key() }) {
		return
	}
	h.renewed[key] = append(h.renewed[key], is)
}

// AddListed records what has replaced the hashes that a policy lists, as others know it.
func (h *ScriptHashes) AddListed(p CSP, others *ScriptHashes) {
	for _, d := range p.Directives() {
		for _, source := range d.Sources {
			for _, is := range others.Of(source.Text) {
				h.Add(source.Text, is)
			}
		}
	}
}

// Of returns the hashes that replace an old one, with their quotes.
func (h *ScriptHashes) Of(old string) (replacements []string) {
	was, ok := unquoteDigest(old)
	if !ok {
		return nil
	}
	for _, is := range h.renewed[was.key()] {
		replacements = append(replacements, "'"+is.String()+"'")
	}
	return replacements
}

// Len returns the number of hashes that are replaced.
func (h *ScriptHashes) Len() int { return len(h.renewed) }

// WithScriptHashes returns the policy with hashes of inline scripts replaced, wherever
// it allows scripts. An old hash may use either alphabet of base64; the new one uses
// the same.
func (p CSP) WithScriptHashes(h *ScriptHashes) CSP {
	var b strings.Builder
	copied := 0
	for _, d := range p.Directives() {
		if d.Ignored || !slices.Contains(scriptDirectives, d.Name) {
			continue
		}
		for _, source := range d.Sources {
			found, ok := unquoteDigest(source.Text)
			if !ok {
				continue
			}
			for i, spelled := range h.renewed[found.key()] {
				spelled.url, spelled.open = found.url, found.open
				if found.algorithm == spelled.algorithm {
					spelled.prefix = found.prefix
				}
				between := " "
				if i == 0 {
					between = string(p[copied:source.Start])
				}
				b.WriteString(between + "'" + spelled.String() + "'")
				copied = source.End
			}
		}
	}
	b.WriteString(string(p[copied:]))
	return CSP(b.String())
}

// WithScriptSources returns the policy with more sources that script elements
// may come from: hashes, nonces or places. They join the directive that script
// elements obey; if that is default-src, a script-src with the same sources is
// added for them, so that nothing else becomes allowed. The policy does not change if
// it allows scripts from anywhere or already has the sources; a hash or nonce is left
// out if the policy allows every inline script, because it would end that.
func (p CSP) WithScriptSources(sources ...string) CSP {
	return p.with(scriptDirectives, "script-src", sources)
}

// ScriptNonce returns a nonce by which the policy allows script elements, or "".
func (p CSP) ScriptNonce() string {
	d := firstDirective(p.Directives(), scriptDirectives)
	if d == nil {
		return ""
	}
	for _, s := range d.Sources {
		if prefix := "'nonce-"; len(s.Text) > len(prefix)+1 && lower(s.Text[:len(prefix)]) == prefix && strings.HasSuffix(s.Text, "'") {
			return s.Text[len(prefix) : len(s.Text)-1]
		}
	}
	return ""
}

// IsStrictDynamic reports whether scripts that the policy allows may add others.
func (p CSP) IsStrictDynamic() bool {
	d := firstDirective(p.Directives(), scriptDirectives)
	return d != nil && slices.ContainsFunc(d.Sources, func(s Source) bool { return lower(s.Text) == "'strict-dynamic'" })
}

// WithConnections returns the policy with more places that scripts may connect to.
func (p CSP) WithConnections(sources ...string) CSP {
	return p.with([]string{"connect-src", "default-src"}, "connect-src", sources)
}

// WithWorkers returns the policy with more places that workers may come from, if it has
// a directive for workers alone. Without one they obey the directives of scripts.
func (p CSP) WithWorkers(sources ...string) CSP {
	return p.with([]string{"worker-src", "child-src"}, "", sources)
}

// with returns the policy with more sources in the first of the directives that it has.
// If that is default-src, a directive with the name own is added for them.
func (p CSP) with(names []string, own string, sources []string) CSP {
	all := p.Directives()
	d := firstDirective(all, names)
	if d == nil {
		return p
	}
	has := map[string]bool{}
	for _, s := range d.Sources {
		has[sourceKey(s.Text)] = true
	}
	allowsInline := d.allowsInline()
	var missing []string
	for _, source := range sources {
		if key := sourceKey(source); !has[key] && !(allowsInline && restricts(source)) {
			has[key] = true
			missing = append(missing, source)
		}
	}
	if len(missing) == 0 {
		return p
	}
	added := strings.Join(missing, " ")
	if d.Name == "default-src" {
		return p.append(own + d.list(string(p)) + " " + added)
	}
	for _, s := range d.Sources {
		if lower(s.Text) == "'none'" && len(d.Sources) == 1 {
			return p[:s.Start] + CSP(added) + p[s.End:]
		}
	}
	return p[:d.End] + CSP(" "+added) + p[d.End:]
}

// sourceKey is the same for all spellings of a source.
func sourceKey(source string) string {
	if d, ok := unquoteDigest(source); ok {
		return d.key()
	}
	return source
}

// append adds a directive at the end.
func (p CSP) append(text string) CSP {
	trimmed := strings.TrimRight(string(p), space)
	if strings.HasSuffix(trimmed, ";") {
		return CSP(trimmed + " " + text)
	}
	return CSP(trimmed + "; " + text)
}

// list returns the directive's sources as written in the policy, preceded by a blank;
// 'none' is not a source.
func (d *Directive) list(policy string) string {
	if len(d.Sources) == 0 || len(d.Sources) == 1 && lower(d.Sources[0].Text) == "'none'" {
		return ""
	}
	return " " + policy[d.Sources[0].Start:d.End]
}

// allowsInline reports whether every inline script may run: 'unsafe-inline' is
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

// restricts reports whether a source takes the meaning of 'unsafe-inline' away: a
// nonce or a hash does.
func restricts(source string) bool {
	kind, _, found := strings.Cut(lower(source), "-")
	return found && oneOf(kind, "'nonce 'sha256 'sha384 'sha512")
}
