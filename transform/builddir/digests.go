package builddir

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"
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
// pages, and of what was renewed last itself: each file is renewed after those that it holds digests of.
//
// A file that is left out, or has nothing to check, may hold digests like any other. No
// checks go into it; but the old digests would refuse what has some.

func mayHoldDigests(text []byte) bool {
	return holds(text, "384-", "sha384-") || holds(text, "256-", "sha256-") || holds(text, "512-", "sha512-")
}

// digest is the digest of content in the form and algorithm of an example.
func digest(like string, content []byte) string {
	switch kind := kindOf(like); kind {
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
	inlined bool                    // pages are made, and digests may belong to their scripts
}

// renewDigests brings the digests in scripts up to date.
func (w *work) renewDigests() error {
	d := &digests{w: w, byOld: map[string][]string{}, byNew: map[string]string{}, warned: map[string]bool{}, hashed: map[string]int{}}
	d.hold(map[string]func() error{})
	w.digests = d
	if !w.changed {
		return nil
	}
	for _, s := range w.scripts {
		if s.digests {
			d.holders[s.path] = func() error { return d.renewScript(s) }
		}
		if s.digests || w.isNew(s.path) {
			d.files = append(d.files, s.path)
		}
	}
	for _, s := range w.scripts {
		if err := d.settle(s.path); err != nil {
			return err
		}
	}
	return nil
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
	renewed, err := d.inScript(text)
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
func (d *digests) inScript(text []byte) ([]byte, error) {
	edits, err := d.edits(text, spelledIntegrity, func(was spelling, is string) string {
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

// renew returns a text, other than a script's, with its digests up to date; nil if they are. Once pages are made
// they may be hashes of inline scripts, too.
func (d *digests) renew(text []byte, pattern *regexp.Regexp) ([]byte, error) {
	edits, err := d.renewals(text, pattern)
	if err != nil || len(edits) == 0 {
		return nil, err
	}
	return edited(text, edits), nil
}

// renewals are the edits that bring the digests in a text, other than a script's, up to date, in order.
func (d *digests) renewals(text []byte, pattern *regexp.Regexp) ([]pageEdit, error) {
	return d.edits(text, pattern, func(was spelling, is string) string {
		if is == was.digest && d.inlined {
			// Policies quote each hash: between the outer quotes, sha256-A becomes sha256-B' 'sha256-C.
			hashes := d.w.inlineHashes().Of("'" + is + "'")
			is = cmp.Or(strings.Trim(strings.Join(hashes, " "), "'"), is)
		}
		if is == was.digest {
			return ""
		}
		return was.spell(is)
	})
}

// edits replaces each digest in a text by what renew makes of it and of its successor; "" leaves it.
func (d *digests) edits(text []byte, pattern *regexp.Regexp, renew func(was spelling, is string) string) ([]pageEdit, error) {
	var edits []pageEdit
	for _, at := range pattern.FindAllIndex(text, -1) {
		was := spellingOf(string(text[at[0]:at[1]]))
		is, err := d.successor(was.digest)
		if err != nil {
			return nil, err
		}
		if renewed := renew(was, is); renewed != "" {
			edits = append(edits, pageEdit{at[0], at[1], renewed})
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
	for _, p := range paths {
		if err := d.settle(p); err != nil {
			return "", err
		}
	}
	first := paths[max(0, slices.IndexFunc(paths, d.w.isNew))]
	content, err := d.w.latest(first)
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
	own, err := d.w.latest(twin)
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

// renewManifests brings the digests in JSON files, templates, files of headers and service workers up to
// date, pages and inline scripts included, and the digests of pages and of these files in all scripts.
//
// With a sample rate they are digests of the clean site, of which only pages changed; a
// manifest in the variant would never be read.
func (w *work) renewManifests() error {
	d := w.digests
	if w.Sample > 0 {
		d.files = nil
		clear(d.byOld)
		clear(d.byNew)
		clear(d.hashed)
	}
	for _, p := range w.pages {
		if p.done.changed {
			d.files = append(d.files, p.path)
		}
	}
	if len(d.files) == 0 {
		return nil
	}
	d.inlined = w.Sample == 0
	holders := map[string]func() error{}
	for _, s := range w.scripts {
		holders[s.path] = func() error { return w.renewLastIn(s) }
	}
	for _, f := range w.tree.files {
		if !mayRenew(f) {
			continue
		}
		holders[f.path] = func() error { return w.renewManifest(f) }
		if w.Sample == 0 {
			d.files = append(d.files, f.path)
		}
	}
	d.hold(holders)
	for _, f := range w.tree.files {
		if err := d.settle(f.path); err != nil {
			return err
		}
	}
	return nil
}

// mayRenew reports whether a file that is no script and no page may hold digests: JSON, templates of pages, and what
// hosts take headers from.
func mayRenew(f *file) bool {
	if f.kind != other || f.size > maxManifest {
		return false
	}
	return isHeaders(f) || slices.Contains(holding, strings.ToLower(path.Ext(f.path)))
}

// holding are the extensions of such files.
var holding = []string{
	".json", ".webmanifest", ".xhtml", ".shtml", ".php", ".phtml", ".cshtml", ".aspx", ".jsp", ".erb", ".ejs", ".hbs", ".twig", ".liquid", ".tmpl",
}

// renewLastIn brings up to date what a script holds of pages and of files that are renewed last.
func (w *work) renewLastIn(s *scriptFile) error {
	if err := w.renewPagesIn(s); err != nil || w.Sample > 0 || !s.precache {
		return err
	}
	return w.renewPrecache(s)
}

// renewPagesIn brings the digests of pages and manifests in a script up to date, such as those that a service
// worker checks what it keeps against. Pages are made after scripts, whose digests they hold; so a
// script stays as it is if a digest of it has been written.
func (w *work) renewPagesIn(s *scriptFile) error {
	if !s.digests {
		return nil
	}
	text, err := w.latest(s.path)
	if err != nil {
		return err
	}
	renewed, err := w.digests.inScript(text)
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
	if w.Sample > 0 {
		if w.renewedClean[s.path], err = w.digests.inScript(src); err != nil {
			return err
		}
	}
	return w.putRenewed(s, renewed)
}

// holderOf finds a page or script that holds a digest of what a script was; "" if none does.
func (w *work) holderOf(src []byte) string {
	holds := func(text []byte) bool {
		return slices.ContainsFunc(spelledIntegrity.FindAll(text, -1), func(found []byte) bool {
			held := spellingOf(string(found)).digest
			return held == digest(held, src)
		})
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

// renewPrecache brings the list of a service worker up to date.
func (w *work) renewPrecache(s *scriptFile) error {
	text, err := w.out.ReadFile(w.place(s.path))
	if err != nil {
		return located(s.path, err)
	}
	renewed, err := w.digests.renew(text, md5Hex)
	if err != nil || renewed == nil {
		return err
	}
	return w.put(s.path, renewed, s.file)
}

// renewManifest brings the digests in a file up to date that is neither a script nor a page.
func (w *work) renewManifest(f *file) error {
	text, err := w.in.ReadFile(f.path)
	if err != nil {
		return located(f.path, err)
	}
	isAngular := path.Base(f.path) == "ngsw.json"
	pattern := spelledIntegrity
	if isAngular {
		pattern = sha1Hex
	}
	renewed, err := w.digests.renew(text, pattern)
	switch {
	case err != nil || renewed == nil:
		return err
	case w.Sample > 0:
		w.renewedClean[f.path] = renewed
		return nil
	case isAngular:
		renewed = w.withRuntime(f.path, renewed)
	}
	return w.put(f.path, renewed, f)
}

// maxManifest is the size above which a JSON file is taken for data.
const maxManifest = 16 << 20
