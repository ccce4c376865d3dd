package runtime_test

import (
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// Each script of testdata/sampling is a test of what samples, over the sources.
func TestSampling(t *testing.T) {
	for _, name := range []string{"clock", "poll", "sessions", "errors", "shared"} {
		t.Run(name, func(t *testing.T) { runNode(t, bundle(t, "testdata/sampling/"+name+".ts")) })
	}
}

// bundle makes one script of a TypeScript file and what it imports.
func bundle(t *testing.T, entry string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "test.mjs")
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Outfile: out, Bundle: true, Write: true,
		Format: api.FormatESModule, Platform: api.PlatformNode, Target: api.ES2022,
		TsconfigRaw: `{"compilerOptions":{"useDefineForClassFields":false}}`,
	})
	for _, m := range result.Errors {
		t.Fatalf("%s: %s", entry, m.Text)
	}
	return out
}
