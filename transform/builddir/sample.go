package builddir

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// With a sample rate, the output is the clean site, identical except for its pages,
// plus a profiled variant of everything but the pages in fieldprof/profiled/. Each page
// gets choosers: inline scripts, one before each script of the tree.
//
//	<script>fieldprofChoose('defer src="./fieldprof/profiled/app.js"')</script><script defer src="app.js"></script>
//
// In a sampled session a chooser writes two tags: the variant's script, and the
// start of a data block (a script of a type that no browser runs). The clean
// script's start tag becomes the text of the data block and its end tag ends
// it, whatever is between. So nothing needs to follow a clean script, order and
// attributes stay the same, and in a session that is not chosen the page is the clean
// one: choosers remove themselves, and the browser's preload scanner finds its scripts
// early. The same goes for a page whose policy refuses inline scripts.
//
// The alternatives fall short (docs/deploying.md).

// variants is the folder of the profiled variants in the output.
const variants = Folder + "/profiled/"

// variant returns where the profiled variant of a file goes in the output.
func variant(p string) string { return variants + p }

// chooser is the text of a page's first chooser. It defines two globals:
// fieldprofSampled, which a page's own scripts may read, and fieldprofChoose,
// which the other choosers call with the attributes of their variant; the first
// one calls it itself, with the runtime's attributes.
//
// It is written in the JavaScript of old browsers and contains no < or &, which XML
// would interpret.
func chooser(rate float64, runtime string) string {
	return `var fieldprofSampled=!1;` +
		`function fieldprofChoose(a,z,d,s){d=document;s=d.currentScript||0;` +
		// A framework that swaps pages runs choosers when nothing can be
		// written any more without losing the page.
		`if(fieldprofSampled)if(d.readyState=="loading")` +
		`d.write("\x3cscript "+a+(s.nonce?' nonce="'+s.nonce+'"':"")+">\x3c/script>"+(z==null?"\x3cscript type=fieldprof>":z));` +
		`if(s)s.remove()}` +
		`!function(k,m,v,c){` +
		// Without storage a session could not stick to what it chose: it is
		// clean, unless the address insists. Nor is anything stored without
		// consent.
		`try{if(window.fieldprofConsent!==!1){` +
		`m=/[?\x26]` + Folder + `=([01])\b/.exec(location.search);` +
		`v=m?m[1]:sessionStorage.getItem(k);c=navigator.connection||0;` +
		// On 2G, Chromium blocks written scripts of other sites.
		`if(v==null)v=c.saveData||/2g/.test(c.effectiveType)||Math.random()>=` + strconv.FormatFloat(rate, 'g', -1, 64) + `?0:1;` +
		`sessionStorage.setItem(k,v)}}catch(e){v=m?m[1]:0}` +
		// Where writing is forbidden (Trusted Types, XML) the page is clean.
		`try{fieldprofSampled=v==1;fieldprofChoose(` + literal(runtime) + `,"")}catch(e){fieldprofSampled=!1}` +
		`}("` + Folder + `")`
}

// cleanNames goes after the runtime of the variant, which only sampled sessions load. Some loaders
// know a script by the text of its src: Turbopack's chunks say which they are by
// document.currentScript.getAttribute("src"), and its loader would wait for ever for those that
// the page names. So that text is the clean script's. The property src is the variant's place,
// from which other loaders make addresses. It leaves RegExp.$1 and its like alone.
const cleanNames = `;self.HTMLScriptElement&&(HTMLScriptElement.prototype.getAttribute=function(n){` +
	`var v=Element.prototype.getAttribute.call(this,n);` +
	`return v&&(""+n).toLowerCase()=="src"?v.replace("` + variants + `",""):v});` + "\n"

// choose puts the choosers into a page. Scripts without checks are chosen too: they may
// load others that have some, from their own location.
func (w *work) choose(p *pageFile) error {
	if !w.changed || p.isPart {
		return nil // a part's page has chosen
	}
	first, digests := true, variantDigests{w: w}
	nonce := p.anyNonce()
	for i := range p.seen.Scripts {
		s, named := &p.seen.Scripts[i], p.named[i]
		if named == nil || !s.Closed {
			continue
		}
		if first {
			p.insertChooser(s.Before, s, nonce, chooser(w.Sample, w.runtimeAttributes(p, s.Before)))
			first = false
		}
		attributes, err := digests.attributes(p, s, named)
		if err != nil {
			return err
		}
		p.insertChooser(s.Start, s, nonce, "fieldprofChoose("+literal(attributes)+")")
	}
	return nil
}

// insertChooser puts a chooser at an offset before a script, with that script's nonce or another's:
// a policy with nonces may allow this script by its URL.
func (p *pageFile) insertChooser(at int, s *htmlscan.Script, nonce *htmlscan.Attribute, text string) {
	before := *s
	before.Nonce = cmp.Or(s.Nonce, nonce)
	p.insertScript(at, &before, "", text)
}

// anyNonce is the first nonce of a script of the page, or nil.
func (p *pageFile) anyNonce() *htmlscan.Attribute {
	if s := p.first(func(_ int, s *htmlscan.Script) bool { return s.Nonce != nil }); s != nil {
		return s.Nonce
	}
	return nil
}

// runtimeAttributes returns the attributes of the runtime's script element.
func (w *work) runtimeAttributes(p *pageFile, at int) string {
	url := w.urlFrom(p, at, variant(Folder+"/runtime.js"))
	crossOrigin, integrity := w.asksFor(p, url)
	return `src="` + htmlscan.EscapeAttribute(url, '"') + `"` + crossOrigin + integrity
}

// variantDigests finds the digests of scripts' variants, of each script once.
type variantDigests struct {
	w     *work
	known map[string]map[string]string // by path: digests of the script, and of its variant
}

// attributes returns the attributes of a script's variant: the script's own, except for src and
// integrity. The chooser has the nonce.
func (v *variantDigests) attributes(p *pageFile, s *htmlscan.Script, named *namedScript) (string, error) {
	var edits []pageEdit // of the start tag
	edit := func(start, end int, text string) {
		edits = append(edits, pageEdit{start - s.Start, end - s.Start, text})
	}
	_, query, _ := strings.Cut(s.Src.Value, "?") // may tell versions apart
	query, _, _ = strings.Cut(query, "#")
	if query != "" {
		query = "?" + query
	}
	edit(s.Src.Start, s.Src.End, s.Src.Spell(beside(s.Src.Value, named.at, variant(named.at))+query))
	if a := s.Nonce; a != nil {
		edit(a.AttrStart, a.AttrEnd, "")
	}
	if a := s.Integrity; a != nil && v.w.isNew(named.path) {
		renewed, err := v.integrity(a.Value, named)
		if err != nil {
			return "", err
		}
		edit(a.Start, a.End, a.Spell(renewed))
		for _, digest := range integrity.FindAllString(renewed, -1) {
			p.added = append(p.added, "'"+digest+"'") // a policy may list them
		}
	}
	tag := edited(p.src[s.Start:s.ContentStart-len(">")], edits)
	return strings.Trim(string(tag[len("<script"):]), " \t\n\f\r"), nil
}

// integrity replaces a script's digests by the digests of its variant.
func (v *variantDigests) integrity(value string, named *namedScript) (string, error) {
	var failed error
	renewed := integrity.ReplaceAllStringFunc(value, func(old string) string {
		of, err := v.of(named.path, old)
		if err != nil {
			failed = err
		}
		return cmp.Or(of[old], old)
	})
	return renewed, failed
}

// of returns the digests of a script and of its variant, in the algorithm of an example.
func (v *variantDigests) of(p, like string) (map[string]string, error) {
	key := kindOf(like) + " " + p
	if of, done := v.known[key]; done {
		return of, nil
	}
	clean, err := v.w.in.ReadFile(p)
	if err != nil {
		return nil, located(p, err)
	}
	profiled, err := v.w.out.ReadFile(v.w.place(p))
	if err != nil {
		return nil, located(p, err)
	}
	if v.known == nil {
		v.known = map[string]map[string]string{}
	}
	v.known[key] = map[string]string{digest(like, clean): digest(like, profiled)}
	return v.known[key], nil
}

// literal writes a string for an inline script, without < (and so without end tags and
// comments) and without &.
func literal(s string) string {
	replacer := strings.NewReplacer(`\`, `\\`, `'`, `\'`, "<", `\x3c`, "&", `\x26`, "\n", `\n`, "\r", `\r`, "\u2028", `\u2028`, "\u2029", `\u2029`)
	return "'" + replacer.Replace(s) + "'"
}

// cleanVariant copies the clean site to its place in a sampled output.
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
		if text, ok := w.renewedClean[f.path]; ok {
			return w.writeOut(f.path, text, f.mode)
		}
		if text, ok := w.renewedClean[uncompressed(f.path)]; ok && f.kind == compressed {
			if text = compressedAs(f.path, text); text == nil {
				return nil
			}
			return w.writeOut(f.path, text, f.mode)
		}
		return w.copyOut(f, f.path)
	})
}
