//go:build unix

package builddir

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Nothing that is made may be read by more people than what it was made of.
func TestModesAreKept(t *testing.T) {
	for _, sample := range []float64{0, 0.1} {
		for _, inPlace := range []bool{false, true} {
			dir := site{
				"a.js": loop("a") + "//# sourceMappingURL=a.js.map\n", "a.js.map": `{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}`, "a.js.gz": "old",
				"open.js": loop("open"), "run.js": "#!/usr/bin/env node\n" + loop("run"), "index.html": "<script>" + loop("i") + "</script><script src=a.js></script>", "sub/x.txt": "x",
			}.write(t)
			modes := map[string]fs.FileMode{"a.js": 0o600, "a.js.map": 0o640, "a.js.gz": 0o400, "open.js": 0o664, "run.js": 0o755, "index.html": 0o604, "sub": 0o750 | fs.ModeSetgid, "": 0o700}
			for p, mode := range modes {
				must.Do(t, os.Chmod(filepath.Join(dir, p), mode))
			}
			out := again(t, dir, Options{Sample: sample, InPlace: inPlace}).Output
			maps.Copy(modes, map[string]fs.FileMode{
				"a.js.functions.json": 0o600, "open.js.functions.json": 0o664, "open.js.map": 0o664, "run.js.functions.json": 0o644, "run.js.map": 0o644, "index.html.functions.json": 0o604,
				"fieldprof": 0o700, "fieldprof/runtime.js": 0o600, "fieldprof/manifest.json": 0o600, "fieldprof/profiled": 0o700, "fieldprof/profiled/fieldprof": 0o700,
			})
			for p, want := range modes {
				for _, at := range []string{p, variant(p)} {
					info, err := os.Stat(filepath.Join(out, at))
					if err != nil {
						if at == p && sample == 0 && !strings.HasPrefix(p, "fieldprof/profiled") {
							t.Error(err)
						}
						continue
					}
					if got := info.Mode() & (fs.ModePerm | fs.ModeSetgid); got != want {
						t.Errorf("sample %v, in place %v: %s has %v, want %v", sample, inPlace, at, got, want)
					}
				}
			}
		}
	}
}

// While an output is made, only its owner has access.
func TestOutputInTheMakingIsPrivate(t *testing.T) {
	dir := site{"a.js": loop("a"), "b.txt": "b"}.write(t)
	seen := false
	again(t, dir, Options{Progress: func(done, total Amount) {
		for _, name := range neighbours(t, dir) {
			if info, err := os.Stat(filepath.Join(filepath.Dir(dir), name)); err == nil && strings.HasPrefix(name, ".") {
				seen = true
				if mode := info.Mode().Perm(); mode&0o077 != 0 {
					t.Errorf("%s has %v", name, mode)
				}
			}
		}
	}})
	if !seen {
		t.Error("no output was in the making")
	}
}

// Root leaves everything to whom it belonged, in place; a new file is as its folder.
func TestOwnersAreKept(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	dir := site{"a.js": loop("a"), "b.js": loop("b"), "sub/c.js": loop("c"), "sub/x.txt": "x", "sub/own.txt": "y"}.write(t)
	must.Do(t, os.Symlink("x.txt", filepath.Join(dir, "sub/link.txt")))
	for p, owner := range map[string]int{"": 1001, "a.js": 1002, "b.js": 1001, "sub": 1003, "sub/c.js": 1003, "sub/x.txt": 1003, "sub/link.txt": 1004, "sub/own.txt": 0} {
		must.Do(t, os.Lchown(filepath.Join(dir, p), owner, owner+1))
	}
	must.Do(t, os.Chmod(filepath.Join(dir, "sub"), 0o555|fs.ModeSetgid))
	again(t, dir, Options{InPlace: true})
	for p, want := range map[string]int{
		"": 1001, "a.js": 1002, "a.js.map": 1001, "b.js": 1001, "sub": 1003, "sub/c.js": 1003, "sub/c.js.functions.json": 1003, "sub/x.txt": 1003, "sub/link.txt": 1004, "sub/own.txt": 0,
		"fieldprof": 1001, "fieldprof/runtime.js": 1001,
	} {
		info := must.Get(os.Lstat(filepath.Join(dir, p)))(t)
		if own := info.Sys().(*syscall.Stat_t); int(own.Uid) != want || int(own.Gid) != want+1 {
			t.Errorf("%s belongs to %d:%d, not to %d:%d", p, own.Uid, own.Gid, want, want+1)
		}
	}
	must.Equal(t, must.Get(os.Stat(filepath.Join(dir, "sub")))(t).Mode(), fs.ModeDir|fs.ModeSetgid|0o555)
}
