package symbols

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

func TestApart(t *testing.T) {
	for _, c := range []struct{ sources, want []string }{
		{[]string{"../src/a.ts", "../../b.ts", "", ""}, []string{"src/a.ts", "b.ts", "", ""}},
		{[]string{"../../src/a.ts", "../src/a.ts", "src/b.ts"}, []string{"_.._/src/a.ts", "src/a.ts", "src/b.ts"}},
		{[]string{"../../../a.ts", "a.ts", "../../../a.ts"}, []string{"_.._/_.._/_.._/a.ts", "a.ts", "_.._/_.._/_.._/a.ts"}},
		{[]string{"../a.ts", "_.._/a.ts", "a.ts"}, []string{"a.ts (2)", "_.._/a.ts", "a.ts"}},
		{[]string{"file:///x/a.ts", "/x/a.ts", `C:\x\a.ts`}, []string{"x/a.ts (3)", "x/a.ts", "x/a.ts (2)"}},
		{[]string{"webpack://app/../a.ts", "webpack://app/a.ts"}, []string{"a.ts", "app/a.ts"}},
	} {
		others := apart(c.sources)
		var got []string
		for _, source := range c.sources {
			got = append(got, nameOf(source, others))
		}
		must.Equal(t, got, c.want, c.sources)
	}
}

// Different sources have different names, each of them inside.
func TestApartNamesDiffer(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"../", "../", "_.._/", "./", "/", "file:///", `C:\`, "lib/", "a.ts", "a.ts (2)", "b.ts"}
	for range 5000 {
		sources := make([]string, random.IntN(12))
		for i := range sources {
			for range 1 + random.IntN(5) {
				sources[i] += parts[random.IntN(len(parts))]
			}
		}
		others, of := apart(sources), map[string]string{}
		for _, source := range sources {
			name := nameOf(source, others)
			must.Equal(t, inside(name), name, source)
			if other, ok := of[name]; ok && other != source && name != "" {
				t.Fatalf("%q and %q are both called %q: %q", source, other, name, sources)
			}
			of[name] = source
		}
	}
}

// Two files that differ in the ways up to them stay two, of which one may be ignored, also
// if the table has functions of only one.
func TestSourcesApart(t *testing.T) {
	sourceMap := `{"version":3,"sources":["../lib/a.ts","../../lib/a.ts"],"names":["mine","theirs"],"mappings":"AAAA,SAASA;ACAA,SAASC","ignoreList":[%d]}`
	at := func(line, column int32) functable.Position { return functable.Position{Line: line, Column: column} }
	table := functable.Table{File: "app.js", Functions: []functable.Function{
		{Kind: functable.Script, Start: at(1, 1), End: at(3, 1), Parent: -1},
		{Kind: functable.Declaration, Name: "b", Start: at(2, 1), End: at(2, 16), Definition: at(2, 11), Sites: functable.Entry,
			Original: &functable.Original{Source: "../../lib/a.ts", Name: "theirs", Position: at(1, 10)}},
	}}
	encoded := must.Get(table.Encode())(t)
	var b profile.Builder
	for line := range int32(2) {
		f := b.Function(profile.Function{Name: string(rune('a' + line)), File: "https://shop.example/app.js", Line: line + 1, Column: 11})
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, line+1, 12)), Weight: 1})
	}
	for name, files := range map[string]map[string]string{
		"a map":             {},
		"a map and a table": {"app.js" + tableSuffix: string(encoded)},
	} {
		for ignored, want := range []string{"_.._/lib/a.ts", "lib/a.ts"} {
			files["app.js.map"] = fmt.Sprintf(sourceMap, ignored)
			found := must.Get(Find(b.Profile(), []string{deploy(t, files)}, nil))(t)
			p := found.Symbolize(b.Profile(), true)
			var all, kept []string
			for i := range p.Functions.Name {
				f := p.Function(profile.FunctionID(i))
				all = append(all, f.File)
				if !found.Ignored[f.File] {
					kept = append(kept, f.File)
				}
			}
			must.Equal(t, strings.Join(all, ", "), "lib/a.ts, _.._/lib/a.ts", name)
			must.Equal(t, strings.Join(kept, ", "), want, name)
		}
	}
}
