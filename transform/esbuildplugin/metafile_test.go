package esbuildplugin

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Metafiles may be laid out anyhow, by esbuild or by plugins that wrote them
// again, with any names.
func TestMetafilesOfAnyLayout(t *testing.T) {
	type entry struct {
		Imports, Exports []any
		Inputs           map[string]struct{ Bytes, BytesInOutput int }
		EntryPoint       string `json:"entryPoint,omitempty"`
		Bytes            int
	}
	type file struct {
		Inputs  map[string]any
		Outputs map[string]entry
		More    any `json:"more,omitempty"`
	}
	checks := map[string]any{"path": "f/checks.js", "kind": "import-statement"}
	for _, text := range []string{
		`{"inputs":{"a \\\"}{.js":{"bytes":1,"imports":[{"path":"\\\\"}]}},"outputs":{"out/a\u0041\".js":{"imports":[],"exports":["x"],"entryPoint":"a","inputs":{"bytes":{"bytesInOutput":3}},"bytes":10},"b.js":{"bytes":2,"imports":[],"inputs":{},"exports":[]}}}`,
		"{\n  \"outputs\" : {\r\n\t\"out/aA\\\".js\": { \"bytes\" : 10 , \"inputs\": {\"x\":{\"bytes\":7}}, \"entryPoint\":\"a\" } , \"b.js\":{\"bytes\":2}\n  }\n, \"inputs\": {}, \"more\": [1, null, {\"outputs\": {}}] }\n",
	} {
		m := must.Get(readMetafile(text))(t)
		if !m.outputs[`out/aA".js`].isEntry || m.outputs["b.js"].isEntry || len(m.outputs) != 2 {
			t.Errorf("the outputs are %+v", m.outputs)
		}
		var was, is file
		must.Do(t, json.Unmarshal([]byte(text), &was))
		renewed := m.renewed([]present{{"b.js", 3, ""}, {`new ".js`, 4, "f/checks.js"}, {`out/aA".js`, 11, ""}})
		if err := json.Unmarshal([]byte(renewed), &is); err != nil {
			t.Fatalf("%v: %s", err, renewed)
		}
		for name, bytes := range map[string]int{"b.js": 3, `out/aA".js`: 11} {
			o := was.Outputs[name]
			o.Bytes = bytes
			was.Outputs[name] = o
		}
		was.Outputs[`new ".js`] = entry{[]any{checks}, []any{}, is.Outputs[`new ".js`].Inputs, "", 4}
		if !reflect.DeepEqual(is, was) {
			t.Errorf("%+v\nwant %+v", is, was)
		}
	}
	for _, text := range []string{"[", "{", `{"`, `{"outputs`, `{"outputs"`, `{"outputs":`, `{"outputs":{"a"`, `{"outputs":{"a":[}`, `{"outputs":{"a":{"bytes":"`, `{"outputs":{"a":{"bytes":1`, `{"outputs":7}`, `{1:2}`, `{"a":"\\"`, `{"inputs":{`} {
		if _, err := readMetafile(text); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	if m, err := readMetafile(`{"outputs":{}}`); err != nil || m.renewed([]present{{"a", 1, ""}}) != `{"outputs":{"a":{"imports":[],"exports":[],"inputs":{},"bytes":1}}}` {
		t.Error(err)
	}
}

// A module's import of the runtime is before its other imports, in the
// metafile's style.
func TestMetafileListsImports(t *testing.T) {
	now := []present{{"a.js", 7, "f/checks.js"}}
	for text, want := range map[string]string{
		`{"outputs":{"a.js":{"imports":[],"bytes":1}}}`:                                                   `{"outputs":{"a.js":{"imports":[{"path":"f/checks.js","kind":"import-statement"}],"bytes":7}}}`,
		`{"outputs":{"a.js":{"bytes":1,"imports":[{"path":"b.js"}]}}}`:                                    `{"outputs":{"a.js":{"bytes":7,"imports":[{"path":"f/checks.js","kind":"import-statement"},{"path":"b.js"}]}}}`,
		`{"outputs":{"a.js":{"imports":7,"bytes":1}}}`:                                                    `{"outputs":{"a.js":{"imports":7,"bytes":7}}}`,
		"{\n  \"outputs\": {\n    \"a.js\": {\n      \"imports\": [],\n      \"bytes\": 1\n    }\n  }\n}": "{\n  \"outputs\": {\n    \"a.js\": {\n      \"imports\": [\n        {\n          \"path\": \"f/checks.js\",\n          \"kind\": \"import-statement\"\n        }\n      ],\n      \"bytes\": 7\n    }\n  }\n}",
	} {
		m := must.Get(readMetafile(text))(t)
		if got := m.renewed(now); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", text, got, want)
		}
	}
}
