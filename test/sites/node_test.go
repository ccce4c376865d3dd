package sites

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// programs are the folders that the node site builds, with their entries.
var programs = []string{"esbuild-cjs/main.cjs", "esbuild-cjs-js/main.js", "esbuild-esm/main.mjs", "rollup-cjs/main.cjs", "rollup-esm/main.mjs"}

// armNode makes every check capture, in the process that loads the runtime.
const armNode = `
{
  const checks = globalThis.__fieldprof;
  let samples = 0;
  checks.recorder = () => {
    samples++;
    checks.flag[0] = 1;
  };
  checks.flag[0] = 1;
  process.on("exit", () => console.error("samples:", samples > 0));
}
`

// programsBehave: a program for Node finds the runtime by itself, without any
// flag, and says what it said.
func programsBehave(t *testing.T, builds *builds) {
	for _, program := range programs {
		t.Run(program, func(t *testing.T) {
			folder, entry := filepath.Split(program)
			build := builds.of(t, "node", folder)
			if len(build.report.Warnings) > 0 {
				t.Errorf("warnings: %v", build.report.Warnings)
			}
			compareScripts(t, build)
			want, failed := runNode(t, filepath.Join(build.original, entry))
			if !strings.Contains(want, "/late 200") || failed != "" {
				t.Fatalf("the original says %s%s", want, failed)
			}
			compare := func(variant, wantErrors string) {
				t.Helper()
				got, errors := runNode(t, filepath.Join(build.profiled, entry))
				if got != want {
					t.Errorf("%s: it says %s\nand the original %s", variant, got, want)
				}
				if errors != wantErrors {
					t.Errorf("%s: the standard error has %q, want %q", variant, errors, wantErrors)
				}
			}
			compare("idle", "")
			for _, name := range []string{"checks.cjs", "checks.js"} {
				appendTo(t, filepath.Join(build.profiled, "fieldprof", name), armNode)
			}
			compare("armed", "samples: true\n")
		})
	}
}

func runNode(t *testing.T, entry string) (output, errors string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("node", entry)
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if err != nil {
		t.Errorf("node %s: %v", entry, err)
	}
	return string(stdout), stderr.String()
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	must.Do(t, os.WriteFile(path, append(data, text...), 0o644))
}
