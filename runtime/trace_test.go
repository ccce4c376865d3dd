package runtime_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// Each script of testdata/trace tests a part of trace.js: it is bundled with that part,
// asserts in Node, and its exit code tells.
func TestTraceInNode(t *testing.T) {
	scripts, err := filepath.Glob("testdata/trace/*.mjs")
	if err != nil || len(scripts) < 5 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".mjs"), func(t *testing.T) {
			t.Log(runNode(t, bundle(t, script)))
		})
	}
}

// bundle returns the path of a script with all its imports.
func bundle(t *testing.T, entry string) string {
	t.Helper()
	output := filepath.Join(t.TempDir(), "test.mjs")
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, Target: api.ES2022,
		Outfile: output, Write: true,
		TsconfigRaw: `{"compilerOptions":{"useDefineForClassFields":false}}`,
		Define:      map[string]string{"TESTDATA": `"` + absolute(t, "testdata") + `"`},
	})
	if len(result.Errors) > 0 {
		t.Fatal(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}))
	}
	return output
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	whole, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}
