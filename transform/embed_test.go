package transform

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// embedded stands for the runtime's text.
const embedded = "try{runtime}catch{}"

// The runtime goes where the bindings go, in front of them: after directives,
// which must stay such.
func TestEmbed(t *testing.T) {
	for name, want := range map[string]struct{ src, code string }{
		"script":                  {ten, embedded + "var _$f,{}="},
		"strict":                  {`"use strict"` + "\n" + ten, `"use strict";` + embedded + "var _$f,{}="},
		"hashbang":                {"#!/usr/bin/env node\n" + ten, "#!/usr/bin/env node\n" + embedded + "var _$f,{}="},
		"nothing to check":        {"var x", embedded + "var x"},
		"module":                  {"export " + ten, `import{flag as $f}from"m.js";export `},
		"module without checks":   {"export var x", `import"m.js";export var x`},
		"what cannot be read":     {"var ;", "var ;"},
		"loaders have no say too": {ten, embedded + "var _$f,{}=_$f&&_$f.c||(_$f=(globalThis.__fieldprof||0).flag||[0,0]);function"},
	} {
		result := must.Get(Transform([]byte(want.src), Options{Embed: embedded, Entry: true, ChecksModule: "m.js", Loader: "l.js", Require: "r.js"}))(t)
		if !strings.HasPrefix(string(result.Code), want.code) {
			t.Errorf("%s: %s", name, result.Code)
		}
		assertReversible(t, []byte(want.src), result)
		if imports := strings.Contains(want.code, "import"); imports != (result.Imports == "m.js") || !imports && result.Imports != "" {
			t.Errorf("%s: it imports %q", name, result.Imports)
		}
	}
}

// The budget is for checks: the runtime takes nothing from it.
func TestEmbedIsNoPartOfTheBudget(t *testing.T) {
	src := []byte(strings.Repeat(ten, 20))
	options := Options{Selection: Selection{MaxGzip: 300}}
	bare := must.Get(Transform(src, options))(t)
	// Text that does not compress.
	var noise strings.Builder
	for i := range 1000 {
		noise.WriteByte("0123456789abcdefghijklmnopqrstuv"[i*i*7919>>4&31])
	}
	options.Embed = "/*" + noise.String() + "*/"
	full := must.Get(Transform(src, options))(t)
	if bare.Stats.CheckedFunctions == 0 || !bytes.Equal(bytes.Replace(full.Code, []byte(options.Embed), nil, 1), bare.Code) {
		t.Errorf("%d functions have checks with the runtime, %d without", full.Stats.CheckedFunctions, bare.Stats.CheckedFunctions)
	}
}
