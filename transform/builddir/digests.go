package builddir

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"sync"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// A changed file invalidates the digests others hold of it: integrity
// attributes and policies of pages, the tables of hashes that bundlers' loaders
// check chunks against, and manifests. The new digest takes the place of every digest of the
// old contents, spelled as that was (spelling.go). In a script it keeps its length, so all
// positions stay what they were.
//
// Scripts come first, then the pages that hold their digests, and last what holds digests of
// pages, and of what was renewed last itself: each file is renewed after those that it holds digests of. So a
// manifest of which a script or a page has the digest comes before these, unless it holds digests of pages.
//
// A file that is left out, or has nothing to check, may hold digests like any other. No
// checks go into it; but the old digests would refuse what has some.

func mayHoldDigests(text []byte) bool {
	return holds(text, "384-", "sha384-") || holds(text, "256-", "sha256-") || holds(text, "512-", "sha512-")
}

// digest is the digest of content in the form and algorithm of an example.
func digest(like string, content []byte) string {
	switch kind := kindOf(like); kind {
	case "hexadecimal sha256":
		sum := sha256.Sum256(content)
		return hex.EncodeToString(sum[:])
	case "sha1":
		return sha1Of(content)
	case "md5":
		return md5Of(content)
	default:
		return htmlscan.Digest(content, kind)
	}
}

func md5Of(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

func sha1Of(content []byte) string {
	sum := sha1.Sum(content)
	return hex.EncodeToString(sum[:])
}

// kindOf is the algorithm of a digest.
func kindOf(like string) string {
	switch {
	case like[0] == 's':
		return like[:6]
	case len(like) == 2*sha256.Size:
		return "hexadecimal sha256"
	case len(like) == 2*sha1.Size:
		return "sha1"
	}
	return "md5"
}

// digests finds files by the digests of their old contents.
type digests struct {
	mu      sync.Mutex // pages are renewed side by side
	w       *work
	files   []string                // that differ from the input's, or may once their own digests are renewed
	byOld   map[string][]string     // old digest to paths
	byNew   map[string]string       // old digest to what takes its place, once that is known
	hashed  map[string]int          // by kind of digest, how many of files byOld has
	warned  map[string]bool         // files reported as twins
	settled map[string]bool         // holders whose own digests are renewed
	holders map[string]func() error // by path, renew the digests in a file that may hold some
	late    *lateness               // until pages are made
	// isNew reports whether a file has other contents than in the input, as far as it is made, and latest returns them.
	isNew  func(p string) bool
	latest func(p string) ([]byte, error)
}

func newDigests(w *work) *digests {
	d := &digests{w: w, byOld: map[string][]string{}, byNew: map[string]string{}, warned: map[string]bool{}, hashed: map[string]int{}}
	d.isNew, d.latest = w.isNew, w.latest
	d.hold(map[string]func() error{})
	return d
}

// renewDigests brings the digests in scripts up to date.
func (w *work) renewDigests() error {
	d := newDigests(w)
	w.digests = d
	if !w.changed {
		return nil
	}
	d.late = newLateness(d)
	d.files = w.mayChange()
	for _, s := range w.scripts {
		if s.digests {
			d.holders[s.path] = func() error { return d.renewScript(s) }
		}
	}
	for _, f := range w.tree.files {
		if mayRenew(f) {
			d.holders[f.path] = func() error { return w.renewEarly(f) }
		}
	}
	for _, s := range w.scripts {
		if err := d.settle(s.path); err != nil {
			return err
		}
	}
	return nil
}

// mayChange lists the files, other than pages, that differ from the input's, or may once their own digests are renewed.
func (w *work) mayChange() (files []string) {
	for _, f := range w.tree.files {
		s := w.scriptAt[f.path]
		if w.isNew(f.path) && (s != nil || f.kind == sourceMap) || s != nil && (s.digests || s.revises()) || mayRenew(f) {
			files = append(files, f.path)
		}
	}
	return files
}

// hold says which files are renewed from now on.
func (d *digests) hold(holders map[string]func() error) {
	d.holders, d.settled = holders, map[string]bool{}
}

// settle renews the digests that a file holds, after those of the files it
// holds digests of: no chain of digests can lead back to itself.
func (d *digests) settle(p string) error {
	renew := d.holders[p]
	if renew == nil || d.settled[p] {
		return nil
	}
	d.settled[p] = true
	return renew()
}

// renewScript brings the digests in a script up to date.
func (d *digests) renewScript(s *scriptFile) error {
	text, err := d.w.latest(s.path)
	if err != nil {
		return err
	}
	renewed, err := d.inScript(text, spelledIntegrity)
	if err != nil || renewed == nil {
		return err
	}
	return d.w.putRenewed(s, renewed)
}

// putRenewed writes a script that has other digests.
func (w *work) putRenewed(s *scriptFile, text []byte) error {
	if s.done.LeftOut == "" {
		s.done.changed = true
	}
	return w.put(s.path, text, s.file)
}

// inScript returns the text of a script, with as many bytes, with its digests up to date; nil if they are.
func (d *digests) inScript(text []byte, pattern *regexp.Regexp) ([]byte, error) {
	edits, err := d.edits(text, pattern, func(was heldDigest, is string) string {
		if is == was.digest {
			return ""
		}
		return was.spellEvenly(is)
	})
	if err != nil || edits == nil {
		return nil, err
	}
	return edited(text, edits), nil
}

// renewals are the edits that bring the digests of files in a text, other than a script's, up to date, in order.
func (d *digests) renewals(text []byte, pattern *regexp.Regexp) ([]pageEdit, error) {
	return d.edits(text, pattern, func(was heldDigest, is string) string {
		if is == was.digest {
			return ""
		}
		return was.spell(is)
	})
}

// edits replaces each digest in a text by what renew makes of it, and of its successor; "" leaves it.
func (d *digests) edits(text []byte, pattern *regexp.Regexp, renew func(was heldDigest, is string) string) ([]pageEdit, error) {
	var edits []pageEdit
	for was := range heldIn(text, pattern) {
		is, err := d.successor(was.digest)
		if err != nil {
			return nil, err
		}
		if renewed := renew(was, is); renewed != "" {
			edits = append(edits, pageEdit{was.start, was.end, renewed})
		}
	}
	return edits, nil
}

// successor returns the digest that takes the place of an old one. It is the same digest if its
// file does not change, or is not in the tree.
func (d *digests) successor(old string) (string, error) {
	if err := d.index(old); err != nil {
		return "", err
	}
	paths := d.byOld[old]
	if len(paths) == 0 {
		return old, nil
	}
	if known := d.byNew[old]; known != "" {
		return known, nil
	}
	if isLate, err := d.late.anyManifest(paths); err != nil || isLate {
		return old, err // asked for again when it is made
	}
	for _, p := range paths {
		if err := d.settle(p); err != nil {
			return "", err
		}
	}
	first := paths[max(0, slices.IndexFunc(paths, d.isNew))]
	content, err := d.latest(first)
	if err != nil {
		return "", err
	}
	for _, twin := range paths {
		if err := d.compare(twin, first, content); err != nil {
			return "", err
		}
	}
	d.byNew[old] = digest(old, content)
	return d.byNew[old], nil
}

// index hashes the old contents of the files once for each kind of digest that occurs.
func (d *digests) index(like string) error {
	kind := kindOf(like)
	for d.hashed[kind] < len(d.files) {
		p := d.files[d.hashed[kind]]
		d.hashed[kind]++
		content, err := d.w.in.ReadFile(p)
		if err != nil {
			return located(p, err)
		}
		old := digest(like, content)
		d.byOld[old] = append(d.byOld[old], p)
	}
	return nil
}

// compare reports a file that was identical to another and no longer is, of which
// there is a digest: one that meant both becomes the other's digest.
func (d *digests) compare(twin, other string, content []byte) error {
	own, err := d.latest(twin)
	if err != nil {
		return err
	}
	if bytes.Equal(own, content) || d.warned[twin] {
		return nil
	}
	d.warned[twin] = true
	if s := d.w.scriptAt[twin]; s != nil {
		s.done.warn("was the same as " + other + " and no longer is: an integrity hash of it is now that of the other")
	}
	return nil
}
