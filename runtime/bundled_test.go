package runtime_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Each script tests a part of the sources: it is bundled with that part, asserts in Node, and
// its exit code tells.
func TestBundledInNode(t *testing.T) {
	scripts := must.Get(filepath.Glob("testdata/trace/*.mjs"))(t)
	if len(scripts) < 5 {
		t.Fatal(scripts)
	}
	for folder, names := range map[string]string{
		"sampling": "again clock calendar matches origins taken zone timers forget forgetting poll sessions errors shared coordinator workers resting valve pace replaced board unread wrapped", "send": "pieces queue save kept consent canary choice slices valve tojson", "mozilla": "rate", "run": "inspect console", "interactions": "corpus latencies observe stretches",
		"node": "collections delivery rotation variables labels threads",
	} {
		for name := range strings.FieldsSeq(names) {
			scripts = append(scripts, "testdata/"+folder+"/"+name+".ts")
		}
	}
	for _, script := range scripts {
		t.Run(strings.TrimPrefix(script, "testdata/"), func(t *testing.T) { t.Log(runNode(t, bundle(t, script))) })
	}
}

// bundle returns the path of a script with all its imports, in a folder like that of the package.
func bundle(t *testing.T, entry string) string {
	t.Helper()
	output := filepath.Join(t.TempDir(), "@fieldprof/runtime/dist/test.mjs")
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, Target: api.ES2022,
		Outfile: output, Write: true,
		TsconfigRaw: `{"compilerOptions":{"useDefineForClassFields":false}}`,
		Define:      map[string]string{"TESTDATA": `"` + must.Get(filepath.Abs("testdata"))(t) + `"`},
	})
	if len(result.Errors) > 0 {
		t.Fatal(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}))
	}
	return output
}
