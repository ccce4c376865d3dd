package browser

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A snap gets its profile where it can see it, and any other browser in the system's place.
func TestSnap(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no snaps")
	}
	bin, home := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("HOME", home)
	for _, c := range []struct{ text, below string }{
		{"# exec /snap/bin/firefox", filepath.Join(home, "snap/firefox/common")},
		{"# exec /usr/lib/firefox", os.TempDir()},
	} {
		script := "#!/bin/sh\n" + c.text + "\ncase \"$*\" in *\"--profile " + c.below + "/instrument-firefox-\"*) ;; *) echo \"$*\" >&2;; esac\n"
		must.Do(t, os.WriteFile(filepath.Join(bin, "firefox"), []byte(script), 0o755))
		w := must.Get(open(Firefox, "http://localhost/", true, nil))(t)
		<-w.ended
		w.close()
		if said := w.said.String(); said != "" {
			t.Errorf("%s: it was started with %s", c.text, said)
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(bin, "snap"), nil, 0o755))
	must.Do(t, os.Symlink("snap", filepath.Join(bin, "chromium")))
	if !isSnap(filepath.Join(bin, "chromium")) || isSnap(filepath.Join(bin, "missing")) {
		t.Error("links are not told apart")
	}
}
