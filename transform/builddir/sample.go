package builddir

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// With a sample rate the output is the clean site, byte for byte but for its
// pages, and a profiled variant of all but the pages in fieldprof/profiled/.
// Each page gets choosers: inline scripts, one before each script that is of the
// tree.
//
//	<script>fieldprofChoose('defer src="./fieldprof/profiled/app.js"')</script><script defer src="app.js"></script>
//
// In a sampled session a chooser writes two tags: the variant's script, and the
// start of a data block (a script of a type that no browser runs). The clean
// script's start tag becomes the text of the data block and its end tag ends
// it, whatever stands between. So nothing needs to follow a clean script, order
// and attributes are as they were, and the page of a session that is not chosen
// is the clean one: choosers take themselves out of it, and the browser's
// preload scanner finds its scripts ahead. So it does in a page whose policy
// refuses inline scripts.
//
// What else could be tried falls short (docs/deploying.md).

// variant is where the profiled variant of a file stands in the output.
func variant(p string) string { return Folder + "/profiled/" + p }

// chooser is the text of a page's first chooser. It defines two globals:
// fieldprofSampled, which a page's own scripts may read, and fieldprofChoose,
// which the other choosers call with the attributes of their variant; the first
// one calls it itself, with those of the runtime.
//
// It speaks the JavaScript of old browsers and holds no < or &, which XML would
// take for its own.
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

// choose puts the choosers into a page. A script without checks is chosen too:
// it may load some that have, from where it stands itself.
func (w *work) choose(p *pageFile) error {
	if !slices.ContainsFunc(w.scripts, func(s *scriptFile) bool { return s.done.changed }) {
		return nil
	}
	first := true
	for i := range p.seen.Scripts {
		s, named := &p.seen.Scripts[i], p.named[i]
		if named == nil || !s.Closed {
			continue
		}
		if first {
			w.insertChooser(p, s, chooser(w.Sample, w.runtimeAttributes(p, s.Start)))
			first = false
		}
		attributes, err := w.variantAttributes(p, s, named)
		if err != nil {
			return err
		}
		w.insertChooser(p, s, "fieldprofChoose("+literal(attributes)+")")
	}
	return nil
}

// insertChooser puts a chooser before a script, with its nonce; or with another
// one's, for a policy that has nonces may let this script in by its place.
func (w *work) insertChooser(p *pageFile, s *htmlscan.Script, text string) {
	before := *s
	for i := range p.seen.Scripts {
		if before.Nonce == nil {
			before.Nonce = p.seen.Scripts[i].Nonce
		}
	}
	p.insertScript(s.Start, &before, "", text)
}

// runtimeAttributes are those of the runtime's script element.
func (w *work) runtimeAttributes(p *pageFile, at int) string {
	attributes := `src="` + htmlscan.EscapeAttribute(w.urlFrom(p, at, variant(Folder+"/runtime.js")), '"') + `"`
	return attributes + w.runtimeIntegrity(p, "runtime.js")
}

// variantAttributes are those of a script's variant: its own, but for src and
// integrity. The chooser has the nonce.
func (w *work) variantAttributes(p *pageFile, s *htmlscan.Script, named *namedScript) (string, error) {
	start := s.Start + len("<script")
	var edits []pageEdit
	_, query, _ := strings.Cut(s.Src.Value, "?") // may tell versions apart
	query, _, _ = strings.Cut(query, "#")
	if query != "" {
		query = "?" + query
	}
	source := s.Src.Spell(beside(s.Src.Value, named.at, variant(named.at)) + query)
	edits = append(edits, pageEdit{s.Src.Start, s.Src.End, source})
	if a := s.Nonce; a != nil {
		edits = append(edits, pageEdit{a.AttrStart, a.AttrEnd, ""})
	}
	if a := s.Integrity; a != nil && named.done.changed && !w.DryRun {
		renewed, err := w.variantIntegrity(a.Value, named)
		if err != nil {
			return "", err
		}
		edits = append(edits, pageEdit{a.Start, a.End, a.Spell(renewed)})
		for _, digest := range integrity.FindAllString(renewed, -1) {
			p.added = append(p.added, "'"+digest+"'") // a policy may list them
		}
	}
	tag := edited(p.src[:s.ContentStart-len(">")], edits)
	return strings.Trim(string(tag[start:]), " \t\n\f\r"), nil
}

// variantIntegrity puts the digests of a script's variant in the place of its
// own.
func (w *work) variantIntegrity(value string, named *namedScript) (string, error) {
	clean, err := w.in.ReadFile(named.path)
	if err != nil {
		return "", located(named.path, err)
	}
	profiled, err := w.out.ReadFile(w.place(named.path))
	if err != nil {
		return "", located(named.path, err)
	}
	return integrity.ReplaceAllStringFunc(value, func(old string) string {
		if digest(old, clean) == old {
			return digest(old, profiled)
		}
		return old
	}), nil
}

// literal spells a string for an inline script: no < stands in it, so that no
// end tag or comment does, and no &.
func literal(s string) string {
	replacer := strings.NewReplacer(`\`, `\\`, `'`, `\'`, "<", `\x3c`, "&", `\x26`, "\n", `\n`, "\r", `\r`, "\u2028", `\u2028`, "\u2029", `\u2029`)
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
		if text, ok := w.renewedClean[f.path]; ok {
			return w.writeOut(f.path, text, f.mode)
		}
		return w.copyOut(f, f.path)
	})
}
