package main

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Names that would turn the text of a terminal around do not, whichever command prints them.
func TestEveryJSONIsPrintable(t *testing.T) {
	const turn = "\u202e"
	t.Chdir(t.TempDir())
	must.WriteTree(t, ".", map[string]string{
		"dist/a" + turn + ".js":     "function f(n) { while (n--); }\n",
		"dist/b" + turn + ".js.map": `{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}`,
		"slow.json": `{"resources":[],"frames":[],"stacks":[],"samples":[],"fieldprof":{"version":1,"interval":10,"marks":[` +
			`{"what":"interaction","name":"click","target":"` + turn + `","time":5,"duration":320}]}}`,
	})
	for _, line := range []string{"dist --json --no-sizes", "upload --release " + turn + " --dry-run --json dist", "slices --json slow.json"} {
		code, stdout, stderr := instrument(t, strings.Fields(line)...)
		if code != 0 || !strings.Contains(stdout, `\u202e`) || strings.Contains(stdout, turn) {
			t.Errorf("%s: %d\n%s%s", line, code, stdout, stderr)
		}
	}
}
