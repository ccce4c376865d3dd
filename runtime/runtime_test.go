package runtime_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

// Each script is a test: it asserts, and its exit code tells.
func TestInNode(t *testing.T) {
	for _, script := range []string{"once.mjs", "ticks.mjs", "inert.mjs", "taken.mjs", "text.mjs", "thread.mjs"} {
		t.Run(strings.TrimSuffix(script, ".mjs"), func(t *testing.T) { runNode(t, "testdata/"+script) })
	}
}

func runNode(t *testing.T, arguments ...string) string {
	t.Helper()
	return runNodeIn(t, nil, arguments...)
}

// runNodeIn is runNode with additions to the environment.
func runNodeIn(t *testing.T, environment []string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command(must.HaveNode(t), arguments...)
	cmd.Env = append(cmd.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// Two instrumented modules import each other and call functions of modules
// whose bodies have not run. They must behave the same whatever checks see.
func TestModulesInACycle(t *testing.T) {
	const (
		show  = `import { log } from './first.mjs'; console.log(log.join('\n'));`
		armed = `import { flag } from './checks.mjs';
			let seen = 0;
			__fieldprof.recorder = () => { seen++; flag[0] = 1 };
			flag[0] = 1;
			export const captures = () => seen;
			export { flag };`
		count = `import { captures } from './armed.mjs'; if (captures() === 0) throw new Error('no check saw the flag');`
	)
	want := runCycle(t, "", map[string]string{"main.mjs": show})
	if !strings.HasPrefix(want, "first 2\n") {
		t.Fatalf("the cycle does not call a function before its module ran: %s", want)
	}
	if got := runCycle(t, "./checks.mjs", map[string]string{"main.mjs": show}); got != want {
		t.Errorf("idle:\n%s\nwant:\n%s", got, want)
	}
	if got := runCycle(t, "./armed.mjs", map[string]string{"main.mjs": show + count, "armed.mjs": armed}); got != want {
		t.Errorf("armed:\n%s\nwant:\n%s", got, want)
	}
}

// runCycle runs main.mjs among the modules of testdata/cycle, which import
// their bindings from checks, or are not instrumented.
func runCycle(t *testing.T, checks string, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	scripts["checks.mjs"] = string(must.Get(fs.ReadFile(runtime.Files(), "checks.mjs"))(t))
	for _, name := range []string{"first.mjs", "second.mjs"} {
		src := must.Get(os.ReadFile(filepath.Join("testdata/cycle", name)))(t)
		if checks != "" {
			result, err := transform.Transform(src, transform.Options{File: name, Selection: transform.Selection{Preset: transform.Precise}, ChecksModule: checks})
			if err != nil || bytes.Equal(result.Code, src) {
				t.Fatalf("%s is not instrumented: %v", name, err)
			}
			src = result.Code
		}
		scripts[name] = string(src)
	}
	for name, text := range scripts {
		must.WriteFile(t, filepath.Join(dir, name), text)
	}
	return runNode(t, filepath.Join(dir, "main.mjs"))
}

func TestFiles(t *testing.T) {
	entries := must.Get(fs.ReadDir(runtime.Files(), "."))(t)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
		text := must.Get(fs.ReadFile(runtime.Files(), entry.Name()))(t)
		if !slices.Contains([]string{"coordinator.js", "interactions.js", "send.js"}, entry.Name()) && !bytes.Contains(text, []byte("globalThis."+runtime.Global)) {
			t.Errorf("%s does not speak of globalThis.%s", entry.Name(), runtime.Global)
		}
	}
	if want := []string{"checks.cjs", "checks.js", "checks.mjs", "coordinator.js", "interactions.js", "live.js", "module.js", "mozilla.js", "performance.js", "runtime.js", "send.js", "trace.js"}; !slices.Equal(names, want) {
		t.Errorf("files are %v, want %v", names, want)
	}
}

// Every page has these scripts, profiled or not.
func TestRuntimeIsSmall(t *testing.T) {
	for name, most := range map[string]int{"runtime.js": 3000, "module.js": 3000, "checks.js": 1024} {
		text := must.Get(fs.ReadFile(runtime.Files(), name))(t)
		packed := gzipped(text)
		t.Logf("%s: %d bytes, %d gzip", name, len(text), packed)
		if packed > most {
			t.Errorf("%s is %d bytes gzip, more than %d", name, packed, most)
		}
	}
}

func gzipped(text []byte) int {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	w.Write(text)
	w.Close()
	return packed.Len()
}

// The most that Configure adds.
func TestAdditionsAreSmall(t *testing.T) {
	plain := must.Get(fs.ReadFile(runtime.Files(), "runtime.js"))(t)
	for _, c := range []struct {
		options runtime.Options
		most    int
	}{
		{runtime.Options{ObeyPolicy: true}, 256},
		{runtime.Options{WrapWorkers: true}, 1100},
	} {
		script := runtime.Configure(plain, c.options)
		added := gzipped(script) - gzipped(plain)
		if t.Logf("%+v: %d bytes gzip", c.options, added); added <= 0 || added > c.most {
			t.Errorf("%+v adds %d bytes gzip, want up to %d", c.options, added, c.most)
		}
		if bytes.Count(script, []byte("\n")) != 1 {
			t.Errorf("%+v: the script has several lines", c.options)
		}
	}
}
