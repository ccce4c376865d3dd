package symbols_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/symbols"
)

// A function of a minified script gets its name and its source back.
func Example() {
	dist, err := os.MkdirTemp("", "dist")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dist)
	// `function a(b){}` was parse in line 4 of src/app.ts.
	err = os.WriteFile(filepath.Join(dist, "app.js.map"),
		[]byte(`{"version":3,"sources":["../src/app.ts"],"names":["parse"],"mappings":"AAGA,SAASA"}`), 0o600)
	if err != nil {
		panic(err)
	}
	var b profile.Builder
	a := b.Function(profile.Function{Name: "a", File: "https://shop.example/assets/app.js", Line: 1, Column: 11})
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(a, 0, 0)), Weight: 1})

	found, err := symbols.Find(b.Profile(), []string{dist}, nil)
	if err != nil {
		panic(err)
	}
	f := found.Symbolize(b.Profile(), false).Function(0)
	fmt.Printf("%s, %s:%d\n", f.Name, f.File, f.Line)
	// Output: parse, src/app.ts:4
}
