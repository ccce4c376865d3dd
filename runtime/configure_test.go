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

// A build without the compact form has functions' texts searched for no call.
func TestConfigureInline(t *testing.T) {
	const calls = `|(?:\$_|_\$)[elx](\w{0,99})\(`
	for name, holds := range map[string]bool{"runtime.js": true, "module.js": true, "checks.js": true, "checks.mjs": true, "checks.cjs": true, "trace.js": true, "send.js": false} {
		script := must.Get(fs.ReadFile(runtime.Files(), name))(t)
		if got := bytes.Contains(script, []byte(calls)); got != holds {
			t.Errorf("%s has texts searched for calls: %v", name, got)
		}
		if got, want := runtime.Configure(script, runtime.Options{Inline: true}), bytes.Replace(script, []byte(calls), nil, 1); !bytes.Equal(got, want) || bytes.Contains(got, []byte(calls)) {
			t.Errorf("%s still has texts searched for calls", name)
		}
	}
}
