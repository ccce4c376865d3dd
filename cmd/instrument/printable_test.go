package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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

// An answer of a server is quoted in one line: another could pass for a message of ours.
func TestAnswersAreQuotedInOneLine(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"no\ninstrument: all is well"}`)
	}))
	t.Cleanup(server.Close)
	t.Setenv(urlVariable, server.URL)
	t.Setenv(tokenVariable, "fpt_0123456789abcdef")
	code, _, told := instrument(t, "query", "apps")
	must.Equal(t, code, exitUsage)
	must.Contain(t, "the message", told, `no\x0ainstrument: all is well`)
}
