package sourcemap

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

func TestDebugID(t *testing.T) {
	const id = "85314830-023f-4cf1-a267-535f4e37bb17"
	for code, want := range map[string]string{
		"f()\n//# debugId=" + id:                                 id,
		"f()\r\n//# debugId=" + id + "\r\n":                      id,
		"//# debugId=" + id + "\n//# sourceMappingURL=a.map\n":   id,
		"//# sourceMappingURL=a.map\n//# debugId=" + id + "\n\n": id,
		"f();//# debugId=64756E2164756E21":                       "64756E2164756E21", // Bun's
		"/*# debugId=" + id + " */":                              id,
		"//# debugId=" + id + "\nf()":                            "",
		"x = `\n//# debugId=" + id + "`":                         "",
		"//# debugId=" + id + "\n//# debugId=../x\n":             "",
		"//# debugId=": "",
		"//# debugId=" + strings.Repeat("a", longestDebugID+1): "",
		"//# sourceMappingURL=debugId=" + id:                   "",
		"":                                                     "",
	} {
		must.Equal(t, DebugID([]byte(code)), want, code)
	}
}

func TestIdentityHasTheDebugID(t *testing.T) {
	m := must.Get(Parse(Identity("a.js", "a.js", textpos.Of([]byte("f()\n//# debugId=ab-1\n")), nil, nil)))(t)
	must.Equal(t, m.DebugID, "ab-1")
}
