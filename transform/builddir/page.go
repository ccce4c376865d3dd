package builddir

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
	"github.com/fieldprof/fieldprof/transform/training"
)

// pageFile is a page of the tree.
type pageFile struct {
	under *base // see baseOf
	*file
	src    []byte
	seen   *htmlscan.Page
	places map[int]place        // by index into seen.Scripts: where its src leads
	named  map[int]*namedScript // likewise: what it names
	odd    string               // why it is left alone
	done   *FileReport
	inline []inlineScript
	edits  []pageEdit
	// renewals are the edits that renew digests of files; see pagedigests.go.
	renewals []pageEdit
	contents map[int][]byte        // new contents of inline scripts, by where the old ones begin
	renewed  htmlscan.ScriptHashes // of inline scripts and files
	added    []string              // source expressions of scripts that we added
	policed  bool                  // policies in headers apply to it
	isPart   bool                  // other pages insert it, see tellParts
}

// namedScript is a script that a page names, maybe through links.
type namedScript struct {
	*scriptFile
	at string // the path that the page's URL means
}

// pageEdit replaces a stretch of a page.
type pageEdit struct {
	start, end int
	text       string
}

// readPages finds which scripts the pages name, and as what.
func (w *work) readPages() error {
	for _, f := range w.tree.files {
		if f.kind != page {
			continue
		}
		src, err := w.in.ReadFile(f.path)
		if err != nil {
			return located(f.path, err)
		}
		p := &pageFile{file: f, src: src, named: map[int]*namedScript{}}
		p.done = &FileReport{Path: f.path, Bytes: Growth{len(src), len(src)}}
		w.pages = append(w.pages, p)
		if p.odd = oddPage(src); p.odd != "" {
			p.done.LeftOut = p.odd
			p.done.warn(p.odd + "; no checks go into it")
			continue
		}
		p.seen = htmlscan.Scan(src)
		p.done.handlers = p.seen.Handlers
	}
	w.placeScripts()
	for _, p := range w.pages {
		if p.odd == "" {
			w.readScriptsOf(p)
		}
	}
	w.tellParts()
	return nil
}

// tellParts tells parts from pages that were written without a doctype: beside a part are
// pages to insert it, and no server shows one for its folder.
func (w *work) tellParts() {
	isWhole := func(p *pageFile) bool { return p.odd == "" && (!p.seen.IsPart || path.Base(p.path) == "index.html") }
	if slices.ContainsFunc(w.pages, isWhole) {
		for _, p := range w.pages {
			p.isPart = p.odd == "" && !isWhole(p)
		}
	}
}

const inUTF16 = "is in UTF-16"

// oddPage returns why nothing is to be inserted into a page.
func oddPage(src []byte) string {
	switch {
	case bytes.HasPrefix(src, []byte{0xfe, 0xff}), bytes.HasPrefix(src, []byte{0xff, 0xfe}):
		return inUTF16
	case bytes.Contains(src, []byte(Folder+"/runtime.js")):
		return "is instrumented already"
	}
	return ""
}

func (w *work) readScriptsOf(p *pageFile) {
	for i := range p.seen.Scripts {
		s := &p.seen.Scripts[i]
		if !runs(s) {
			continue
		}
		if s.Src == nil {
			content := p.src[s.ContentStart:s.ContentEnd]
			if s.Kind == htmlscan.Classic {
				w.names.Avoid(content)
			}
			w.markStarted(w.baseOf(p, len(p.src)).path, startsOf(content))
			continue
		}
		found, ok := p.places[i]
		if !ok {
			continue
		}
		named := w.scriptAt[w.tree.resolve(found.path)]
		p.named[i] = &namedScript{named, found.path}
		if isLegacy(s) {
			named.legacy, w.hasLegacy = true, true
			continue
		}
		named.inPages = true
		if s.Kind == htmlscan.Module {
			named.asModule = true
		} else {
			named.asScript = true
		}
	}
}

func (w *work) eachPage(do func(p *pageFile) error) error {
	return w.each(len(w.pages), func(i int) error {
		if w.pages[i].odd == inUTF16 {
			return nil
		}
		return do(w.pages[i])
	})
}

// instrumentPages makes the new pages. All have their new scripts before the first gets its
// policies: these may allow scripts of other pages, which a router inserts.
func (w *work) instrumentPages() error {
	if err := w.eachPage(w.instrumentPage); err != nil {
		return err
	}
	for _, p := range w.pages {
		if p.odd != inUTF16 {
			continue
		}
		if err := w.renewWide(p); err != nil {
			return err
		}
	}
	w.inlineHashes = sync.OnceValue(w.hashInline)
	return w.eachPage(w.completePage)
}

// instrumentPage finds what changes in a page, except for its policies.
func (w *work) instrumentPage(p *pageFile) error {
	if p.seen == nil {
		p.seen = htmlscan.Scan(p.src) // it is odd, and may hold digests
	}
	if err := w.findRenewals(p); err != nil {
		return err
	}
	if err := w.insertInto(p); err != nil {
		return err
	}
	p.rehash()
	return nil
}

// completePage renews a page's policies and writes the page.
func (w *work) completePage(p *pageFile) error {
	if slices.ContainsFunc(p.seen.Policies, listsHashes) {
		p.allowOthers(w.inlineHashes())
	}
	p.renewPolicies()
	p.addRenewals()
	text := p.src
	if len(p.edits) > 0 {
		text = edited(text, p.edits)
		p.done.changed = true
	}
	table := p.describe(text, w.List)
	p.done.Bytes.After = len(text)
	if !p.done.changed || w.DryRun {
		return nil // copied with the rest
	}
	if err := w.put(p.path, text, p.file); err != nil || table == nil {
		return err
	}
	return w.writeTable(p.path, table)
}

// insertInto puts checks and the runtime into a page. With a sample rate it stays clean
// and gets the chooser.
func (w *work) insertInto(p *pageFile) error {
	switch {
	case p.odd != "":
		return nil
	case w.Sample > 0:
		return w.choose(p)
	}
	if err := w.instrumentInline(p); err != nil {
		return err
	}
	w.loadRuntime(p)
	return nil
}

// instrumentInline instruments the scripts in a page.
func (w *work) instrumentInline(p *pageFile) error {
	if w.globs.excludes(p.path) {
		p.done.LeftOut = excluded
		return nil
	}
	for i := range p.seen.Scripts {
		s := &p.seen.Scripts[i]
		if !runsInline(s) || isLegacy(s) {
			continue
		}
		content := p.renewedIn(s.ContentStart, s.ContentEnd)
		options := w.transformOptions(p.path)
		options.Goal = transform.Script
		if w.trains() {
			options.Hash = training.Hash(p.src[s.ContentStart:s.ContentEnd])
		}
		if s.Kind == htmlscan.Module {
			// No URL of the runtime is asked of the page's base: its script element
			// comes before this module, which nothing imports.
			options.Goal, options.Preloaded, options.Acyclic = transform.Module, true, true
		}
		sourceMap, err := sourcemap.Inline(content)
		if err != nil {
			p.done.warn(err.Error())
		}
		options.SourceMap = sourceMap
		result, err := transform.Transform(content, options)
		if err != nil && sourceMap != nil {
			p.done.warn(err.Error())
			options.SourceMap = nil
			result, err = transform.Transform(content, options)
		}
		if err != nil {
			return err
		}
		if why := p.mustStay(content); why != "" {
			p.leave(s, &result, why)
			continue
		}
		p.inline = append(p.inline, inlineScript{s, &result})
		if len(result.Insertions) == 0 {
			continue
		}
		code := result.Code
		if result.Map != nil {
			code, _ = sourcemap.ReplaceURL(code, sourcemap.InlineURL(result.Map))
		}
		p.replaceInline(s, code)
	}
	return nil
}

var lineSeparator, paragraphSeparator = []byte("\u2028"), []byte("\u2029")

// mustStay returns why no checks may go into an inline script, or "". Line separators end lines of
// scripts but not of pages, so engines would report its functions at positions where the page
// has later scripts.
func (p *pageFile) mustStay(content []byte) string {
	switch {
	case bytes.Contains(content, lineSeparator), bytes.Contains(content, paragraphSeparator):
		return "line separators (U+2028, U+2029), which count as line breaks only in scripts: it stays as it is; write them as \\u2028 and \\u2029"
	case p.hashesOther(content):
		return "characters that are not in UTF-8, and a policy that may allow it by its hash: it stays as it is; write the page in UTF-8"
	}
	return ""
}

// leave leaves an inline script unchanged.
func (p *pageFile) leave(s *htmlscan.Script, result *transform.Result, why string) {
	if len(result.Insertions) > 0 {
		line, _ := textpos.OfHTML(p.src).Position(s.ContentStart)
		p.done.warn(fmt.Sprintf("the script in line %d has %s", line+1, why))
	}
}

// runs reports whether a browser runs what a script element holds or names.
func runs(s *htmlscan.Script) bool {
	return (s.Kind == htmlscan.Classic || s.Kind == htmlscan.Module) && !s.Foreign && !s.Inert
}

// runsInline reports whether a script element has its own script to run.
func runsInline(s *htmlscan.Script) bool { return runs(s) && s.Src == nil && s.Closed }

// replaceInline notes new content for an inline script, and its new hashes.
func (p *pageFile) replaceInline(s *htmlscan.Script, code []byte) {
	p.edits = append(p.edits, pageEdit{s.ContentStart, s.ContentEnd, string(code)})
	if p.contents == nil {
		p.contents = map[int][]byte{}
	}
	p.contents[s.ContentStart] = code
	p.renewHashes(s, code)
}

// first returns the first script of a kind, or nil.
func (p *pageFile) first(is func(i int, s *htmlscan.Script) bool) *htmlscan.Script {
	for i := range p.seen.Scripts {
		if s := &p.seen.Scripts[i]; is(i, s) {
			return s
		}
	}
	return nil
}

// firstThatRuns returns the first script that runs, or nil; the runtime must precede it.
func (p *pageFile) firstThatRuns() *htmlscan.Script {
	return p.first(func(_ int, s *htmlscan.Script) bool { return runs(s) })
}

// firstNamed is the first script element that names a script of the tree.
func (p *pageFile) firstNamed() *htmlscan.Script {
	return p.first(func(i int, _ *htmlscan.Script) bool { return p.named[i] != nil })
}

// insertScript inserts our script element at an offset, with the nonce of another
// script element.
func (p *pageFile) insertScript(at int, like *htmlscan.Script, attributes, content string) {
	attributes += nonceOf(like)
	if attributes != "" {
		attributes = " " + strings.TrimPrefix(attributes, " ")
	}
	p.edits = append(p.edits, pageEdit{at, at, "<script" + attributes + ">" + content + "</script>"})
	if content != "" {
		p.added = append(p.added, htmlscan.Hash([]byte(content), "sha256"))
	}
}

// nonceOf is the nonce attribute of a script element, if it has one.
func nonceOf(s *htmlscan.Script) string {
	if s.Nonce == nil {
		return ""
	}
	return nonceAttribute(s.Nonce.Value)
}

// crossOriginOf is the crossorigin attribute of a script element, if it has one: credentials go with
// both requests, or with none.
func crossOriginOf(s *htmlscan.Script) string {
	if s.CrossOrigin == nil {
		return ""
	}
	return fmt.Sprintf(` crossorigin="%s"`, htmlscan.EscapeAttribute(s.CrossOrigin.Value, '"'))
}

func nonceAttribute(nonce string) string {
	return fmt.Sprintf(` nonce="%s"`, htmlscan.EscapeAttribute(nonce, '"'))
}

// edited applies edits, which must not overlap. It sorts them.
func edited(text []byte, edits []pageEdit) []byte {
	slices.SortStableFunc(edits, inOrder)
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.Write(text[at:])
	return b.Bytes()
}

// inOrder compares edits by where they are.
func inOrder(x, y pageEdit) int {
	return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.end, y.end))
}
