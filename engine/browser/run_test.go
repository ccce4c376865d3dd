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

// A browser that hangs before it has opened its page is ended, and the program runs in another.
func TestBrowserHangsAtFirst(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the browser that hangs is a shell script")
	}
	must.Have(t, "chromium", "sleep")
	installed := must.Get(exec.LookPath("chromium"))(t)
	folder := t.TempDir()
	hangs := fmt.Sprintf("#!/bin/sh\nif mkdir '%s'; then exec sleep 1000; fi\nexec '%s' \"$@\"\n", filepath.Join(folder, "hung"), installed)
	must.Do(t, os.WriteFile(filepath.Join(folder, "chromium"), []byte(hangs), 0o755))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	usual := opening
	t.Cleanup(func() { opening = usual })
	opening = time.Second
	must.Write(t, folder, "app.js", "console.log('runs')")
	var out strings.Builder
	result := must.Get(Run(Chromium)(t.Context(), engine.Program{Path: filepath.Join(folder, "app.js"), Stdout: &out, Stderr: &out}, engine.Settings{}))(t)
	if out.String() != "runs\n" || result.ExitCode != 0 || !must.Exists(filepath.Join(folder, "hung")) {
		t.Errorf("it said %q: %+v", out.String(), result)
	}
}
