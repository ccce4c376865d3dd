package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestCompleteOrNotAtAll(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	f := must.Get(Open(path))(t)
	if must.Exists(path) {
		t.Error("it has its name before it is complete")
	}
	must.Do(t, f.Complete(text("one")))
	f.Discard()
	must.Equal(t, must.ReadTree(t, folder), map[string]string{"a.txt": "one"})

	f = must.Get(Open(path))(t)
	trouble := errors.New("the work failed")
	err := f.Complete(func(w io.Writer) error { _, _ = io.WriteString(w, "tw"); return trouble })
	must.Fail(t, err, "writing "+path+": the work failed")
	must.Equal(t, errors.Unwrap(err), trouble)
	must.Get(Open(path))(t).Discard()
	must.Do(t, Check(path))
	must.Do(t, Check(filepath.Join(folder, "b.txt")))
	must.Equal(t, must.ReadTree(t, folder), map[string]string{"a.txt": "one"})

	must.Refuse(Open(folder))(t, "it is a directory; name a file in it")
	must.Refuse(Open(filepath.Join(folder, "none", "x")))(t, "cannot write "+filepath.Join(folder, "none", "x")+": no such file")
	must.Fail(t, Check(filepath.Join(folder, "a.txt", "x")), "cannot write")
}

// Whatever name a file system takes can be written.
func TestLongNames(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{strings.Repeat("x", 255), strings.Repeat("é", 127)} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Skip(err)
		}
		f := must.Get(Open(filepath.Join(folder, name)))(t)
		must.Do(t, f.Complete(text("long")))
	}
	must.Equal(t, must.ReadTree(t, folder), map[string]string{strings.Repeat("x", 255): "long", strings.Repeat("é", 127): "long"})
}

// A file takes the place to which links lead, also if nothing is there yet.
func TestLinksAreFollowed(t *testing.T) {
	folder := t.TempDir()
	must.WriteTree(t, folder, map[string]string{"days/monday.txt": "old", "other/x": ""})
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Skip(err)
		}
	}
	link("days/monday.txt", "latest.txt")
	link("latest.txt", "other.txt")
	link(filepath.Join(folder, "days"), "other/days")
	link("../days/tuesday.txt", "days/next.txt")
	link("circle.txt", "circle.txt")
	for name, is := range map[string]string{"other.txt": "days/monday.txt", "other/days/next.txt": "days/tuesday.txt"} {
		f := must.Get(Open(filepath.Join(folder, name)))(t)
		must.Do(t, f.Complete(text("new")))
		if info := must.Get(os.Lstat(filepath.Join(folder, name)))(t); info.Mode().IsRegular() {
			t.Errorf("%s is no link any more", name)
		}
		must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(folder, is)))(t)), "new", name)
	}
	must.Refuse(Open(filepath.Join(folder, "circle.txt")))(t, "its links lead in a circle")
}

// Files that are open when the process is to end are removed, and none comes after that.
func TestAbandon(t *testing.T) {
	defer func() { opened.ended = false }()
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	f := must.Get(Open(path))(t)
	must.Do(t, must.Get(Open(filepath.Join(folder, "done.txt")))(t).Complete(text("done")))
	err := f.Complete(func(w io.Writer) error {
		Abandon()
		return nil
	})
	if err == nil {
		t.Error("it is complete")
	}
	f.Discard()
	must.Refuse(Open(path))(t, "interrupted")
	left := must.Get(filepath.Glob(filepath.Join(folder, "*")))(t)
	hidden := must.Get(filepath.Glob(filepath.Join(folder, ".*")))(t)
	if len(left) != 1 || len(hidden) > 0 {
		t.Errorf("there are %s", strings.Join(append(left, hidden...), ", "))
	}
}
