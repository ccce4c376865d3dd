//go:build unix

package outfile

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A new file has the permissions that umask leaves, another those of the file that it replaces.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	folder := t.TempDir()
	modeOf := func(name string) fs.FileMode {
		t.Helper()
		return must.Get(os.Stat(filepath.Join(folder, name)))(t).Mode()
	}
	for name, before := range map[string]fs.FileMode{"own": 0o600, "read-only": 0o444, "shared": 0o666} {
		path := filepath.Join(folder, name)
		must.WriteFile(t, path, "old")
		must.Do(t, os.Chmod(path, before))
		must.Do(t, must.Get(Open(path))(t).Complete(text("new")))
		must.Equal(t, modeOf(name), before, name)
	}
	must.Do(t, must.Get(Open(filepath.Join(folder, "new")))(t).Complete(text("new")))
	must.Equal(t, modeOf("new"), fs.FileMode(0o640))
	for _, name := range []string{"shared", "secret"} {
		must.Do(t, WriteSecret(filepath.Join(folder, name), []byte("secret")))
		must.Equal(t, modeOf(name), fs.FileMode(0o600), name)
	}
	must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(folder, "secret")))(t)), "secret")
}

// Pipes and devices are written into, and remain what they are.
func TestPipes(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	must.Do(t, Check(pipe)) // waits for no reader
	read := make(chan string)
	go func() {
		data, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		read <- string(data)
	}()
	f := must.Get(Open(pipe))(t)
	must.Do(t, f.Complete(text("whole")))
	f.Discard()
	must.Equal(t, <-read, "whole")
	if info := must.Get(os.Lstat(pipe))(t); info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("it is %v", info.Mode())
	}
	names := must.Get(filepath.Glob(filepath.Join(folder, "*")))(t)
	must.Equal(t, names, []string{pipe})

	link := filepath.Join(folder, "null")
	must.Do(t, os.Symlink(os.DevNull, link))
	must.Do(t, must.Get(Open(link))(t).Complete(text("nothing")))
	if info := must.Get(os.Stat(link))(t); info.Mode().IsRegular() {
		t.Error("the device is a file now")
	}
}

// A file that is our standard output is written into where that is.
func TestStandardOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := must.Get(os.Create(path))(t)
	defer log.Close()
	defer func(stdout *os.File) { os.Stdout = stdout }(os.Stdout)
	os.Stdout = log
	for _, line := range []string{"first\n", "second\n"} {
		f := must.Get(Open(path))(t)
		must.Do(t, f.Complete(text(line)))
		f.Discard()
	}
	must.Get(io.WriteString(log, "third\n"))(t)
	if got := must.Get(os.ReadFile(path))(t); !bytes.Equal(got, []byte("first\nsecond\nthird\n")) {
		t.Errorf("it has %q", got)
	}
}
