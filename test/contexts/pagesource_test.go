package contexts

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/fieldprof/fieldprof/test/browser"
)

// A page is a first script that makes p, and elements by chance. Scripts that run when
// they have come say what they say apart from the others.
type page struct {
	*generator
	files  map[string]string
	racy   bool // some scripts run when they have come, so none may see another's globals
	nonce  string
	policy []string // sources of scripts that its policy allows
	hashed bool
	apart  int
	body   strings.Builder
}

// No element asks for a script while it blocks its page: beside seven other frames, all
// connections may be taken by answers that wait for the page, and WebKit then gives up.
//
// The holes of an element: Q a script's URL, I an inline script, J a string of one, R the
// URL of a script that is told apart, O a script of that kind.
var elements = []string{
	"<script N>I</script>", "<SCRIPT N >I</SCRIPT >", "<script type=\"text/javascript\" N>I</script\n>", "<script type='' N>I</script>", "<script type=' Text/JavaScript ' N>I</script>", "<script language=javascript N>I</script>",
	"<script type='text/javascript;charset=utf8' N>I</script>", "<script type=module N>I</script>", "<script type=MODULE N>I</script>", "<script nomodule N>I</script>", "<script async N>I</script>", "<script defer N>I</script>", "<script type=module async N>O</script>",
	"<script src=Q N></script>", "<script src=\"Q\" N></script>", "<script src='./Q' N>p('not this')</script>", "<script src = \"Q?x=1&amp;y=2\" N></script>", "<script src=\" Q\n\" N></script>", "<script src=sub/../Q N></script>", "<script src=Q#f N></script>",
	"<script src=Q defer N></script>", "<script defer src=Q N></script>", "<script src=R async N></script>", "<script type=module src=Q N></script>", "<script src=R type=module async N></script>", "<script src=Q nomodule N></script>", "<script crossorigin src=Q N></script>",
	"<script src=Q src=other.js N></script>", "<script src=Q charset=utf-8 N></script>", "<script src=Q N /></script>", "<script\tsrc\n=\nQ\nN></script>", "<script src=Q integrity=H N></script>", "<script src=Q integrity='H' crossorigin=anonymous defer N></script>", "<script src=Q integrity='sha256-AAAA' N></script>",
	"<script src=TWICE N></script><script src=TWICE N></script>", "<script src=TWICE N></script><script type=module src=TWICE N></script>", "<script type=module src=TWICE N></script><script type=module src='TWICE?2' N></script>",
	"<script N>document.write('<script src=\"Q\" nonce=abc><\\/script>')</script>", "<script N>document.write('<script nonce=abc>p(1);for(var dw=0;dw<2;dw++)p(dw)<\\/script>');p(2)</script>", "<script N>document.writeln(\"<script src='Q' nonce=abc></scr\"+\"ipt>\");p(3)</script>",
	"<script N>soon(new Promise(d=>{var e=document.createElement('script');e.nonce='abc';e.src='R';e.onload=e.onerror=d;document.head.append(e)}))</script>", "<script N>soon(fetch('R').then(r=>r.text()).then(t=>(0,eval)(t)))</script>",
	"<script N>soon(fetch('R').then(r=>r.text()).then(t=>eval(t)))</script>", "<script N>soon(fetch('R').then(r=>r.text()).then(t=>new Function('a',t)(1)))</script>",
	"<script N>soon(fetch('R').then(r=>r.text()).then(t=>{var el=document.createElement('script');el.nonce='abc';el.text=t;document.head.append(el)}))</script>",
	"<script N>soon(fetch('R').then(r=>r.text()).then(t=>new Promise(d=>{var e=document.createElement('script');e.nonce='abc';e.src=URL.createObjectURL(new Blob([t],{type:'text/javascript'}));e.onload=e.onerror=d;document.head.append(e)})))</script>",
	"<script N>works('WORKER')</script>", "<script N>works('WORKER',{type:'module'})</script>", "<script N>soon(new Promise(d=>{var w=new Worker('WORKER');w.onmessage=e=>d(apart('w',e.data));w.onerror=e=>{e.preventDefault();d(apart('w','error'))}}))</script>",
	"<script N>soon(new Promise(d=>{var w=new Worker(new URL('WORKER',location.href),{type:\"module\"});w.onmessage=e=>d(apart('v',e.data));w.onerror=e=>{e.preventDefault();d(apart('v','error'))}}))</script>",
	"<!-- <script src=Q></script> -->", "<template><script N>p('no')</script></template>", "<noscript><script N>p('no')</script></noscript>", "<svg><script N>p('svg');for(var sv=0;sv<2;sv++)p(sv)</script></svg>", "<svg><title><script N>I</script></title></svg>", "<textarea><script>p('no')</script></textarea>",
	"<title><script>p('no')</script></title>", "<style>/*<script>p('no')</script>*/</style>", "<script N>p('<!--<script>');p('<\\/script>-->');function cm(n){while(n-->0);return n}p(cm(1))</script>", "<script N>//<![CDATA[\nI\n//]]></script>", "<script N><!--\nI\n//--></script>",
	"<img src=x: onerror=\"soon(Promise.resolve(apart('h','handler')))\">", "<div onclick='p(1)' title=\"<script>p('no')</script>\"></div>", "<p a='>'>text<br/>", "<iframe srcdoc=\"<script nonce=abc>for(var i=0;i<2;i++)parent.apart('f',i)</script>\"></iframe>", "<script type=application/json>{\"a\":\"<script>\"}</script>",
	"<script type=text/x-template><div></div></script>", "<math><mi><script N>p('math')</script></mi></math>", "<select><script N>I</script></select>", "<table><script N>I</script><tr><td></table>", "<link rel=modulepreload href=GRAPH>", "<link rel=preload as=script href=Q>",
	"<script type=module src=GRAPH N></script>", "<script type=module N>import'./GRAPH';p('inline');function im(n){while(n-->0);return n}p(im(2))</script>", "<script src=GRAPH N></script>", "<script type=module N>import{f}from'app';try{p(f(1))}catch(e){p(e.name)};export function im(n){while(n-->0);return n}</script>",
	"<script type=module N>import'data:text/javascript,globalThis.dd=1';p(dd);(function(a){for(var i=0;i<2;i++)p(a)})(1)</script>", "<script N>soon(import('./RGRAPH')).then(m=>apart('g',Object.keys(m).join()),e=>apart('g',e.name))</script>", "<script type=module N>await 0;I</script>",
}

var pageHeads = []string{
	"<!doctype html>", "<!DOCTYPE html>\n<html lang=en><head>", "", "<html>", "\ufeff<!doctype html>", "<!-- <script> --><!doctype html>", "<!doctype html><meta charset=utf-8>", "<!doctype html><head><base href=./>", "<!doctype html><base href='./sub/..//./'>", "<!doctype html><title>t</title>",
	"<?xml version='1.0'?><html>", "<!doctype html><head></head><body>", "<!doctype html><script type=application/json>{}</script>",
}

var pageEnds = []string{"", "", "</body></html>", "<!-- end", "</html>\n", "<script>p('unclosed')", "<plaintext><script>p('no')</script>", "</body></html><script N>I</script>"}

// page writes the files of a page.
func (g *generator) page() map[string]string {
	p := &page{generator: g, files: map[string]string{}, racy: g.one(2)}
	if !p.racy || g.one(2) {
		for name, text := range g.graph(".js") {
			p.files[name] = text
		}
	}
	p.policies()
	head := g.pick(pageHeads)
	p.add("<script N>" + pagePrelude + "</script>")
	if p.files["m0.js"] != "" && g.one(2) {
		p.add(`<script type=importmap N>{"imports":{"app":"./m0.js"}}</script>`)
	}
	for range 1 + g.IntN(5) {
		p.add(g.pick(elements))
	}
	p.add(g.pick(pageEnds))
	p.files["index.html"] = head + p.meta() + p.body.String()
	return p.files
}

// policies chooses a policy for one page in four.
func (p *page) policies() {
	switch p.IntN(8) {
	case 0:
		p.nonce = " nonce=abc"
		p.policy = []string{"'nonce-abc'", p.pick([]string{"'self'", "'strict-dynamic'", "'unsafe-eval'", "'self' 'unsafe-eval' blob: data:"})}
	case 1:
		p.hashed = true
		p.policy = []string{p.pick([]string{"'self'", "'self' 'unsafe-eval'", "'self' 'unsafe-hashes'", "'self' blob:"})}
	}
}

func (p *page) meta() string {
	if p.policy == nil {
		return ""
	}
	return `<meta http-equiv="Content-Security-Policy" content="script-src ` + strings.Join(p.policy, " ") + `">`
}

var hole = regexp.MustCompile(`\b(?:Q|R|H|I|O|N|TWICE|WORKER|GRAPH|RGRAPH)\b`)

// add fills an element and puts it into the page.
func (p *page) add(element string) {
	if p.files["m0.js"] == "" && (strings.Contains(element, "GRAPH") || strings.Contains(element, "'app'")) || !p.racy && strings.ContainsAny(element, "RO") && regexp.MustCompile(`\b(?:R|O|RGRAPH)\b`).MatchString(element) {
		return
	}
	last := ""
	text := hole.ReplaceAllStringFunc(element, func(h string) string {
		switch h {
		case "N":
			return strings.TrimPrefix(p.nonce, " ")
		case "I":
			return inElement(p.script())
		case "O":
			return inElement(p.toldApart())
		case "H":
			return browser.Hash(p.files[last])
		case "GRAPH", "RGRAPH":
			return "m0.js"
		case "TWICE":
			if last == "" {
				last = p.file(p.script())
			}
			return last
		case "WORKER":
			return p.file(workerPrelude + p.source() + "\n;postMessage(log.join())")
		case "R":
			last = p.file(p.toldApart())
		default:
			last = p.file(p.script())
		}
		return last
	})
	if p.hashed {
		for _, s := range inlineScript.FindAllStringSubmatch(text, -1) {
			p.policy = append(p.policy, "'"+browser.Hash(s[1])+"'")
		}
	}
	p.body.WriteString(text + p.pick([]string{"", "\n", " ", "<p>text"}))
}

var inlineScript = regexp.MustCompile(`(?is)<script(?:\s[^>]*)?>(.*?)</script\s*>`)

func (p *page) file(text string) string {
	name := fmt.Sprintf("s%d.js", len(p.files))
	p.files[name] = text
	return name
}

// script writes the text of a script, which in a racy page leaves no globals behind.
func (p *page) script() string {
	if p.racy {
		return "(()=>{" + p.fill(p.pick(bodies), 0) + ";" + p.fill(p.pick(shapes), 0) + "\n})();" + p.fill(p.pick(bodies[:8]), 1) + ";(function(P){" + p.fill(p.pick(bodies), 1) + "\n})(1)"
	}
	return p.source()
}

var says = regexp.MustCompile(`\bp\b`)

// toldApart is a script that reports to its own list.
func (p *page) toldApart() string {
	p.apart++
	return says.ReplaceAllString(p.script(), fmt.Sprintf("p%d", p.apart))
}

// inElement is a text as it may be in a script element.
func inElement(text string) string {
	return strings.NewReplacer("</script", "<\\/script", "<!--", "", "\ufeff", "").Replace(text)
}

const shownInPage = `function show(v){if(typeof v=='function')return'function '+v.name.replace(/^p\d+$/,'p')+'/'+v.length;if(v===globalThis)return'global';if(typeof v=='object'&&v)return Object.prototype.toString.call(v)+Object.keys(v).slice(0,9);return typeof v+' '+String(v)}`

// pagePrelude makes p, and p1 to p9 for scripts that run when they have come; messages of
// anything else that runs when it can are told apart by their kind. Browsers report rejections
// when they like, but in order: the last is settled's own.
const pagePrelude = shownInPage + `var lists={},pending=[],fuel=0;function apart(to,...v){if((lists[to]||=[]).length<300)lists[to].push(v.map(show).join())}
function p(...v){if(++fuel>300)throw new RangeError('too long');apart('p',...v);return v[0]}
for(let i=1;i<10;i++)globalThis['p'+i]=function p(...v){if(lists[i]?.length>99)throw new RangeError('too long');apart(i,...v);return v[0]};
function soon(q){pending.push(q.catch(e=>apart('errors',e&&e.name||e)));return q}var chain=Promise.resolve();function next(f){return soon(chain=chain.then(f,f))}function setLater(f){Promise.resolve().then(f).catch(e=>p(e.name))}
function works(u,o){soon(new Promise(d=>{var w=new Worker(u,o);w.onmessage=e=>d(apart('w',e.data));w.onerror=e=>{e.preventDefault();d(apart('w','error'))}}))}
addEventListener('error',e=>{apart('errors',e.error?e.error.name||e.error:e.target&&e.target.src?'failed':'error');e.preventDefault()},true);addEventListener('unhandledrejection',e=>{e.preventDefault();if(e.reason&&e.reason.last)e.reason.last();else apart('errors',e.reason&&e.reason.name||e.reason)});
async function settled(){do{await Promise.allSettled(pending.splice(0));await new Promise(d=>setTimeout(d,20))}while(pending.length);await new Promise(last=>{Promise.reject({last})});lists.errors?.sort();lists.w?.sort();lists.v?.sort();return JSON.stringify(Object.entries(lists).sort())}`

const workerPrelude = "var log=[],fuel=0;" + shownInPage + "function p(...v){if(++fuel>300)throw new RangeError('too long');log.push(v.map(show).join());return v[0]}function setLater(f){Promise.resolve().then(f)}\n"
