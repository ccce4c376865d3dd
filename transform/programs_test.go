package transform

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// Programs that nobody would write: a function around a statement with an exit in
// it, around a value, before a line break or something like one, before whatever
// comes next. V8 says which of them are programs; those must print the same as
// they are and instrumented, idle and with the flag up at every check, in every
// preset and form. Most that insertion has broken were of this kind.

// A template has holes: V a value, S a statement, B a break, N what comes next,
// P statements that make a function large enough for balanced.
var (
	generatedFunctions = []string{
		"var t=function(a){P;S}", "var t=async function(a){P;S}", "var t=function*(a){P;S}", "var t=async function*(a){P;S}",
		"var t=a=>{P;S}", "var t=async a=>{P;S}", "function t(a){'use strict'B;P;S}", "var t={m(a){P;S}}.m", "var t={async*m(a){P;S}}.m",
		"var t=class{static m(a){P;S}}.m", "var t=a=>new class{constructor(b){P;S}}(a)", "var t=(a,b=(a,V))=>{P;S}",
		"var t=class{static*m(a){P;S}}.m", "function t(a){P;return function(){P;S}.call(this)}", "var t=a=>{label:{P;S}}",
		"function t(a){P;{S}p('end')}", "var t=function(a){P;try{S}catch(e){p(e)}finally{p('f')}}",
	}
	generatedStatements = []string{
		"if(a)return VBN", "if(a)returnBN", "if(a)return VB else p(0)N", "if(a)returnB\nelse p(0)N", "return VBN", "returnBN", "return(V)BN",
		"for(var i=0;i<2;i++)return VBN", "do return VB while(0)N", "do returnB while(0)N", "l:return VBN", "l:returnBN", "l:{if(a)break l;returnBN}",
		"switch(a){case 1:return VBN\ndefault:returnBN}", "try{return VBN}finally{p(1)}", "{return VBN}", "{returnBN}", "while(1)returnBN", "while(1)return VBN",
		"VBN", "x=VBN", "var q=VBN", "let q=V,r=VBN", "throw VBN", "if(a)VB else VBN", "q:VBN", "if(V)returnBN", "with(o)returnBN",
		"for(var i=0;i<2;i++)VBN", "for(var i in[1,2])x=VBN", "for(var i of[1,2])VBN", "var i=2;while(i-->0)VBN", "var i=2;do VB while(i-->0)N",
		"var i=2;while(i--)if(a)VB else VBN", "var i=2;for(;i--;)for(var j=0;j<1;j++)VBN", "var i=2;while(i--)varB q=VN", "var i=3;while(i--){if(a)continueBN}",
		"var i=2;while(i--);BN", "var i=2;do;while(i--)BN", "for(var i=0;i<2;i++){BN}", "var i=2;do VB while(i--)BN",
		"var g=b=>VBN;try{p(g(1))}catch(e){p(e)}", "var g=async b=>VBN", "return b=>VBN", "return async b=>VBN", "var g=(b,c=V)=>VBN",
		"var g=b=>c=>VBN", "x=a?b=>VB:VN", "class K{f=b=>VBN}p(new K().f)", "class K{static f=VBN}", "class K{static{VBN}}", "var K=class{static m(){returnBN}};K.m()",
		"var q=yield VBN", "yield VBN", "yieldBN", "q=yieldBN", "[yieldB]N", "(yieldB)N", "await VBN", "x=await VBN", "var q=await VBN", "yield await VBN",
		"return yieldBN", "return yield VBN", "return await VBN", "yield*VBN", "if(yield V)BN", "for await(var q of[V])BN", "yield yieldBN", "yield(V)BN", "await(V)BN",
		"`${yieldB}`N", "x=a?yieldB:VN", "x=await V+await VBN", "return V,await VBN", "while(yieldB)break;N", "for(var i=0;i<2;i++)yieldBN", "for(var i=0;i<2;i++)await VBN",
		"if(a)yieldB\nelse returnBN", "throw await VBN", "return x=await VBN", "yield x=>VBN", "return await(async()=>VB)N", "var q=yieldB,r=yieldBN",
	}
	generatedValues = []string{
		"x", "1", "'s'", "!0", "-1", "x.y", "o[x]", "p(1)", "x++", "x--", "++x", "-x", "!x", "typeof x", "void 0", "()=>{}", "y=()=>{}", "()=>x", "a=>({})",
		"async()=>{}", "async b=>b", "function(){}", "function n(){p(2)}", "class{}", "class Q{}", "new p", "new p(1)", "`t`", "p`t`", "/r/g", "/[/]/", "[1]", "{a:1}",
		"(1,2)", "this", "null", "arguments", "new.target", "o?.y", "o?.[x]", "1.", ".5", "0x1", "1n", "'a\\\nb'", "/r/.y", "async", "of", "get", "yield", "await", "let",
		"x**2", "x in o", "o instanceof p", "delete o.y", "x=y=1", "x/y/1", "a?()=>{}:1", "a?1:()=>{}", "x||(()=>{})", "yield x", "await x", "await x++", "yield x++", "(()=>{})()",
		"function*(){yield 1}", "async function(){await 1}", "x\n++\ny", "o.a--", "y=x++", "1,x--", "1,()=>{}", "a=>b=>{}", "(x)", "!function(){p(3)}()", "`${x}`", "...x", "super.x", "#z",
	}
	generatedWraps = []string{
		"V", "V", "V", "(V)", "y=V", "a?V:V", "V,V", "[V]", "{a:V}", "p(V)", "()=>V", "async()=>V", "await V", "yield V", "yield*V", "-V", "V+V", "V||V", "V??V", "`${V}`", "typeof V",
		"function(){return VB}", "b=>{return VB}", "b=>{returnBV}", "async()=>await V", "()=>{for(var k=0;k<1;k++)VB}", "class{m(){return VB}}", "{m(){return V}}", "void V", "new p(V)", "V.y", "V++",
	}
	generatedBreaks = []string{
		"\n", "\n", "\n", "\r\n", "\u2028", "/*\n*/", "//c\n", " ", "", ";", ";\n", "/*c*/", "\n/*c*/", "\n//c\n", "/*\n*/ /*c*/", "\n\n\t", "/*\u2029*/", "\n<!--c\n", "\n-->c\n", "/*\n*/-->c\n",
	}
	generatedNexts = []string{
		"(p)(1)", "(function(){p(2)})()", "(()=>p(2))()", "[1].forEach(p)", "[x]=[4]", "`t`.length", "`${p(1)}`", "/r/g.exec('r')", "/=1/.test('=1')", "+p(3)", "-p(3)", "++x", "--x", "!p(4)", "~p(4)",
		"p(5)", "x=1", "var z=1", "if(x)p(6)", "{p(7)}", "", "else p(8)", "while(0);", "function h(){}", "class H{}", "async()=>{}", ";p(9)", "'s'", ".5.toFixed()", "in o", "instanceof Object", "?1:2",
		",p(1)", ".y", "?.y", "*2", "=>1", "new p(1)", "typeof p(1)", "return", "throw 1", "break", "async function h(){}", "let z=1", "let\n[z]=[1]", "yield", "await p(1)", "[z](){}", "*m(){}", "static k=1",
		"get[x](){return 1}", "z", "m(){}", "(x)", "(x,y)=>{}", "[x,y]", "+1", "/x/1", "do p(1)\nwhile(0)", "for(;0;);", "lab:p(1)", "debugger", "this.x", "super.x", "import('x')", "<!--c", "as", "of",
	}
)

// generator fills templates by chance.
type generator struct{ *rand.Rand }

func (g *generator) pick(from []string) string { return from[g.IntN(len(from))] }

func (g *generator) program() string {
	text := strings.Replace(g.pick(generatedFunctions), "S", g.pick(generatedStatements), 1)
	return "(function(x,y,o){\n" + g.fill(text, 0) + "\nrun(t)})(2,3,{a:1,m(){}})"
}

// fill puts something into each hole.
func (g *generator) fill(template string, depth int) string {
	var b strings.Builder
	for i := range len(template) {
		if c := template[i]; g.isHole(template, i) {
			b.WriteString(g.hole(c, depth))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (g *generator) isHole(template string, i int) bool {
	return strings.IndexByte("VBNP", template[i]) >= 0 && !strings.HasPrefix(template[i:], "Number")
}

func (g *generator) hole(kind byte, depth int) string {
	switch kind {
	case 'V':
		if depth < 3 {
			return g.fill(g.pick(generatedWraps), depth+1+g.IntN(3))
		}
		return g.pick(generatedValues)
	case 'B':
		return g.pick(generatedBreaks)
	case 'N':
		return g.pick(generatedNexts)
	}
	return "0,1,2,3,4,5,6,7,8,9"
}

// generated is one program with what became of it.
type generated struct {
	Source       string
	Instrumented []string // parallel to generatedSettings; "" where it was passed through
}

var generatedSettings = []Options{
	{Selection: Selection{Preset: Balanced}, fewestBound: 1}, {Selection: Selection{Preset: Precise}}, {Selection: Selection{Preset: Balanced, Form: Compact}}, {Selection: Selection{Preset: Precise, Form: Compact}, fewestBound: 1},
	{Selection: Selection{Preset: Precise, Train: true}},
}

// verdict is what Node says about the programs.
type verdict struct {
	Valid, Passed, Counted int // Counted: in so many realms something was counted by then
	Failures               []struct{ Source, Setting, Instrumented, Got, Want string }
}

// TestGeneratedPrograms runs 1,500 programs, 32,000 with FIELDPROF_FULL=1, or 100
// in short mode.
func TestGeneratedPrograms(t *testing.T) {
	fixtures.EnsureNodeModules(t)
	want, seed := 1500, uint64(1)
	switch {
	case os.Getenv("FIELDPROF_FULL") != "":
		want, seed = 32000, 2
	case testing.Short():
		want = 100
	}
	in, out, ended := must.StartNode(t, "testdata/programs/run.mjs", fmt.Sprint(want))
	go func() {
		defer in.Close()
		g := &generator{rand.New(rand.NewPCG(seed, seed))}
		buffered := bufio.NewWriter(in)
		for encoder := json.NewEncoder(buffered); ; {
			if encoder.Encode(instrumentGenerated(t, g.program())) != nil {
				return // Node has seen enough
			}
		}
	}()
	var v verdict
	must.Do(t, json.NewDecoder(out).Decode(&v))
	ended()
	for _, f := range v.Failures {
		t.Errorf("%s\n%s\nbecame\n%s\nwhich gives\n%s\ninstead of\n%s", f.Setting, f.Source, f.Instrumented, f.Got, f.Want)
	}
	t.Logf("%d programs, %d passed through", v.Valid, v.Passed)
	if v.Valid < want {
		t.Errorf("only %d programs, want %d", v.Valid, want)
	}
	if v.Counted < v.Valid*9/10 {
		t.Errorf("executions were counted in only %d of %d programs", v.Counted, v.Valid)
	}
	if v.Passed > v.Valid/1000 {
		t.Errorf("%d of %d programs were passed through", v.Passed, v.Valid)
	}
}

func instrumentGenerated(t *testing.T, source string) generated {
	program := generated{Source: source}
	for _, options := range generatedSettings {
		result, err := Transform([]byte(source), options)
		if err != nil {
			t.Error(err)
		}
		if !Restores(result.Code, result.Insertions, []byte(source)) {
			t.Errorf("deleting the insertions does not give the source back:\n%s", result.Code)
		}
		code := string(result.Code)
		if len(result.Warnings) > 0 {
			code = ""
		}
		program.Instrumented = append(program.Instrumented, code)
	}
	return program
}
