package contexts

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes programs by chance.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) *generator { return &generator{rand.New(rand.NewPCG(seed, 20))} }

func (g *generator) pick(from []string) string { return from[g.IntN(len(from))] }

// one in n.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

// A template has holes: P parameters, A arguments, B statements of a body. All that a
// program says, it says with p.
var (
	shapes = []string{
		"(function(P){B})(A)", "(function(P){B}(A))", "!function(P){B}(A)", "void function(P){B}(A)", "new function(P){B}(A)", "new(function(P){B})(A)",
		"(function n(P){B})(A)", "(function(P){B}).call(this,A)", "(function(P){B}).apply(this,[A])", "(function(P){B})?.(A)", "(function(P){'use strict';B})(A)",
		"(async function(P){B})(A)", "(function*(P){B})(A).next()", "((P)=>{B})(A)", "(async(P)=>{B})(A)", "(a=>{B})(A)", "(async a=>{B})(A)", "(0,function(P){B})(A)",
		"var v=function(P){B;return 1}(A);p(v)", "(function(P){B})\n(A)", "(function(P){B})/*c*/(A)", "[function(P){B}][0](A)", "{(function(P){B})(A)}",
		"if(1)(function(P){B})(A);else p(0)", "for(var i=0;i<2;i++)(function(P){B})(A)", "(function(P){return function(P){B}})(A)(A)",
		"(function(P){B;return{f:function(P){B}}})(A).f(A)", "var K=class{static s=(function(P){B})(A)}", "var o={get g(){B},m(P){B}};o.g;o.m(A)", "function t(P){B}t(A)",
		"p((function(P){B;return typeof a})(A))", "label:(function(P){B})(A)", "(function(P){B})`x`", "(function(P){B;return this})(A)===this||p('this')",
		"(function(e,t){typeof exports=='object'?p('cjs'):p('not');t()})(this,function(P){B})", "with({x:1})(function(P){B})(A)", "(function(P){B})((function(P){B;return 7})(A),A)",
		"!function(P){B}(A),function(P){B}(A)", "(function(P){B})(A)\n;[1].forEach(function(P){B})", "(function(P){B;return p})(A)(A)", "(function(P){B})(A)?p(1):p(2)",
		"(function(P){B;(function(P){B})(A)})(A)", "p(`${(function(P){B;return 4})(A)}`)", "var t=(function(P){B;return function(){B;return 8}})(A);p(t());p(String(t))",
		"(function(){'use strict'\nB}())", "(function(P)\n{'a';\"use strict\";B})\n(\nA\n)", "x1:{(()=>{B})();break x1}", "export default(function(P){B})(A)", "export const e1=((P)=>{B;return 1})(A)",
		"(function(P){B}).bind(this)(A)", "throw(function(P){B;return 3})(A)", "(function(P){B})(A)//c", "(function(P){B})(A)/*c*/\n-->c", "var s=(function(P){B;return 3})(A)/2/1;p(s)",
		"(((P)=>{B;return 1}))(A)", "(function(P){B},function(P){B})(A)", "(function(P){B}||0)(A)", "await(async function(P){B})(A)", "delete function(P){B}(A)", "typeof(function(P){B})(A)",
	}
	parameters = []string{
		"", "", "a", "a,b", "a,b,", "a/*c*/", "a//c\n", "...a", "a=1", "a,b=a", "{a}={}", "[a]=[]", "a,a", "a,$r", "$f", "_$f,a", `\u0061`, " a , b ", "/*c*/", "\n", "a,b,c", "a\n,\nb", "$_e,a", "a=function(){B}",
		"a=(function(P){B;return 2})(A)", "async", "of,a", "a,\n",
	}
	arguments = []string{
		"", "", "1", "1,2", "1,2,3", "...[1,2]", "1,...[2]", "this", "1,", "1/*c*/", "1//c\n", "function(){p('arg')}", "()=>1", "typeof a,1", "p(3)", "(1,2)", "a=>a", "'s'", "/r,/", "`,`", "/*,*/", "\n", "1\n,\n2", "1,2,\n",
		"{a:1}", "[1,2]", "function(P){B}", "class{}", "a=>({a}),1", "typeof $f", "x=>{B}", "this,1", "void 0", "async()=>{B}",
	}
	bodies = []string{
		"p(typeof a)", "p(typeof a,typeof b)", "p(arguments.length)", "p([].slice.call(arguments).length)", "(()=>p(arguments.length))()", "p(eval('typeof $f'))", "p(eval('arguments.length'))",
		"p(typeof this)", "var $f=1;p($f)", "p(typeof $f)", "p(typeof $r,typeof $_e)", "p(new.target===undefined)", "MANY;p(m1(3))", "function h(b){for(var i=0;i<b;i++)p(i);return b}p(h(2))",
		"p((function g(n){return n?g(n-1):0})(3))", "p(String(function(b){while(b--);return b}))", "p(new Function('return typeof $f')())", "p(eval('('+function(b){var c=b;while(c-->0);return b}+')')(2))",
		"p(new Function('return '+function(b){var c=b;while(c-->0);return b})()(2))", "function cl(){return cl.caller&&cl.caller.length}try{p(cl())}catch(e){p(e.name)}",
		"function ca(){return ca.caller&&ca.caller.arguments.length}try{p(ca())}catch(e){p(e.name)}", "try{p(arguments.callee.length)}catch(e){p(e.name)}",
		"p([3,1,2].sort(function(x,y){return x-y}).join())", `p(typeof \u0024f)`, "p(delete globalThis.$f)", "var s='_$f';p(s.length)", "p(globalThis['$f'])", "let e=1;{let e=2;p(e)}", "return 1", "if(p)return p(2)",
		"MANY;return m2(3)", "var z=()=>{p(1);return arguments};p(z().length)", "p(function(){return this}()===this)", "class Q{m(){p('m');return super.toString}#z=1;static{p('s')}}new Q().m()",
		"var $f1=2,_$f=3;p($f1,_$f)", "p((()=>{try{return a}catch(e){return e.name}finally{p('f')}})())", "SHAPE", "SHAPE", "do p(1);while(0)", "for(const k of[1,2])p(k)", "switch(a){case 1:p('one')\ndefault:p('d')}",
		"p(typeof exports)", "var module;p(typeof module)", "p(typeof require=='function')", "'use strict';p(1)", "label:for(var i=0;i<2;i++){p(i);continue label}", "p(eval('var ev=1;ev')+typeof ev)", "MANY;p(eval('m3(2)'))",
		"p((0,eval)('typeof $f'))", "setLater(function(){p('later')})", "p(new Error('x').message)", "var arguments;p(typeof arguments)", "async function as(){p(1);await 0;p(2)}as()", "function*ge(){var x=yield 1;p(x)}var it=ge();it.next();it.next(5)",
		"a:{if(p)break a;p(0)}", "function $f(){p(4);return 5}p($f())", "p(Function('$f','return $f')(6))", "p(typeof globalThis._$f)", "with({$f:1})p($f)",
	}
	// tops are statements that only some kinds of source allow at their top level, or whose
	// result depends on where they are.
	tops = []string{
		"if(globalThis.never)return", "p(typeof arguments)", "p(typeof this)", "var x1=1;p(x1)", "let y1=2;p(y1)", "const z1=3", "function d(n){while(n-->0);return 5}p(d(1))", "p(typeof _$f)",
		"var _$f=7;p(_$f)", "let $f=8;p($f)", "function $r(n){while(n-->0);return 9}p($r(1))", "p(new.target)", "await 0;p('awaited')", "p(import.meta.url.length>0)", "p(1)<!--c\np(2)", "\n-->c\np(3)", "p(this===globalThis)",
		"class C{m(){p(1);return 1}static{p('block')}}p(new C().m())", "p(late(2));function late(n){for(;n-->0;)p(n);return n}", "p(typeof exports,typeof module)", "for(var i=0;i<3;i++)p(i)", "do{p(1)}while(0)", "async function as1(){await 0;p('as')}as1()",
		`var \u0024f=3;p($f)`, "var _$f1=1,$f1=2;p(_$f1+$f1)", "p(typeof globalThis.d)", "p(eval('this===globalThis'))", "eval('var _$e=1');p(typeof _$e)", "if(1){function blocked(){p('b');return 1}}p(blocked())", "MANY;p(m1(4))", "return p('top')",
		"export function ex(n){while(n-->0);return 1}p(ex(2))", "export default function(){p(1);return 2}", "export class Ex{m(){p(3);return 4}}p(new Ex().m())", "p(typeof require)", "let let_;p(let_)", "p(((a,b=a)=>{p(b);return a})(1))",
	}
	// heads come before all else.
	heads = []string{
		"", "", "", "", "'use strict';", "\"use strict\"\n", "/*c*/'use strict'/*d*/\n", "#!/usr/bin/env node\n", "#!x\n'use strict';", "'other';'use strict';", "'use strict'+p(0);", "'a'\n", "\ufeff", "\ufeff'use strict';",
		"//c\n", "<!--c\n", "('use strict');", "/*\n*/-->c\n", ";'use strict';", "'use\\x20strict';", "'use asm';", "//# sourceURL=other.js\n",
	}
	separators = []string{";\n", ";\n", ";", "\n;", ";/*c*/", ";//c\n", ";\r\n", ";\u2028"}
)

// many is enough functions for one that contains them to have the bindings for itself.
var many = func() string {
	var b strings.Builder
	for i := range 17 {
		fmt.Fprintf(&b, "function m%d(n){var s=0;while(n-->0)s+=n;return s}", i)
	}
	return b.String()
}()

// source is the text of one script or module.
func (g *generator) source() string {
	var b strings.Builder
	b.WriteString(g.pick(heads))
	for range 1 + g.IntN(3) {
		if g.one(3) {
			b.WriteString(g.fill(g.pick(tops), 0))
		} else {
			b.WriteString(g.fill(g.pick(shapes), 0))
		}
		b.WriteString(g.pick(separators))
	}
	return b.String()
}

// fill puts something into each hole.
func (g *generator) fill(template string, depth int) string {
	template = strings.ReplaceAll(template, "MANY", many)
	if strings.Contains(template, "SHAPE") {
		shape := "p(0)"
		if depth < 3 {
			shape = g.pick(shapes)
		}
		template = strings.ReplaceAll(template, "SHAPE", shape)
	}
	var b strings.Builder
	for i := range len(template) {
		switch c := template[i]; {
		case strings.IndexByte("PAB", c) < 0 || i > 0 && strings.IndexByte(";{}(,", template[i-1]) < 0 && template[i-1] != '\n' && template[i-1] != '[' && template[i-1] != ']':
			b.WriteByte(c)
		case c == 'P':
			b.WriteString(g.fill(g.pick(parameters), depth+1))
		case c == 'A' && depth < 3:
			b.WriteString(g.fill(g.pick(arguments), depth+1))
		case c == 'B' && depth < 3:
			b.WriteString(g.fill(g.pick(bodies), depth+1) + ";" + g.fill(g.pick(bodies), depth+1))
		}
	}
	return b.String()
}

// graph writes modules that import each other, functions that call across cycles, and
// values that may not be there yet.
func (g *generator) graph(extension string) map[string]string {
	files := map[string]string{}
	n := 1 + g.IntN(5)
	later := false // Node 20 ends itself where a module that awaits is imported again while it runs
	for i := range n {
		var head, calls strings.Builder
		for j := range n {
			if !g.one(2) {
				continue
			}
			other := fmt.Sprintf("./m%d%s", j, extension)
			switch g.IntN(7) {
			case 0:
				fmt.Fprintf(&head, "import%q;", other)
			case 1, 2:
				fmt.Fprintf(&head, "import{f as f%d,v as v%[1]d}from%q\n", j, other)
				fmt.Fprintf(&calls, "try{p(f%d(n-1))}catch(e){p(e.name)}try{p(v%[1]d)}catch(e){p(e.name)}", j)
			case 3:
				fmt.Fprintf(&head, "import*as n%d from%q;", j, other)
				fmt.Fprintf(&calls, "try{p(n%d.f(n-1),Object.keys(n%[1]d).join())}catch(e){p(e.name)}", j)
			case 4:
				fmt.Fprintf(&head, "export{f as g%d,default as d%[1]d}from%q;", j, other)
			case 5:
				fmt.Fprintf(&head, "export*from%q;", other)
			case 6:
				later = extension == ".mjs"
				fmt.Fprintf(&calls, "next(()=>import(%q)).then(m=>{p('then',m.f(0))},e=>p(e.name));", other)
			}
		}
		text := head.String() + fmt.Sprintf("export function f(n){p('f%d',n);if(n<=0)return n;%s;return n}", i, calls.String())
		text += fmt.Sprintf("export let v=f(2);export default class{m(){p('m%d');return 1}};", i)
		if g.one(3) {
			text += g.fill(g.pick(shapes), 1) + ";"
		}
		if !later && g.one(4) {
			text += "await 0;p('awaited');"
		}
		if g.one(3) {
			text = g.pick(heads) + text
		}
		files[fmt.Sprintf("m%d%s", i, extension)] = text + fmt.Sprintf("p('end%d');", i)
	}
	return files
}
