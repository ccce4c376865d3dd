package overhead

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// The loop of every program that is measured can be called again, in the bundles of both
// engines.
func TestEveryProgramIsIterable(t *testing.T) {
	for _, p := range append(fixtures.Real(), trainedPrograms()...) {
		p.EnsurePackages(t)
		code := must.Get(node.Bundle(p.Path))(t).Code
		checkIterable(t, p.Name+" in node", code)
		if !testing.Short() && !p.Unlike && !p.Classic {
			checkIterable(t, p.Name+" in goja", must.Get(goja.Bundle(p.Path))(t).Code)
		}
	}
}

func checkIterable(t *testing.T, name string, code []byte) {
	t.Helper()
	text, err := iterable(code)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	lines := func(text string) []string { return strings.Split(text, "\n") }
	had, has := lines(string(code)), lines(string(text))
	if len(has) != len(had)+2 {
		t.Errorf("%s: %d lines became %d", name, len(had), len(has))
	}
	if changed := slices.DeleteFunc(has, func(line string) bool { return slices.Contains(had, line) }); len(changed) > 4 {
		t.Errorf("%s: changed lines:\n%s", name, strings.Join(changed, "\n"))
	}
}

// A program's state is made again in each run; its constants are not.
func TestIterable(t *testing.T) {
	got := string(must.Get(iterable([]byte(`(() => {
  var text = prose(150, 1);
  var below = random(3);
  for (let round = 0; round < Math.ceil(48 * scale); round++) {
    if (round % 2) {
      console.log(text);
    }
  }
})();
`)))(t))
	want := `(() => {
  var text = prose(150, 1);
  globalThis.__iterate = (rounds) => {
  var below = random(3);
  for (let round = 0; round < rounds; round++) {
    if (round % 2) {
      console.log(text);
    }
  }
  };
})();
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	for _, code := range []string{"run();\n", strings.Repeat("for (let i = 0; i < Math.ceil(scale); i++) {\n}\n", 2), "for (let i = 0; i < Math.ceil(2 * scale); i++) {\n  run()\n"} {
		if text, err := iterable([]byte(code)); err == nil {
			t.Errorf("%q became %q", code, text)
		}
	}
}
