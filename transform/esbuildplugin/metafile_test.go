package esbuildplugin

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Metafiles may be laid out anyhow, by esbuild or by plugins that wrote them
// anew, with any names.
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
	for _, text := range []string{
		`{"inputs":{"a \\\"}{.js":{"bytes":1,"imports":[{"path":"\\\\"}]}},"outputs":{"out/a\u0041\".js":{"imports":[],"exports":["x"],"entryPoint":"a","inputs":{"bytes":{"bytesInOutput":3}},"bytes":10},"b.js":{"bytes":2,"imports":[],"inputs":{},"exports":[]}}}`,
		"{\n  \"outputs\" : {\r\n\t\"out/aA\\\".js\": { \"bytes\" : 10 , \"inputs\": {\"x\":{\"bytes\":7}}, \"entryPoint\":\"a\" } , \"b.js\":{\"bytes\":2}\n  }\n, \"inputs\": {}, \"more\": [1, null, {\"outputs\": {}}] }\n",
	} {
		m, err := readMetafile(text)
		if err != nil {
			t.Fatal(err)
		}
		if !m.outputs[`out/aA".js`].isEntry || m.outputs["b.js"].isEntry || len(m.outputs) != 2 {
			t.Errorf("the outputs are %+v", m.outputs)
		}
		var was, is file
		if err := json.Unmarshal([]byte(text), &was); err != nil {
			t.Fatal(err)
		}
		renewed := m.renewed([]size{{"b.js", 3}, {`new ".js`, 4}, {`out/aA".js`, 11}})
		if err := json.Unmarshal([]byte(renewed), &is); err != nil {
			t.Fatalf("%v: %s", err, renewed)
		}
		for name, bytes := range map[string]int{"b.js": 3, `out/aA".js`: 11} {
			o := was.Outputs[name]
			o.Bytes = bytes
			was.Outputs[name] = o
		}
		was.Outputs[`new ".js`] = entry{[]any{}, []any{}, is.Outputs[`new ".js`].Inputs, "", 4}
		if !reflect.DeepEqual(is, was) {
			t.Errorf("%+v\nwant %+v", is, was)
		}
	}
	for _, text := range []string{"[", "{", `{"`, `{"outputs`, `{"outputs"`, `{"outputs":`, `{"outputs":{"a"`, `{"outputs":{"a":[}`, `{"outputs":{"a":{"bytes":"`, `{"outputs":{"a":{"bytes":1`, `{"outputs":7}`, `{1:2}`, `{"a":"\\"`, `{"inputs":{`} {
		if _, err := readMetafile(text); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	if m, err := readMetafile(`{"outputs":{}}`); err != nil || m.renewed([]size{{"a", 1}}) != `{"outputs":{"a":{"imports":[],"exports":[],"inputs":{},"bytes":1}}}` {
		t.Error(err)
	}
}
