package npm

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// profilesItself works until ticks have found it, and prints the functions of its profile.
const profilesItself = `
import { start, stop } from '@fieldprof/runtime/node';
function heavy(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
function work() {
  let profile;
  do {
    start({ interval: 2 });
    for (let i = 0; i < 100; i++) heavy(100000);
    profile = stop();
  } while (profile.taken < 20);
  return profile;
}
work().toCpuprofile().then(({ nodes }) => console.log(nodes.map(({ callFrame }) => callFrame.functionName).join()));
`

// A service may have its dependencies in its bundle, us among them.
func TestBundledService(t *testing.T) {
	folder := packages.Install(t, nil, "@fieldprof/runtime")
	must.Write(t, folder, "app.js", profilesItself)
	for name, format := range map[string]api.Format{"app.cjs": api.FormatCommonJS, "app.mjs": api.FormatESModule} {
		result := api.Build(api.BuildOptions{
			EntryPoints: []string{filepath.Join(folder, "app.js")}, Outfile: filepath.Join(folder, "dist", name), Write: true,
			Bundle: true, Platform: api.PlatformNode, Format: format, Target: api.ES2022,
			LogOverride: map[string]api.LogLevel{"empty-import-meta": api.LogLevelSilent},
		})
		if len(result.Errors) > 0 {
			t.Fatal(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}))
		}
	}
	browser.Instrument(t, builddir.Options{Input: filepath.Join(folder, "dist"), Output: filepath.Join(folder, "profiled"), Selection: transform.Selection{Preset: transform.Precise}})
	for _, name := range []string{"app.cjs", "app.mjs"} {
		said, code := run(t, folder, nil, "node", "profiled/"+name)
		if code != 0 || !strings.Contains(said, ",work,") || !strings.Contains(said, ",heavy") {
			t.Errorf("%s: code %d: %s", name, code, said)
		}
	}
}
