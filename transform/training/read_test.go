package training

import (
	"strings"
	"testing"
)

const counted = `{"format":"fieldprof counts","version":1,"build":"b","preset":"precise","sessions":1,"milliseconds":5,"files":[` +
	`{"file":"a.js","hash":"h","functions":[{"index":1,"line":2,"column":3,"name":"f","statements":4,"entry":5,"loops":[6],"exit":5}]}]}`

func TestHostileCountsAreRefused(t *testing.T) {
	if _, err := Read("c.json", []byte(counted)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, with, want string }{
		{counted, "", "c.json: it is empty"},
		{counted, " \n", "c.json: it is empty"},
		{counted, "[]", "c.json:1:"},
		{counted, "null", `format is ""`},
		{counted, counted[:40], "c.json:1:41: these are no counts: the file ends too early"},
		{counted, counted + "{}", "there is more after the counts"},
		{`"entry":5`, `"entry":-5`, "c.json: a.js: function 1 (f, 2:3): -5 executions cannot be"},
		{`"entry":5`, `"entry":5.5`, "c.json:1:"},
		{`"entry":5`, `"entry":1e999`, "c.json:1:"},
		{`"entry":5`, `"entry":9007199254740993`, "9007199254740993 executions cannot be"},
		{`"entry":5`, `"entry":99999999999999999999`, "c.json:1:"},
		{`"entry":5`, `"entry":NaN`, "c.json:1:"},
		{`"entry":5`, `"entry":"5"`, "c.json:1:"},
		{`"loops":[6]`, `"loops":[-6]`, "-6 executions cannot be"},
		{`"entry":5,"loops":[6],"exit":5`, `"entry":0,"loops":[0],"exit":0`, "nothing was executed"},
		{`"entry":5,"loops":[6],"exit":5`, `"loops":[]`, "it has no sites"},
		{`"index":1`, `"index":-1`, "its index, position"},
		{`"index":1`, `"index":99999999999`, "c.json:1:"},
		{`"milliseconds":5`, `"milliseconds":0`, "milliseconds is 0"},
		{`"milliseconds":5`, `"milliseconds":-1`, "milliseconds is -1"},
		{`"milliseconds":5`, `"milliseconds":1e-305`, "milliseconds is 1e-305"},
		{`"milliseconds":5`, `"milliseconds":1e300`, "milliseconds is 1e+300"},
		{`"sessions":1`, `"sessions":0`, "sessions is 0"},
		{`"version":1`, `"version":2`, "version is 2"},
		{`"build":"b"`, `"build":""`, "build is missing"},
		{`"hash":"h"`, `"hash":""`, "lacks its name or its hash"},
		{`"sessions":1`, `"sessions":1,"surprise":1`, "surprise"},
		{`"functions":[`, `"functions":[{"index":1,"line":2,"column":3,"name":"f","statements":4,"entry":5},`, "function 1 (f, 2:3) occurs twice"},
		{`"files":[`, `"files":[{"file":"a.js","hash":"h","functions":[]},`, "a.js occurs twice"},
	} {
		text := strings.Replace(counted, c.old, c.with, 1)
		if _, err := Read("c.json", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "c.json:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngives %v, want %s", text, err, c.want)
		}
	}
}

func TestCountsOfOtherBuildsAreRefused(t *testing.T) {
	read := func(name, old, with string) *Counts {
		c, err := Read(name, []byte(strings.Replace(counted, old, with, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := read("c.json", "", "")
	scripts := []Script{{"a.js", "h"}}
	for _, e := range []struct {
		build, preset string
		scripts       []Script
		want          string
	}{
		{"b", "precise", scripts, ""},
		{"b", "balanced", scripts, "c.json: the sites of preset precise were counted"},
		{"other", "precise", scripts, "c.json: these are counts of another build"},
		{"other", "precise", []Script{{"a.js", "i"}}, "c.json: a.js has changed"},
		{"other", "precise", []Script{{"b.js", "h"}}, "which this build has not"},
	} {
		if err := c.OfBuild(e.build, e.preset, e.scripts); (err == nil) != (e.want == "") || err != nil && !strings.Contains(err.Error(), e.want) {
			t.Errorf("%v gives %v", e, err)
		}
	}
	for _, other := range []*Counts{read("d.json", `"b"`, `"x"`), read("d.json", "precise", "fine"), read("d.json", `"name":"f"`, `"name":"g"`), read("d.json", `"loops":[6]`, `"loops":[6,7]`)} {
		if _, err := Merge(c, other); err == nil || !strings.HasPrefix(err.Error(), "d.json") {
			t.Errorf("merging gives %v", err)
		}
	}
}
