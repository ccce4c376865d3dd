package builddir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// A policy with 'strict-dynamic' allows scripts that an allowed script adds to the page, but not modules
// that a script in the page's HTML imports: the request for a module needs a nonce or a hash of its own.
// The runtime imports trace.js once a profile starts. It passes its nonce on; only an import map can give
// an import a hash:
//
//	<script type="importmap" class="fieldprof">{"integrity":{"./fieldprof/trace.js":"sha256-…"}}</script><script src="./fieldprof/runtime.js" class="fieldprof" integrity="sha256-…"></script>
//
// An import map must precede all that loads a module, so the runtime's tag comes before the links to
// modules in such a page, and takes the map out of the page with its own element. A page that has a map
// gets the hash in it.

// needsHashOfTrace reports whether a page's policies would refuse what its runtime imports.
func (p *pageFile) needsHashOfTrace(first *htmlscan.Script) bool {
	return first.Nonce == nil && slices.ContainsFunc(p.policies(nil), htmlscan.CSP.IsStrictDynamic)
}

// allowTrace lets the runtime of a page import trace.js. It returns where the runtime's tag goes.
func (w *work) allowTrace(p *pageFile, at int, runtime string, first *htmlscan.Script) int {
	if !p.needsHashOfTrace(first) {
		return at
	}
	trace := strings.TrimSuffix(runtime, "runtime.js") + "trace.js"
	entry := quote(trace) + `:"` + w.allowRuntimeFile(p, "trace.js") + `"`
	if own := p.first(isImportMap); own != nil {
		p.joinImportMap(own, entry)
		return at
	}
	for _, l := range p.seen.Links {
		if !l.Inert && l.Start < at && slices.Contains(l.Rel, "modulepreload") && p.underBase(l.Start) == p.underBase(at) {
			at = l.Start
		}
	}
	p.insertScript(at, first, `type="importmap"`+classOfOurs, `{"integrity":{`+entry+`}}`)
	return at
}

func isImportMap(_ int, s *htmlscan.Script) bool {
	return s.Kind == htmlscan.ImportMap && s.Src == nil && s.Closed && !s.Foreign && !s.Inert
}

// joinImportMap adds an integrity hash to an import map of the page.
func (p *pageFile) joinImportMap(s *htmlscan.Script, entry string) {
	content := p.renewedIn(s.ContentStart, s.ContentEnd)
	at, closes, err := integrityIn(content)
	if err != nil {
		p.done.warn(fmt.Sprintf("the import map cannot be read (%v): browsers will refuse what the runtime imports, and profiles will be empty", err))
		return
	}
	text := entry
	if closes != "" {
		text = `"integrity":{` + entry + closes
	}
	if after := bytes.TrimLeft(content[at:], " \t\r\n"); after[0] != '}' {
		text += ","
	}
	p.replaceInline(s, slices.Concat(content[:at], []byte(text), content[at:]))
}

// integrityIn finds where an import map takes another integrity hash: where its table of them begins, or,
// if it has none, where it begins itself, and what then closes the new table.
func integrityIn(content []byte) (at int64, closes string, err error) {
	d := json.NewDecoder(bytes.NewReader(content))
	if err := begins(d); err != nil {
		return 0, "", err
	}
	at = d.InputOffset()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return 0, "", err
		}
		if key == "integrity" {
			err := begins(d)
			return d.InputOffset(), "", err
		}
		if err := d.Decode(&json.RawMessage{}); err != nil {
			return 0, "", err
		}
	}
	_, err = d.Token()
	return at, "}", err
}

// begins reads the beginning of an object.
func begins(d *json.Decoder) error {
	token, err := d.Token()
	if err == nil && token != json.Delim('{') {
		err = errors.New("it is no object")
	}
	return err
}
