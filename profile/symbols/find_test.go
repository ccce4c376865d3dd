package symbols

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// mapTo is a map of one line, `function a(b){}`, whose a was called parse in
// line 4 of a source.
func mapTo(source string, more ...string) string {
	quoted, _ := json.Marshal(source)
	return fmt.Sprintf(`{"version":3,"sources":[%s],"names":["parse"],"mappings":"AAGA,SAASA"%s}`, quoted, strings.Join(append([]string{""}, more...), ","))
}

// table is the function table of the same text, which knows better.
var table = func() string {
	at := func(line, column int32) functable.Position { return functable.Position{Line: line, Column: column} }
	t := functable.Table{File: "app.js", Functions: []functable.Function{
		{Kind: functable.Script, Start: at(1, 1), End: at(2, 1), Parent: -1},
		{Kind: functable.Declaration, Name: "a", Start: at(1, 1), End: at(1, 16), Definition: at(1, 11), Sites: functable.Entry,
			Original: &functable.Original{Source: "../../src/app.ts", Name: "fromTable", Position: at(5, 10)}},
	}}
	data, err := t.Encode()
	if err != nil {
		panic(err)
	}
	return string(data)
}()

// recorded is a profile of a function a in each of the scripts.
func recorded(scripts ...string) *profile.Profile {
	var b profile.Builder
	for _, script := range scripts {
		f := b.Function(profile.Function{Name: "a", File: script, Line: 1, Column: 11})
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 0, 0)), Weight: 1})
	}
	return b.Profile()
}

// deploy writes files, by path.
func deploy(t *testing.T, files map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	for name, text := range files {
		path := filepath.Join(directory, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return directory
}

// first is the first function of the profile as found, "name file:line".
func first(p *profile.Profile) string {
	f := p.Function(0)
	return fmt.Sprintf("%s %s:%d", f.Name, f.File, f.Line)
}

const shop = "https://shop.example/assets/app.js?v=3"

// findCases are files, a script, and its first function as found; "" when nothing is to be found.
var findCases = map[string]struct {
	files  map[string]string
	script string
	want   string
}{
	"beside":             {map[string]string{"assets/app.js.map": mapTo("src/app.ts")}, shop, "parse src/app.ts:4"},
	"the longer end":     {map[string]string{"assets/app.js.map": mapTo("right.ts"), "old/app.js.map": mapTo("wrong.ts")}, shop, "parse right.ts:4"},
	"the whole path":     {map[string]string{"app.js.map": mapTo("right.ts"), "old/app.js.map": mapTo("wrong.ts")}, "file:///srv/app.js", "parse right.ts:4"},
	"two that could be":  {map[string]string{"new/app.js.map": mapTo("a.ts"), "old/app.js.map": mapTo("b.ts")}, shop, ""},
	"by the comment":     {map[string]string{"app.js": "function a(b){}\n//# sourceMappingURL=maps/1.map", "maps/1.map": mapTo("src/app.ts")}, shop, "parse src/app.ts:4"},
	"inline":             {map[string]string{"app.js": "function a(b){}\n//# sourceMappingURL=data:application/json," + strings.ReplaceAll(mapTo("src/app.ts"), `"`, "%22")}, shop, "parse src/app.ts:4"},
	"by debug id":        {map[string]string{"app.js": "function a(b){}\n//# debugId=AB-1\n", "maps/x.map": mapTo("src/app.ts", `"debugId":"ab-1"`), "maps/y.map": "{"}, shop, "parse src/app.ts:4"},
	"an index map":       {map[string]string{"app.js.map": `{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":` + mapTo("src/app.ts") + `}]}`}, shop, "parse src/app.ts:4"},
	"names that lead up": {map[string]string{"app.js.map": mapTo("../../../etc/passwd")}, shop, "parse etc/passwd:4"},
	"a root":             {map[string]string{"app.js.map": mapTo("passwd", `"sourceRoot":"file:///etc"`)}, shop, "parse etc/passwd:4"},
	"a drive":            {map[string]string{"app.js.map": mapTo(`C:\Windows\system.ini`)}, shop, "parse Windows/system.ini:4"},
	"a scheme":           {map[string]string{"app.js.map": mapTo("webpack://shop/./src/app.ts")}, shop, "parse shop/src/app.ts:4"},
	"a comment that leads out": {map[string]string{"in/app.js": "//# sourceMappingURL=../../../../../../etc/hostname", "app.js.map": "{"},
		shop, ""},
	"a table":     {map[string]string{"app.js.functions.json": table}, shop, "fromTable src/app.ts:5"},
	"nothing":     {map[string]string{"other.js.map": mapTo("src/app.ts")}, shop, ""},
	"broken":      {map[string]string{"app.js.map": `{"version":3`}, shop, ""},
	"an odd name": {map[string]string{"app.js.map": mapTo("src/app.ts")}, "https://%zz/\x00../app.js", "parse src/app.ts:4"},
}

func TestFind(t *testing.T) {
	for name, c := range findCases {
		t.Run(name, func(t *testing.T) {
			p := recorded(c.script)
			found, err := Find(p, []string{deploy(t, c.files)}, nil)
			if c.want == "" {
				if err == nil {
					t.Errorf("found %s", first(found.Symbolize(p, false)))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			must.Equal(t, first(found.Symbolize(p, false)), c.want, found.Warnings)
		})
	}
}

// A trace may know the id of a script that is not there.
func TestFindByTheProfilesDebugID(t *testing.T) {
	const script = "https://shop.example/assets/app.js"
	for want, files := range map[string]map[string]string{
		"parse right.ts:4": {"x.map": mapTo("right.ts", `"debugId":"ab-1"`), "app.js.map": mapTo("wrong.ts", `"debugId":"ab-2"`)},
		"parse named.ts:4": {"x.map": mapTo("a.ts", `"debugId":"ab-1"`), "y.map": mapTo("b.ts", `"debug_id":"AB-1"`), "app.js.map": mapTo("named.ts")},
	} {
		p := recorded(script)
		p.Meta.DebugIDs = map[string]string{script: "AB-1"}
		found := must.Get(Find(p, []string{deploy(t, files)}, nil))(t)
		must.Equal(t, first(found.Symbolize(p, false)), want, found.Warnings)
	}
}

// A map or table of another build is worse than none, and names are no evidence against an id.
func TestFindRefusesOtherBuilds(t *testing.T) {
	const script = "https://shop.example/assets/app.js"
	other := mapTo("wrong.ts", `"debugId":"bbbb-2"`)
	for name, files := range map[string]map[string]string{
		"by its name":    {"app.js.map": other},
		"by the comment": {"app.js": "function a(b){}\n//# sourceMappingURL=maps/1.map", "maps/1.map": other},
		"by an id":       {"app.js": "function a(b){}\n//# debugId=bbbb-2\n", "maps/1.map": other},
		"inline":         {"app.js": "function a(b){}\n//# sourceMappingURL=data:application/json," + strings.ReplaceAll(other, `"`, "%22")},
		"a table":        {"app.js.functions.json": strings.Replace(table, "{", `{"debugId":"bbbb-2",`, 1)},
	} {
		directory := deploy(t, files)
		p := recorded(script)
		p.Meta.DebugIDs = map[string]string{script: "AAAA-1"}
		must.Refuse(Find(p, []string{directory}, nil))(t, "is of another build than "+script+": its debug id is bbbb-2, not AAAA-1", name)
		p.Meta.DebugIDs = map[string]string{script: "BBBB2"} // case and dashes do not count
		must.Get(Find(p, []string{directory}, nil))(t)
	}
	p := recorded(script)
	p.Meta.DebugIDs = map[string]string{script: "AAAA-1"}
	must.Refuse(Find(p, []string{filepath.Join(deploy(t, map[string]string{"1.map": other}), "1.map")}, nil))(t, "another build", "named")
}

func TestFindNamedFiles(t *testing.T) {
	directory := deploy(t, map[string]string{"1.map": mapTo("src/app.ts", `"file":"app.js"`), "2.map": mapTo("src/app.ts")})
	for _, c := range []struct {
		file    string
		scripts []string
		fits    bool
	}{
		{"1.map", []string{"https://x.example/app.js", "https://x.example/b.js"}, true}, // it says whose it is
		{"2.map", []string{"https://x.example/app.js"}, true},                           // there is no other
		{"2.map", []string{"https://x.example/app.js", "https://x.example/b.js"}, false},
	} {
		found, err := Find(recorded(c.scripts...), []string{filepath.Join(directory, c.file)}, nil)
		if (err == nil) != c.fits || err == nil && len(found.Scripts) != 1 {
			t.Errorf("%s for %v: %v", c.file, c.scripts, err)
		}
	}
	for _, missing := range []string{"nowhere", filepath.Join(directory, "3.map")} {
		must.Refuse(Find(recorded("app.js"), nil, []string{missing}))(t, "no such", missing)
	}
}

// A link in the directory does not lead out of it.
func TestFindStaysInside(t *testing.T) {
	secret := deploy(t, map[string]string{"app.js.map": mapTo("secret.ts")})
	directory := deploy(t, map[string]string{"x.js": ""})
	if err := os.Symlink(filepath.Join(secret, "app.js.map"), filepath.Join(directory, "app.js.map")); err != nil {
		t.Skip(err)
	}
	must.Do(t, os.Symlink(secret, filepath.Join(directory, "assets")))
	if found, err := Find(recorded("https://x.example/assets/app.js"), []string{directory}, nil); err == nil {
		t.Errorf("found %+v", found.Scripts)
	}
}

func TestIgnoredSourcesAreFolded(t *testing.T) {
	directory := deploy(t, map[string]string{
		"app.js.map":    mapTo("src/app.ts"),
		"vendor.js.map": mapTo("../node_modules/react.js", `"ignoreList":[0]`),
	})
	var b profile.Builder
	mine := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "a", File: "app.js", Line: 1, Column: 11}), 0, 0))
	theirs := b.Stack(mine, b.Frame(b.Function(profile.Function{Name: "a", File: "vendor.js", Line: 1, Column: 11}), 0, 0))
	b.Sample(profile.Sample{Stack: theirs, Weight: 1})
	found := must.Get(Find(b.Profile(), []string{directory}, nil))(t)
	for keep, want := range map[bool]string{true: "node_modules/react.js", false: "src/app.ts"} {
		p := found.Symbolize(b.Profile(), keep)
		top := p.Function(p.Frames.Function[p.Stacks.Frame[p.Samples.Stack[0]]])
		must.Equal(t, top.File, want, "kept", keep, top)
	}
}
