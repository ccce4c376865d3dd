package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/internal/must"
)

// A browser that hangs or ends before it has opened its page is ended, and the program runs in another.
func TestBrowserFailsAtFirst(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the browser that fails is a shell script")
	}
	must.Have(t, "chromium", "sleep")
	installed := must.Get(exec.LookPath("chromium"))(t)
	usual := opening
	t.Cleanup(func() { opening = usual })
	opening = time.Second
	for how, command := range map[string]string{"hangs": "exec sleep 1000", "ends": "exit 3"} {
		t.Run(how, func(t *testing.T) {
			folder := t.TempDir()
			script := fmt.Sprintf("#!/bin/sh\nif mkdir '%s'; then %s; fi\nexec '%s' \"$@\"\n", filepath.Join(folder, "failed"), command, installed)
			must.Do(t, os.WriteFile(filepath.Join(folder, "chromium"), []byte(script), 0o755))
			t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
			must.Write(t, folder, "app.js", "console.log('runs')")
			var out strings.Builder
			result := must.Get(Run(Chromium)(t.Context(), engine.Program{Path: filepath.Join(folder, "app.js"), Stdout: &out, Stderr: &out}, engine.Settings{}))(t)
			if out.String() != "runs\n" || result.ExitCode != 0 || !must.Exists(filepath.Join(folder, "failed")) {
				t.Errorf("it said %q: %+v", out.String(), result)
			}
		})
	}
}

// One that ends each time is an error that says so, with what it printed.
func TestBrowserEndsAlways(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the browser that ends is a shell script")
	}
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "chromium"), []byte("#!/bin/sh\necho no display >&2\nexit 1\n"), 0o755))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	must.Write(t, folder, "app.js", "1")
	_, err := Run(Chromium)(t.Context(), engine.Program{Path: filepath.Join(folder, "app.js")}, engine.Settings{})
	if err == nil || err.Error() != "chromium ended before it had opened its page; it said:\nno display" {
		t.Errorf("the error is %v", err)
	}
}
