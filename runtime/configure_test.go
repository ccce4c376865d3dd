package runtime_test

import (
	"bytes"
	"io/fs"
	"math"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
)

func TestConfigure(t *testing.T) {
	for _, name := range []string{"runtime.js", "module.js"} {
		script := must.Get(fs.ReadFile(runtime.Files(), name))(t)
		for _, same := range []runtime.Options{{}, {Base: math.Inf(1)}} {
			if got := runtime.Configure(script, same); !bytes.Equal(got, script) {
				t.Errorf("%s changes for %+v", name, same)
			}
		}
		hostile := runtime.Options{Prefer: `polyfill"}</script>`, Clock: "poll", Base: 0.5, Folder: "../fieldprof/"}
		got := runtime.Configure(script, hostile)
		if want := `{"prefer":"polyfill\"}\u003c/script\u003e","clock":"poll","base":0.5}`; bytes.Count(got, []byte(want)) != 1 {
			t.Errorf("%s does not hold %s once:\n%s", name, want, got)
		}
		if !bytes.Contains(got, []byte(`new URL("../fieldprof/trace.js",`)) {
			t.Errorf("%s does not look for its files in their folder:\n%s", name, got)
		}
		hostile.ObeyPolicy, hostile.WrapWorkers = true, true
		if got := runtime.Configure(script, hostile); !bytes.Contains(got, []byte(`new URL("../fieldprof/runtime.js",`)) {
			t.Errorf("%s does not look for the runtime in its folder:\n%s", name, got)
		}
		if again := runtime.Configure(got, runtime.Options{Clock: "auto"}); !bytes.Equal(again, got) {
			t.Errorf("%s can be configured twice", name)
		}
	}
}
