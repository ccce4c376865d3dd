package sourcemap_test

import (
	"fmt"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// A bundler wrote `function f(){return 1}` from a TypeScript file. An
// instrumenter puts eight characters after the brace, at column 13, and wants to
// know where the function came from.
func ExampleRewrite() {
	before := `{"version":3,"sources":["src/f.ts"],"names":["first"],"mappings":"AAEA,SAASA,IAAI,OAAO"}`
	r, err := sourcemap.Rewrite([]byte(before),
		[]sourcemap.Insertion{{Line: 0, Column: 13, Width: 8}},
		[]sourcemap.Place{{Line: 0, Column: 9}})
	if err != nil {
		fmt.Println(err)
		return
	}
	o := r.Originals[0]
	fmt.Printf("%s:%d:%d %s\n", o.Source, o.Line+1, o.Column+1, o.Name)
	fmt.Printf("%s\n", r.JSON)
	// Output:
	// src/f.ts:3:10 first
	// {"version":3,"sources":["src/f.ts"],"names":["first"],"mappings":"AAEA,SAASA,YAAI,OAAO"}
}

func ExampleIdentity() {
	content := "function f() {\n\treturn 1\n}"
	fmt.Printf("%s\n", sourcemap.Identity("f.js", "f.js", textpos.Of([]byte(content)),
		[]sourcemap.Insertion{{Line: 0, Column: 14, Width: 8}},
		[]sourcemap.Place{{Line: 0, Column: 9}}))
	// Output:
	// {"version":3,"file":"f.js","sources":["f.js"],"sourcesContent":["function f() {\n\treturn 1\n}"],"names":[],"mappings":"AAAA,SAAS,aAAK;AACd;AACA"}
}

func ExampleReplaceURL() {
	code, _ := sourcemap.ReplaceURL([]byte("f()\n//# sourceMappingURL=f.js.map\n"), "maps/f.js.map")
	fmt.Printf("%s", code)
	// Output:
	// f()
	// //# sourceMappingURL=maps/f.js.map
}
