package builddir

import (
	"regexp"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// lateness knows which files hold digests of pages or of their scripts, directly or through others. They are renewed when
// pages are made; scripts and pages cannot wait for them.
type lateness struct {
	*digests
	ofPages map[string]bool // old digests of pages and inline scripts
	kinds   map[string]bool // of digests that ofPages has
	known   map[string]bool // by path
}

func newLateness(d *digests) *lateness {
	return &lateness{digests: d, ofPages: map[string]bool{}, kinds: map[string]bool{}, known: map[string]bool{}}
}

// anyManifest reports whether one of some files is a manifest that is renewed when pages are made. After that none is.
func (l *lateness) anyManifest(paths []string) (bool, error) {
	if l == nil {
		return false, nil
	}
	for _, p := range paths {
		if l.w.scriptAt[p] != nil {
			continue // see renewPagesIn
		}
		if is, err := l.is(p); err != nil || is {
			return is, err
		}
	}
	return false, nil
}

// is reports whether a file is renewed when pages are made.
func (l *lateness) is(p string) (bool, error) {
	if is, known := l.known[p]; known {
		return is, nil
	}
	l.known[p] = false
	text, err := l.w.in.ReadFile(p)
	if err != nil {
		return false, located(p, err)
	}
	for _, pattern := range l.patterns(p) {
		for held := range heldIn(text, pattern) {
			if is, err := l.isOf(held.digest); err != nil || is {
				l.known[p] = is
				return is, err
			}
		}
	}
	return false, nil
}

// patterns are those of the digests that a file may hold.
func (l *lateness) patterns(p string) (all []*regexp.Regexp) {
	f, s := l.w.tree.byPath[p], l.w.scriptAt[p]
	switch {
	case s == nil && mayRenew(f):
		return []*regexp.Regexp{digestsAs(p)}
	case s == nil:
		return nil
	}
	if s.digests {
		all = append(all, spelledIntegrity)
	}
	if s.revises() {
		all = append(all, hexDigest)
	}
	return all
}

// isOf reports whether a digest is that of a page, an inline script, or a file that is renewed when pages are made.
func (l *lateness) isOf(old string) (bool, error) {
	if err := l.index(old); err != nil {
		return false, err
	}
	l.indexPages(old)
	if l.ofPages[old] {
		return true, nil
	}
	for _, p := range l.byOld[old] {
		if is, err := l.is(p); err != nil || is {
			return is, err
		}
	}
	return false, nil
}

// indexPages hashes the pages and their scripts once for each kind of digest that occurs.
func (l *lateness) indexPages(like string) {
	kind := kindOf(like)
	if l.kinds[kind] {
		return
	}
	l.kinds[kind] = true
	for _, p := range l.w.pages {
		l.ofPages[digest(like, p.src)] = true
		if p.seen == nil {
			continue
		}
		p.eachInline(func(s *htmlscan.Script) { l.ofPages[digest(like, p.src[s.ContentStart:s.ContentEnd])] = true })
	}
}

// renewEarly brings the digests in a manifest up to date before pages are made.
func (w *work) renewEarly(f *file) error {
	if isLate, err := w.digests.late.is(f.path); err != nil || isLate {
		return err
	}
	return w.renewManifest(f)
}
