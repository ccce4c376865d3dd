package builddir

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// Manifests are what holds digests and is neither a script nor a page: JSON, templates of pages, what hosts take headers
// from. With scripts that hold digests of pages they are renewed last, when pages are made; see digests.go for those that
// scripts and pages hold digests of.

// maxManifest is the size above which such a file is taken for data.
const maxManifest = 16 << 20

// mayRenew reports whether a file may be a manifest. One without an extension may be a page, as hosts show it for
// a path without one.
func mayRenew(f *file) bool {
	if f.kind != other || f.size > maxManifest {
		return false
	}
	return isHeaders(f) || slices.Contains(holding, strings.ToLower(path.Ext(f.path)))
}

// holding are the extensions of manifests.
var holding = []string{
	"", ".json", ".jsonc", ".json5", ".webmanifest", ".importmap",
	".xhtml", ".xht", ".shtml", ".php", ".phtml", ".cshtml", ".vbhtml", ".razor", ".aspx", ".jsp", ".jspx", ".erb", ".eex", ".heex", ".ejs", ".eta", ".hbs",
	".mustache", ".njk", ".j2", ".jinja", ".jinja2", ".twig", ".latte", ".liquid", ".ftl", ".tmpl", ".tpl", ".gohtml",
}

// digestsAs is how a file spells the digests in it.
func digestsAs(p string) *regexp.Regexp {
	if isAngular(p) {
		return hexDigest
	}
	return spelledIntegrity
}

func isAngular(p string) bool { return path.Base(p) == "ngsw.json" }

// renewManifests brings the digests in manifests and service workers up to date, pages and inline scripts
// included, and the digests of pages and of manifests in all scripts.
func (w *work) renewManifests() error {
	d := w.digests
	d.late = nil
	var pages []string // that changed
	for _, p := range w.pages {
		if w.isNew(p.path) {
			pages = append(pages, p.path)
		}
	}
	if len(pages) == 0 && !w.changed {
		return nil
	}
	if !w.changed {
		d.files = w.mayChange()
	}
	d.files = append(d.files, pages...)
	holders := map[string]func() error{}
	for _, s := range w.scripts {
		holders[s.path] = func() error { return w.renewLastIn(s) }
	}
	for _, f := range w.tree.files {
		if !mayRenew(f) || w.isNew(f.path) {
			continue
		}
		holders[f.path] = func() error { return w.renewManifest(f) }
	}
	early := map[string]bool{}
	for _, f := range w.tree.files {
		early[f.path] = f.kind != page && w.isNew(f.path)
	}
	if err := d.settleAll(holders); err != nil {
		return err
	}
	if w.Sample > 0 {
		return w.renewClean(pages)
	}
	return d.warnOfLate(early)
}

// settleAll renews the digests in some files.
func (d *digests) settleAll(holders map[string]func() error) error {
	d.hold(holders)
	for _, f := range d.w.tree.files {
		if err := d.settle(f.path); err != nil {
			return err
		}
	}
	return nil
}

// renewLastIn brings up to date what a script holds of pages and of files that are renewed last.
func (w *work) renewLastIn(s *scriptFile) error {
	var patterns []*regexp.Regexp
	if s.digests {
		patterns = append(patterns, spelledIntegrity)
	}
	if w.Sample == 0 && s.revises() { // a sampled output has the clean worker
		patterns = append(patterns, hexDigest)
	}
	for _, pattern := range patterns {
		if err := w.renewPagesIn(s, pattern); err != nil {
			return err
		}
	}
	return nil
}

// renewPagesIn brings the digests of pages and manifests in a script up to date, such as those that a service
// worker checks what it keeps against. Pages are made after scripts, whose digests they hold; so a
// script stays as it is if a digest of it has been written.
func (w *work) renewPagesIn(s *scriptFile, pattern *regexp.Regexp) error {
	text, err := w.latest(s.path)
	if err != nil {
		return err
	}
	renewed, err := w.digests.inScript(text, pattern)
	if err != nil || renewed == nil {
		return err
	}
	src, err := w.in.ReadFile(s.path)
	if err != nil {
		return located(s.path, err)
	}
	if holder := w.holderOf(src); holder != "" {
		s.done.warn("has an integrity hash of a page or a manifest, which is out of date: it cannot be renewed, because " + holder + " has one of this script")
		return nil
	}
	return w.putRenewed(s, renewed)
}

// holderOf finds a page or script that holds a digest of what a script was; "" if none does.
func (w *work) holderOf(src []byte) string {
	holds := func(text []byte) bool {
		for held := range heldIn(text, spelledIntegrity) {
			if held.digest == digest(held.digest, src) {
				return true
			}
		}
		return false
	}
	for _, p := range w.pages {
		if holds(p.src) {
			return p.path
		}
	}
	for _, s := range w.scripts {
		if !s.digests {
			continue
		}
		if text, err := w.in.ReadFile(s.path); err == nil && holds(text) {
			return s.path
		}
	}
	return ""
}

// renewManifest brings the digests in a manifest up to date.
func (w *work) renewManifest(f *file) error {
	text, err := w.in.ReadFile(f.path)
	if err != nil {
		return located(f.path, err)
	}
	renewed, err := w.digests.inManifest(f.path, text)
	if err != nil || renewed == nil {
		return err
	}
	if isAngular(f.path) && w.Sample == 0 {
		renewed = w.withRuntime(f.path, renewed)
	}
	return w.put(f.path, renewed, f)
}

// inManifest returns the text of a manifest with its digests up to date, of files and, once pages are made, of
// inline scripts; nil if they are.
func (d *digests) inManifest(p string, text []byte) ([]byte, error) {
	edits, err := d.edits(text, digestsAs(p), func(was heldDigest, is string) string {
		all := d.successorsOf(was.digest, is)
		if slices.Equal(all, []string{was.digest}) {
			return ""
		}
		quote := ""
		if len(all) > 1 {
			if quote = quoteInPolicy(text, was.start, was.end); quote == "" {
				d.w.warnAt(p, text, was.start, fmt.Sprintf("this hash has become %d, of which only the first is here: only in a policy is there room for all", len(all)))
				all = all[:1]
			}
		}
		for i, digest := range all {
			all[i] = was.spell(digest)
		}
		return strings.Join(all, quote+" "+quote)
	})
	if err != nil || len(edits) == 0 {
		return nil, err
	}
	return edited(text, edits), nil
}

// successorsOf are the digests that take the place of an old one, of a file and of inline scripts with its text.
func (d *digests) successorsOf(old, ofFile string) (all []string) {
	if ofFile != old {
		all = append(all, ofFile)
	}
	if d.late == nil {
		for _, hash := range d.w.inlineHashes().Of("'" + old + "'") {
			if is := strings.Trim(hash, "'"); !slices.Contains(all, is) {
				all = append(all, is)
			}
		}
	}
	if all == nil {
		return []string{old}
	}
	return all
}

// A policy quotes each hash, as its text spells quotes. In code a single quote may be that of a string instead, and then no
// second hash can be put beside the first: before one in a policy are another source, the name of a directive, or the quote
// of the string that the policy begins.
var (
	quoteBefore  = regexp.MustCompile(`(?:\\'|&#0*39;|&#[xX]0*27;|&apos;|\\u0027|\\x27|')$`)
	policyBefore = regexp.MustCompile("(?:[\"`]|(?:'|\\*|-src|-src-elem|(?:https?|wss?):[^\\s\"'<>]*|data:|blob:|[\\w*-]+(?:\\.[\\w*-]+)+(?::[\\d*]+)?(?:/[^\\s\"'<>]*)?)\\s+)'$")
)

// policyReach is how far before a hash its policy is looked for.
const policyReach = 256

// quoteInPolicy is how a text spells the quotes around a hash in a policy; "" if it is not known to be in one.
func quoteInPolicy(text []byte, start, end int) string {
	before := text[max(0, start-policyReach):start]
	quote := string(quoteBefore.Find(before))
	switch {
	case quote == "" || !strings.HasPrefix(string(text[end:min(len(text), end+len(quote))]), quote):
		return ""
	case quote == "'" && !policyBefore.Match(before):
		return ""
	}
	return quote
}

// warnAt notes a warning about a place in a file that has no report of its own.
func (w *work) warnAt(p string, content []byte, at int, text string) {
	line, column := textpos.OfHTML(content).Position(at)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.warnings = append(w.warnings, Warning{p, line + 1, column + 1, text})
}

// warnOfLate reports the digests in pages of what was made after them. It is given the files that were made before.
func (d *digests) warnOfLate(early map[string]bool) error {
	isLate := func(p string) bool { return d.w.scriptAt[p] == nil && !early[p] && d.isNew(p) }
	for _, page := range d.w.pages {
		told := map[string]bool{}
		for held := range heldIn(page.src, spelledIntegrity) {
			if err := d.index(held.digest); err != nil {
				return err
			}
			for _, p := range d.byOld[held.digest] {
				if isLate(p) && !told[p] {
					told[p] = true
					d.w.warnAt(page.path, page.src, held.start, "this hash of "+p+" is out of date: it cannot be renewed, because "+p+" is made after this page")
				}
			}
		}
	}
	return nil
}
