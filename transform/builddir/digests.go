package builddir

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"path"
	"regexp"
	"sync"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// A changed file invalidates the digests others hold of it: integrity
// attributes and policies of pages, the tables of hashes that bundlers' loaders
// check chunks against, and manifests. A digest keeps its length, so the
// new one takes the place of every digest of the old contents.

var integrity = regexp.MustCompile(`sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}`)

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

// digests finds changed files by the digests of their old contents.
type digests struct {
	mu      sync.Mutex // pages are renewed side by side
	w       *work
	changed []string               // paths of files that differ from the input's
	byOld   map[string]string      // old digest to path
	byNew   map[string]string      // old digest to new, once it is known
	hashed  map[string]int         // by kind of digest, how many of changed byOld has
	warned  map[string]bool        // files reported as twins
	settled map[string]bool        // scripts whose own digests are renewed
	scripts map[string]*scriptFile // those that may hold digests
}

// renewDigests brings the digests in scripts up to date.
func (w *work) renewDigests() error {
	d := &digests{w: w, byOld: map[string]string{}, byNew: map[string]string{}, warned: map[string]bool{}, hashed: map[string]int{}, settled: map[string]bool{}, scripts: map[string]*scriptFile{}}
	w.digests = d
	for _, s := range w.scripts {
		if s.done.changed {
			d.changed = append(d.changed, s.path)
		}
		if s.digests && s.done.LeftOut == "" {
			d.scripts[s.path] = s
		}
	}
	if len(d.changed) == 0 {
		return nil
	}
	for _, s := range w.scripts {
		if d.scripts[s.path] == nil {
			continue
		}
		if err := d.settle(s.path); err != nil {
			return err
		}
	}
	return nil
}

// settle renews the digests a script holds, after those of the scripts it
// holds digests of: no chain of digests can lead back to itself.
func (d *digests) settle(p string) error {
	s := d.scripts[p]
	if s == nil || d.settled[p] {
		return nil
	}
	d.settled[p] = true
	read, at := d.w.in.ReadFile, p
	if s.done.changed {
		read, at = d.w.out.ReadFile, d.w.place(p)
	}
	text, err := read(at)
	if err != nil {
		return located(p, err)
	}
	renewed, err := d.renew(text, integrity)
	if err != nil || renewed == nil {
		return err
	}
	if !s.done.changed {
		s.done.changed = true
		d.changed = append(d.changed, p)
	}
	return d.w.put(p, renewed, s.file)
}

// renew replaces the digests in a text; nil when there are none to replace.
func (d *digests) renew(text []byte, pattern *regexp.Regexp) ([]byte, error) {
	var renewed []byte
	for _, at := range pattern.FindAllIndex(text, -1) {
		old := string(text[at[0]:at[1]])
		if err := d.index(old); err != nil {
			return nil, err
		}
		target, ok := d.byOld[old]
		if !ok {
			continue
		}
		if err := d.settle(target); err != nil {
			return nil, err
		}
		if d.byNew[old] == "" {
			content, err := d.w.out.ReadFile(d.w.place(target))
			if err != nil {
				return nil, located(target, err)
			}
			d.byNew[old] = digest(old, content)
		}
		if renewed == nil {
			renewed = bytes.Clone(text)
		}
		copy(renewed[at[0]:at[1]], d.byNew[old])
	}
	return renewed, nil
}

// index hashes the old contents of the changed files once for each kind of digest
// that occurs.
func (d *digests) index(like string) error {
	kind := kindOf(like)
	for d.hashed[kind] < len(d.changed) {
		p := d.changed[d.hashed[kind]]
		d.hashed[kind]++
		content, err := d.w.in.ReadFile(p)
		if err != nil {
			return located(p, err)
		}
		old := digest(like, content)
		if other, ok := d.byOld[old]; ok && other != p {
			if err := d.warnOfTwins(other, p); err != nil {
				return err
			}
			continue
		}
		d.byOld[old] = p
	}
	return nil
}

// warnOfTwins reports two files that were identical and no longer are, if there are
// digests of them: a digest that meant both becomes that of the first.
func (d *digests) warnOfTwins(p, twin string) error {
	first, err := d.w.out.ReadFile(d.w.place(p))
	if err != nil {
		return located(p, err)
	}
	second, err := d.w.out.ReadFile(d.w.place(twin))
	if err != nil {
		return located(twin, err)
	}
	if bytes.Equal(first, second) || d.warned[twin] {
		return nil
	}
	d.warned[twin] = true
	if s := d.w.scriptAt[twin]; s != nil {
		s.done.warn("was the same as " + p + " and no longer is: an integrity hash of it is now that of the other")
	}
	return nil
}

// renewManifests brings the digests in JSON files and service workers up to date,
// pages included.
//
// With a sample rate they are those of the clean site, of which only pages changed; a
// manifest in the variant would never be read.
func (w *work) renewManifests() error {
	d := w.digests
	if w.Sample > 0 {
		d.changed = nil
		clear(d.byOld)
		clear(d.hashed)
	}
	for _, p := range w.pages {
		if p.done.changed {
			d.changed = append(d.changed, p.path)
		}
	}
	if len(d.changed) == 0 {
		return nil
	}
	if w.Sample == 0 {
		if err := w.renewPrecaches(); err != nil {
			return err
		}
	}
	for _, f := range w.tree.files {
		if ext := path.Ext(f.path); f.kind == other && (ext == ".json" || ext == ".webmanifest") && f.size <= maxManifest {
			if err := w.renewManifest(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// renewPrecaches brings the lists of service workers up to date.
func (w *work) renewPrecaches() error {
	for _, s := range w.scripts {
		if !s.precache {
			continue
		}
		text, err := w.out.ReadFile(w.place(s.path))
		if err != nil {
			return located(s.path, err)
		}
		renewed, err := w.digests.renew(text, md5Hex)
		if err == nil && renewed != nil {
			err = w.put(s.path, renewed, s.file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// renewManifest brings the digests in a JSON file up to date.
func (w *work) renewManifest(f *file) error {
	text, err := w.in.ReadFile(f.path)
	if err != nil {
		return located(f.path, err)
	}
	isAngular := path.Base(f.path) == "ngsw.json"
	pattern := integrity
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
