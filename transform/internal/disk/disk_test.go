package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// builds gives a function that writes a build's files, by name and contents in turn.
func builds(folder string) func(pairs ...string) error {
	var d Disk
	return func(pairs ...string) error {
		var files []File
		for pair := range slices.Chunk(pairs, 2) {
			files = append(files, File{filepath.Join(folder, filepath.FromSlash(pair[0])), []byte(pair[1])})
		}
		return d.Write(files, folder)
	}
}

// expect compares a folder's files and their contents.
func expect(t *testing.T, folder string, want ...string) {
	t.Helper()
	var got []string
	for name, contents := range must.ReadTree(t, folder) {
		got = append(got, name+": "+contents)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("there is %q, want %q", got, want)
	}
}

func TestBuildsFollowEachOther(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "not-ours.txt"), []byte("keep"), 0o644))
	build := builds(folder)
	for _, err := range []error{
		build("a.js", "1", "b/c.js", "2", "empty.js", ""),
		build("a.js", "3", "d.js", "4", "empty.js", ""),
	} {
		must.Do(t, err)
	}
	expect(t, folder, "a.js: 3", "d.js: 4", "empty.js: ", "not-ours.txt: keep")
}

// A watcher of a file is woken only where it changes: neither files that we wrote nor files
// that were there with the same contents are written again. Files that were changed meanwhile are.
func TestWritesOnlyWhatIsNew(t *testing.T) {
	folder := t.TempDir()
	long := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	age := func(name string) {
		t.Helper()
		must.Do(t, os.Chtimes(filepath.Join(folder, name), long, long))
	}
	for name, contents := range map[string]string{"before.js": "same", "other.js": "else"} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(contents), 0o644))
		age(name)
	}
	build := builds(folder)
	all := []string{"before.js", "same", "ours.js", "x", "other.js", "mine"}
	must.Do(t, build(all...))
	modified := func(name string) time.Time {
		info := must.Get(os.Stat(filepath.Join(folder, name)))(t)
		return info.ModTime()
	}
	if !modified("before.js").Equal(long) || modified("other.js").Equal(long) {
		t.Error("it does not go by contents")
	}
	age("ours.js") // as if touched: contents decide
	if err := build(all...); err != nil || !modified("ours.js").Equal(long) {
		t.Errorf("what had not changed was written (%v)", err)
	}
	must.Do(t, os.WriteFile(filepath.Join(folder, "ours.js"), []byte("y"), 0o644))
	must.Do(t, build(all...))
	expect(t, folder, "before.js: same", "other.js: mine", "ours.js: x")
}

// A file that cannot be written is named, and nothing half-written stays, however many
// files there are.
func TestWhatCannotBeWritten(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(folder, "b.js", "in the way"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o644))
	build := builds(folder)
	if err := build("a.js", "1", "b.js", "2", "c.js", "3"); err == nil || !strings.HasPrefix(err.Error(), "cannot write b.js: ") {
		t.Errorf("%v", err)
	}
	expect(t, folder, "a.js: 1", "file: ")
	err := build("a.js", "2", "file/d.js", "4")
	if err == nil || !strings.HasPrefix(err.Error(), "cannot write file/d.js: ") || strings.Contains(err.Error(), folder) {
		t.Errorf("%v", err)
	}
	expect(t, folder, "a.js: 1", "file: ") // none takes its name before all are written
	must.Do(t, build("a.js", "5"))
	expect(t, folder, "a.js: 5", "file: ")
}

func TestProgramsCanBeRun(t *testing.T) {
	folder := t.TempDir()
	build := builds(folder)
	must.Do(t, build("run.js", "#!/usr/bin/env node\n1", "read.js", "1"))
	for name, runs := range map[string]bool{"run.js": true, "read.js": false} {
		info := must.Get(os.Stat(filepath.Join(folder, name)))(t)
		if info.Mode()&0o100 != 0 != runs {
			t.Errorf("%s: %v", name, info.Mode())
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	must.Do(t, os.Chmod(filepath.Join(folder, "read.js"), 0o710))
	must.Do(t, build("read.js", "2"))
	if info := must.Get(os.Stat(filepath.Join(folder, "read.js")))(t); info.Mode().Perm() != 0o710 {
		t.Errorf("written again it is %v", info.Mode())
	}
}
