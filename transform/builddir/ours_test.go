package builddir

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// again runs into a place once more.
func again(t *testing.T, dir string, options Options) *Report {
	t.Helper()
	options.Input = dir
	return must.Get(Run(context.Background(), options))(t)
}

// Files that others have put into an earlier output stay unchanged; files that we wrote do not stay.
func TestForeignFilesStay(t *testing.T) {
	for _, sample := range []float64{0, 0.1} {
		dir := site{"a.js": loop("a"), "old.js": loop("old"), "sub/b.js": loop("b"), "gone/c.js": loop("c"), "index.html": "<script src=a.js></script>"}.write(t)
		must.Do(t, os.Mkdir(filepath.Join(dir, "ours"), 0o755))
		out := again(t, dir, Options{Sample: sample}).Output
		foreign := site{"CNAME": "example.org", "uploads/1.png": "png", "sub/mine.txt": "mine", "fieldprof/notes.txt": "n", "a.js.gz": "stale", "free.js.gz": "free"}
		for p, text := range foreign {
			name := filepath.Join(out, p)
			must.Do(t, os.MkdirAll(filepath.Dir(name), 0o750))
			must.Do(t, os.WriteFile(name, []byte(text), 0o640))
		}
		for _, make := range []func() error{
			func() error { return os.Mkdir(filepath.Join(out, "empty"), 0o700) },
			func() error { return os.Symlink("CNAME", filepath.Join(out, "linked")) },
			func() error { return os.RemoveAll(filepath.Join(dir, "gone")) },
			func() error { return os.Remove(filepath.Join(dir, "ours")) },
			func() error { return os.Remove(filepath.Join(dir, "old.js")) },
		} {
			must.Do(t, make())
		}
		for range 2 { // they are as foreign the next time
			again(t, dir, Options{Sample: sample})
			files := must.ReadTree(t, out+"/.")
			for p, text := range foreign {
				if p != "a.js.gz" && files[p] != text {
					t.Errorf("%s is %q", p, files[p])
				}
			}
			if files["a.js.gz"] != "" || files["old.js"] != "" || files["gone/c.js"] != "" {
				t.Error("files of ours, or made of them, outlived the run")
			}
			if info, err := os.Stat(filepath.Join(out, "empty")); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("an empty folder: %v, %v", info, err)
			}
			if info, err := os.Stat(filepath.Join(out, "uploads/1.png")); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("a file's mode: %v, %v", info, err)
			}
			if target, _ := os.Readlink(filepath.Join(out, "linked")); target != "CNAME" {
				t.Errorf("a link leads to %q", target)
			}
			for _, p := range []string{"ours", "gone"} {
				if _, err := os.Stat(filepath.Join(out, p)); err == nil {
					t.Errorf("the folder %s was ours", p)
				}
			}
		}
		isBeside(t, dir, "dist", "dist-profiled")
	}
}

// The user hears of what is left out, and nothing is replaced that is not ours.
func TestForeignFilesInTheWay(t *testing.T) {
	dir := site{"a.js": loop("a")}.write(t)
	out := again(t, dir, Options{}).Output
	must.Do(t, os.WriteFile(filepath.Join(out, "a.js.br"), nil, 0o644))
	if report := again(t, dir, Options{}); len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0].String(), "a.js.br was compressed from") && !strings.Contains(report.Warnings[0].String(), "compress that one again") {
		t.Errorf("the warnings are %v", report.Warnings)
	}
	for _, name := range []string{filepath.Join(out, "new.js"), filepath.Join(dir, "new.js")} {
		must.WriteFile(t, name, loop("new"))
	}
	before := must.ReadTree(t, out)
	must.Refuse(Run(context.Background(), Options{Input: dir}))(t, "new.js, which is not ours")
	if after := must.ReadTree(t, out); after["new.js"] != before["new.js"] || len(after) != len(before) {
		t.Error("the output changed")
	}
	// A manifest that says nothing of it makes nothing ours.
	must.WriteFile(t, filepath.Join(out, "fieldprof/manifest.json"), `{"version":1}`)
	must.Refuse(Run(context.Background(), Options{Input: dir}))(t, "does not say which of the files are ours")
}

// A file that comes, changes or goes while the output is made is not lost: nothing is put in
// place.
func TestFilesThatComeDuringTheRun(t *testing.T) {
	for want, change := range map[string]func(dir string) error{
		"late.txt appeared":    func(dir string) error { return os.WriteFile(filepath.Join(dir, "late.txt"), nil, 0o644) },
		"late appeared":        func(dir string) error { return os.Mkdir(filepath.Join(dir, "late"), 0o755) },
		"early.txt changed":    func(dir string) error { return os.WriteFile(filepath.Join(dir, "early.txt"), []byte("more"), 0o644) },
		"early.txt vanished":   func(dir string) error { return os.Remove(filepath.Join(dir, "early.txt")) },
		"sub/late.js appeared": func(dir string) error { return os.WriteFile(filepath.Join(dir, "sub/late.js"), nil, 0o644) },
	} {
		dir := site{"a.js": loop("a"), "early.txt": "early", "sub/x.txt": "x"}.write(t)
		files := 0
		_, err := Run(context.Background(), Options{Input: dir, InPlace: true, Progress: func(done, total Amount) {
			if files++; done == total { // all is copied
				if err := change(dir); err != nil {
					t.Error(err)
				}
			}
		}})
		must.Fail(t, err, want)
		isBeside(t, dir, "dist")
		if text, _ := os.ReadFile(filepath.Join(dir, "a.js")); string(text) != loop("a") {
			t.Errorf("%s: the input changed", want)
		}
		if _, err := os.Stat(filepath.Join(dir, strings.Fields(want)[0])); err != nil && !strings.Contains(want, "vanished") {
			t.Error(err)
		}
	}
	// As well in an earlier output.
	dir := site{"a.js": loop("a")}.write(t)
	out := again(t, dir, Options{}).Output
	c := must.Get(list(out))(t)
	must.Do(t, os.WriteFile(filepath.Join(out, "late"), nil, 0o644))
	must.Fail(t, c.check(out), "late appeared")
}
