package main

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Messages quote files and their names, in which a terminal finds nothing to obey.
func TestMessagesArePrintable(t *testing.T) {
	const clear = "\x1b[2J"
	t.Chdir(t.TempDir())
	must.WriteTree(t, ".", map[string]string{"a.folded": "main 9\n", "a.mozilla.json": `"\u001b[2J"`})
	for _, args := range [][]string{
		{"top", clear + ".cpuprofile"},
		{"top", "a.mozilla.json"},
		{"merge", "-o", clear + "/all.folded", "a.folded"},
		{"diff", "a.folded", clear},
		{"budget", clear + ".yaml", "a.folded"},
		{"slices", clear},
		{"serve", clear},
		{"upload", "--release", "1", clear},
		{"run", clear + ".js"},
		{clear + "/dist"},
	} {
		code, stdout, stderr := instrument(t, args...)
		if code == exitOK || stdout != "" || strings.Contains(stderr, "\x1b") || !strings.Contains(stderr, `\x1b[2J`) {
			t.Errorf("%q: %d\n%s%q", args, code, stdout, stderr)
		}
	}
}
