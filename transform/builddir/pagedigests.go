package builddir

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// A page holds digests of files, in attributes, in import maps and in its own scripts, and
// its policies have hashes of files and of these scripts. One change leads to the next, so they are made
// in this order: the digests of files first; then an inline script, read with the new ones, gets its
// checks; and the policies come last, with the hashes of what is then there.

// findRenewals finds the digests of changed files in a page. In a sampled output the page
// holds digests of the clean files, which stay.
func (w *work) findRenewals(p *pageFile) error {
	if w.DryRun || w.Sample > 0 || !mayHoldDigests(p.src) {
		return nil
	}
	w.digests.mu.Lock()
	defer w.digests.mu.Unlock()
	renewals, err := w.digests.renewals(p.src, spelledIntegrity)
	if err != nil {
		return err
	}
	p.renewals = w.ofTree(p, renewals)
	if len(p.seen.Policies) == 0 {
		return nil
	}
	for _, e := range p.renewals {
		was, is := spellingOf(string(p.src[e.start:e.end])), spellingOf(e.text)
		p.renewed.Add("'"+was.digest+"'", "'"+is.digest+"'")
	}
	return nil
}

// ofTree leaves out the digests of copies that other hosts have of files of the tree, such as of a library for which the
// tree has a fallback: no checks come there.
func (w *work) ofTree(p *pageFile, renewals []pageEdit) []pageEdit {
	p.eachIntegrity(func(url string, integrity *htmlscan.Attribute) {
		if w.isElsewhere(url) {
			renewals = slices.DeleteFunc(renewals, func(e pageEdit) bool { return integrity.Start <= e.start && e.end <= integrity.End })
		}
	})
	return renewals
}

// eachIntegrity calls a function with the URL, as browsers read it, and the integrity attribute of each element
// that has both.
func (p *pageFile) eachIntegrity(do func(url string, integrity *htmlscan.Attribute)) {
	one := func(url, integrity *htmlscan.Attribute) {
		if url != nil && integrity != nil {
			do(asRead(url.Value), integrity)
		}
	}
	for i := range p.seen.Scripts {
		one(p.seen.Scripts[i].Src, p.seen.Scripts[i].Integrity)
	}
	for i := range p.seen.Links {
		one(p.seen.Links[i].Href, p.seen.Links[i].Integrity)
	}
}

// renewedIn returns a stretch of the page with its digests up to date.
func (p *pageFile) renewedIn(start, end int) []byte {
	at, _ := slices.BinarySearchFunc(p.renewals, start, func(e pageEdit, start int) int { return cmp.Compare(e.start, start) })
	var edits []pageEdit
	for ; at < len(p.renewals) && p.renewals[at].end <= end; at++ {
		e := p.renewals[at]
		edits = append(edits, pageEdit{e.start - start, e.end - start, e.text})
	}
	if edits == nil {
		return p.src[start:end]
	}
	return edited(p.src[start:end], edits)
}

// addRenewals adds the renewals to the page's edits, once the policies are renewed. An edit that
// replaces a text has those in it already.
func (p *pageFile) addRenewals() {
	slices.SortStableFunc(p.edits, inOrder)
	at, all := 0, p.edits
	for _, e := range p.renewals {
		for at < len(p.edits) && p.edits[at].end <= e.start {
			at++
		}
		if at == len(p.edits) || e.end <= p.edits[at].start {
			all = append(all, e)
		}
	}
	p.edits = all
}

// rehash notes the new hashes of inline scripts and import maps that change for a digest alone.
func (p *pageFile) rehash() {
	if len(p.renewals) == 0 || len(p.seen.Policies) == 0 {
		return
	}
	p.eachInline(func(s *htmlscan.Script) { p.renewHashes(s, p.contentNow(s)) })
}

// eachInline calls a function with each inline script of the page.
func (p *pageFile) eachInline(do func(s *htmlscan.Script)) {
	for i := range p.seen.Scripts {
		if s := &p.seen.Scripts[i]; s.Src == nil && s.Closed && !s.Foreign {
			do(s)
		}
	}
}

// contentNow is what an inline script holds in the new page.
func (p *pageFile) contentNow(s *htmlscan.Script) []byte {
	if content, isNew := p.contents[s.ContentStart]; isNew {
		return content
	}
	return p.renewedIn(s.ContentStart, s.ContentEnd)
}

// hashInline finds the hashes that replace the hashes of the pages' inline scripts. Scripts
// with the same text may have become different ones, and then a policy must allow each.
func (w *work) hashInline() *htmlscan.ScriptHashes {
	hashes := &htmlscan.ScriptHashes{}
	for _, p := range w.pages {
		if p.seen == nil {
			continue
		}
		p.eachInline(func(s *htmlscan.Script) { eachHash(p.src[s.ContentStart:s.ContentEnd], p.contentNow(s), hashes.Add) })
	}
	return hashes
}

// allowOthers lets the page's policies allow what has become of scripts of other pages.
func (p *pageFile) allowOthers(hashes *htmlscan.ScriptHashes) {
	for _, policy := range p.policies(nil) {
		p.renewed.AddListed(policy, hashes)
	}
}

// renewHashes notes the hashes of an inline script that is to have new content.
func (p *pageFile) renewHashes(s *htmlscan.Script, content []byte) {
	was := p.src[s.ContentStart:s.ContentEnd]
	if bytes.Equal(was, content) || len(p.seen.Policies) == 0 && !p.policed {
		return
	}
	eachHash(was, content, p.renewed.Add)
}

// eachHash calls add with the hashes by which a policy may allow an inline script: hashes of what it
// held, and of what it is to hold.
func eachHash(was, content []byte, add func(old, renewed string)) {
	for _, algorithm := range []string{"sha256", "sha384", "sha512"} {
		add(htmlscan.Hash(was, algorithm), htmlscan.Hash(content, algorithm))
	}
}

// hashesOther reports whether browsers may hash something else than the bytes of an inline script:
// they hash what it is in UTF-8, whatever the page is in.
func (p *pageFile) hashesOther(content []byte) bool {
	isASCII := !slices.ContainsFunc(content, func(c byte) bool { return c >= utf8.RuneSelf })
	if isASCII || !p.policed && !slices.ContainsFunc(p.seen.Policies, listsHashes) {
		return false
	}
	switch label := p.seen.Charset.Label; label {
	case "":
		return !utf8.Valid(p.src)
	default:
		return !strings.HasPrefix(label, "utf") // a page that could be read to here is in no other of them
	}
}

func listsHashes(p htmlscan.Policy) bool {
	return strings.Contains(strings.ToLower(p.Content.Value), "'sha")
}

// renewPolicies lets the page's policies allow what has changed.
func (p *pageFile) renewPolicies() {
	if p.renewed.Len() == 0 && len(p.added) == 0 {
		return
	}
	for i := range p.seen.Policies {
		policy := &p.seen.Policies[i]
		was := htmlscan.CSP(policy.Content.Value)
		is := was.WithScriptHashes(&p.renewed).WithScriptSources(p.added...)
		if is != was {
			p.edits = append(p.edits, pageEdit{policy.Content.Start, policy.Content.End, policy.Content.Spell(string(is))})
		}
	}
}
