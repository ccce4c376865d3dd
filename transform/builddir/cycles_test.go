package builddir

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestImportsIn(t *testing.T) {
	must.NotForRaces(t)
	for src, want := range map[string]imports{
		`import"./a.js"`:     {named: []string{"./a.js"}},
		`import a from'a'`:   {named: []string{"a"}},
		`import{a}from"./a"`: {named: []string{"./a"}},
		"export * from\n/* it's \"x\" */ // \"y\"\n'b'":  {named: []string{"b"}},
		"import a/**/from/**/\"c\"":                      {named: []string{"c"}},
		`import("./lazy.js")`:                            {later: []string{"./lazy.js"}},
		"import(/* lazy */`./lazy.js`)":                  {later: []string{"./lazy.js"}},
		"import(`./${name}.js`)":                         {},
		`import.meta.url`:                                {},
		`Array.from("text")`:                             {},
		`x.from="text"`:                                  {},
		`$from"text"`:                                    {},
		`éfrom"text"`:                                    {},
		"\ufeffimport\"./a.js\"":                         {named: []string{"./a.js"}},
		"a\u2028import\"./a.js\"":                        {named: []string{"./a.js"}},
		"x\u00a0\u3000from\u00a0'b'":                     {named: []string{"b"}},
		strings.Repeat("//from", 1<<18):                  {odd: true},
		`import"\x61"`:                                   {odd: true},
		`import/*` + strings.Repeat("x", 5000) + `*/"d"`: {odd: true},
		`say("a letter from 'b'")`:                       {named: []string{"b"}}, // looks so
	} {
		if got := importsIn([]byte(src)); !slices.Equal(got.named, want.named) || !slices.Equal(got.later, want.later) || got.odd != want.odd {
			t.Errorf("%.60s imports %+v, want %+v", src, got, want)
		}
	}
}

// Comments after keywords are looked at a thousand times; the imports among them are found all the same.
func TestImportsAmongComments(t *testing.T) {
	must.NotForRaces(t)
	const imported = `import"./a.js";import("./b.js")`
	for text, isOdd := range map[string]bool{"// from /* */\nimport// \nimport(/* */x);": true, `f("import/x",from/y);`: false} {
		got := importsIn([]byte(strings.Repeat(text, 2000) + imported))
		if !slices.Equal(got.named, []string{"./a.js"}) || !slices.Equal(got.later, []string{"./b.js"}) || got.odd != isOdd {
			t.Errorf("among %q: %+v", text, got)
		}
	}
	if got := importsIn([]byte(strings.Repeat("import(/*", 1<<18))); !got.odd {
		t.Errorf("comments without an end import %+v", got)
	}
}

// How a module is bound tells whether it was found in a cycle.
func bindsAhead(code string) bool {
	return strings.Contains(code, "const{flag:") || strings.Contains(code, setsGlobal)
}

// setsGlobal begins the prologue of modules that find the runtime.
const setsGlobal = `var{}=typeof _$f<"u"&&_$f.c||(globalThis._$f=(globalThis.__fieldprof||0).flag||`

// In random graphs of modules those that reach themselves do not bind ahead, nor those
// that reach something unknown, nor any that these reach.
func TestCyclesAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(20, 20))
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for round := range rounds {
		n := 1 + random.IntN(9)
		in := site{"index.html": "<script type=module src=m0.js></script>"}
		edges, unknown := make([][]bool, n), make([]bool, n)
		for i := range n {
			edges[i] = make([]bool, n)
			text := ""
			for j := range n {
				if random.IntN(2*n) == 0 {
					edges[i][j] = true
					text += fmt.Sprintf([]string{"import'./m%d.js';", "export*from\"/m%d.js\";", "import{f as f%[1]d}from'./m%[1]d.js';"}[random.IntN(3)], j)
				}
			}
			switch random.IntN(12) {
			case 0:
				text, unknown[i] = text+"import'https://other.example/x.js';", true
			case 1:
				text, unknown[i] = text+"import'./gone.js';", true
			case 2:
				text += "import'package';import'node:fs';"
			}
			in[fmt.Sprintf("m%d.js", i)] = text + "export " + loop("f")
		}
		for k := range n { // the closure, by Warshall
			for i := range n {
				for j := range n {
					edges[i][j] = edges[i][j] || edges[i][k] && edges[k][j]
				}
			}
		}
		out := memorySite(t, in, Options{})
		early := func(i int) bool { // whether functions of a module may run before it does
			return edges[i][i] || unknown[i] || slices.ContainsFunc(upTo(n), func(j int) bool { return edges[i][j] && unknown[j] })
		}
		for i := range n {
			want := !early(i) && !slices.ContainsFunc(upTo(n), func(j int) bool { return edges[j][i] && early(j) })
			if p := fmt.Sprintf("m%d.js", i); bindsAhead(out[p]) != want {
				t.Fatalf("round %d: %s binds ahead is %v, want %v, in\n%v", round, p, !want, want, in)
			}
		}
	}
}

func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// A name that an import map, or the build's own package, may lead back is not trusted.
func TestNamesThatMayLeadBack(t *testing.T) {
	module := `import"app/other.js";` + "export " + loop("f")
	for name, c := range map[string]struct {
		files site
		want  bool
	}{
		"another's package":  {site{}, true},
		"an import map":      {site{"other.html": `<script type=importmap>{}</script>`}, false},
		"the build's own":    {site{"package.json": `{"name":"app"}`}, false},
		"another build's":    {site{"package.json": `{"name":"apple"}`}, true},
		"a page in UTF-16":   {site{"other.html": "\xff\xfe<\x00"}, false},
		"a subpath of it":    {site{"m.js": `import"#app";` + "export " + loop("f")}, false},
		"a package's folder": {site{"m.js": `import"@a/b/c.js";` + "export " + loop("f"), "package.json": `{"name":"@a/b"}`}, false},
	} {
		in := site{"index.html": "<script type=module src=m.js></script>", "m.js": module}
		for p, text := range c.files {
			in[p] = text
		}
		if out := memorySite(t, in, Options{}); bindsAhead(out["m.js"]) != c.want {
			t.Errorf("%s: %s", name, out["m.js"])
		}
	}
}

// If an imported name could stand for any module, every module may be below a cycle.
func TestNamesThatMayStandForAny(t *testing.T) {
	for page, want := range map[string]bool{"<p>": true, "<script type=importmap>{}</script>": false} {
		out := memorySite(t, site{"index.html": page + "<script type=module src=m.js></script>", "m.js": `import"./m.js";import"other";`, "below.js": "export " + loop("f")}, Options{})
		if bindsAhead(out["below.js"]) != want {
			t.Errorf("in a site with %s: %s", page, out["below.js"])
		}
	}
}

// In a tree with pages, only a module that nothing is seen to load brings the runtime along.
func TestModulesOfUnseenWorkers(t *testing.T) {
	module := "export " + loop("f")
	out := memorySite(t, site{
		"index.html":        `<script type=module src=page.js></script><script type=module>import"./inline.js"</script>`,
		"page.js":           `import"./shared.js";import(/* later */ "./lazy.js");new Worker("seen.js",{type:"module"});new Worker(name,{type:"module"});` + module,
		"seen.js":           `import"./shared.js";` + module,
		"unseen.js":         `import"./shared.js";import"./of/unseen.js";` + module,
		"shared.js":         module,
		"lazy.js":           module,
		"inline.js":         module,
		"of/unseen.js":      module,
		"importedByText.js": module,
	}, Options{})
	for p, want := range map[string]string{
		"page.js": "", "shared.js": "", "lazy.js": "", "inline.js": "", "of/unseen.js": "",
		"seen.js": "fieldprof/runtime.js", "unseen.js": "fieldprof/checks.js", "importedByText.js": "fieldprof/checks.js",
	} {
		imports := ""
		for _, file := range []string{"fieldprof/runtime.js", "fieldprof/module.js", "fieldprof/checks.js"} {
			if strings.Contains(out[p], file) {
				imports = file
			}
		}
		if imports != want || !bindsAhead(out[p]) {
			t.Errorf("%s imports %q, want %q: %s", p, imports, want, out[p])
		}
	}
}
