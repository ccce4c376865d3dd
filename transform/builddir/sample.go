package builddir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// With a sample rate the output is the clean site, byte for byte but for its
// pages, and a profiled variant of all but the pages in fieldprof/profiled/.
// Each page gets a chooser: an inline script before the first script decides,
// once a session, and one before each script that has a variant puts the
// variant in its place:
//
//	<script>__fieldprofSampled&&document.write('…variant…<!--')</script>
//	<script src="app.js"></script><!-- -->
//
// What is written ends with the beginning of a comment, which swallows the
// clean script as far as the -->. A session that is not chosen runs the clean
// page as it is, found ahead by the browser's preload scanner; so does one whose
// policy refuses inline scripts.

// variant is where the profiled variant of a file stands in the output.
func variant(p string) string { return Folder + "/profiled/" + p }

// chooserName is a global name, which the inline scripts of a page share.
const chooserName = "__fieldprofSampled"

// decision chooses once a session, if there is storage to remember it in. The
// page's address can insist: ?fieldprof=1 or 0.
//
// Save-Data keeps a session out.
func decision(rate float64) string {
	return `var ` + chooserName + `=function(k,v){try{v=/[?&]` + Folder + `=([01])/.exec(location.search);` +
		`v=v?v[1]:(navigator.connection||0).saveData?0:sessionStorage.getItem(k);` +
		`if(v==null)v=Math.random()<` + strconv.FormatFloat(rate, 'g', -1, 64) + `?1:0;` +
		`sessionStorage.setItem(k,v)}catch(e){}return+v}("` + Folder + `")`
}

// choose puts the chooser into a page.
func (w *work) choose(p *pageFile) {
	first := p.first()
	if first == nil || !p.namesChanged() {
		return
	}
	load := `<script src="` + htmlscan.EscapeAttribute(w.urlFrom(p, variant(Folder+"/runtime.js")), '"') + `"` + nonce(first) + `></script>`
	p.insertScript(first, "", decision(w.Sample)+";"+chooserName+"&&document.write("+literal(load)+")")
	for i := range p.seen.Scripts {
		if named := p.named[i]; named != nil && named.done.changed {
			w.chooseScript(p, &p.seen.Scripts[i], named)
		}
	}
}

// chooseScript puts the variant of one script before it.
func (w *work) chooseScript(p *pageFile, s *htmlscan.Script, named *namedScript) {
	element := string(p.src[s.Start:s.End])
	if !s.Closed || strings.Contains(element, "--") && (strings.Contains(element, "-->") || strings.Contains(element, "--!>")) {
		p.done.warn(fmt.Sprintf("the element of %s holds the end of a comment: it stays clean", named.path))
		return
	}
	tag := string(p.src[s.Start:s.ContentStart])
	replace := func(a *htmlscan.Attribute, text string, start, end int) {
		tag = tag[:start-s.Start] + text + tag[end-s.Start:]
	}
	source := s.Src.Spell(beside(s.Src.Value, named.at, variant(named.at)))
	switch a := s.Integrity; {
	case a == nil:
		replace(s.Src, source, s.Src.Start, s.Src.End)
	case a.Start > s.Src.Start:
		replace(a, "", a.AttrStart, a.AttrEnd)
		replace(s.Src, source, s.Src.Start, s.Src.End)
	default:
		replace(s.Src, source, s.Src.Start, s.Src.End)
		replace(a, "", a.AttrStart, a.AttrEnd)
	}
	p.insertScript(s, "", chooserName+"&&document.write("+literal(tag+"</script><!--")+")")
	p.edits = append(p.edits, pageEdit{s.End, s.End, "<!-- -->"})
}

func nonce(s *htmlscan.Script) string {
	if s.Nonce == nil {
		return ""
	}
	return ` nonce="` + htmlscan.EscapeAttribute(s.Nonce.Value, '"') + `"`
}

// literal spells a string for an inline script: no < stands in it, so that no
// end tag or comment does.
func literal(s string) string {
	replacer := strings.NewReplacer(`\`, `\\`, `'`, `\'`, "<", `\x3c`, "\n", `\n`, "\r", `\r`, "\u2028", `\u2028`, "\u2029", `\u2029`)
	return "'" + replacer.Replace(s) + "'"
}

// cleanVariant copies the clean site to where it stands in a sampled output.
func (w *work) cleanVariant() error {
	if w.Sample == 0 {
		return nil
	}
	for _, dir := range w.tree.dirs {
		if err := w.out.MkdirAll(dir.path, 0o755); err != nil {
			return located(dir.path, err)
		}
	}
	return w.each(len(w.tree.files), func(i int) error {
		f := w.tree.files[i]
		if w.ofPage(f.path) && (w.written[f.path] || w.stale(f)) {
			return nil
		}
		return w.out.copyFile(w.in, f, f.path)
	})
}
