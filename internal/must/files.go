package must

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Write writes a file below a folder, and the folders it is in.
func Write(t testing.TB, folder, name, text string) {
	t.Helper()
	WriteFile(t, filepath.Join(folder, filepath.FromSlash(name)), text)
}

// WriteFile writes a file, and the folders it is in.
func WriteFile(t testing.TB, path, text string) {
	t.Helper()
	Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	Do(t, os.WriteFile(path, []byte(text), 0o644))
}

// WriteTree writes files by their paths below a folder.
func WriteTree(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		Write(t, folder, name, text)
	}
}

// ReadTree gives the files below a folder by their paths, with slashes.
func ReadTree(t testing.TB, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	Do(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		files[name] = string(text)
		return err
	}))
	return files
}

// Untar gives the files of a .tar.gz by their names.
func Untar(t testing.TB, archive []byte) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for entries := tar.NewReader(Get(gzip.NewReader(bytes.NewReader(archive)))(t)); ; {
		header, err := entries.Next()
		if err == io.EOF {
			return files
		}
		Do(t, err)
		files[header.Name] = Get(io.ReadAll(entries))(t)
	}
}

// Hold reports files that do not hold what they should, byte by byte, and the command that makes them.
func Hold(t testing.TB, files map[string][]byte, command string) {
	t.Helper()
	for path, want := range files {
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s does not hold what it should (%v): %s", path, err, command)
		}
	}
}

// HoldTree reports the files below a folder that another one does not hold as they are, and the command that makes them.
func HoldTree(t testing.TB, folder, made, command string) {
	t.Helper()
	files := map[string][]byte{}
	for name, text := range ReadTree(t, made) {
		files[filepath.Join(folder, name)] = []byte(text)
	}
	Hold(t, files, command)
}

// Exists reports whether there is a file or folder.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// JSON reads a value.
func JSON[T any](t testing.TB, text []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v: %.500s", err, text)
	}
	return value
}

// Run runs a program in a folder, and gives what it says.
func Run(t testing.TB, folder, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = folder
	out, err := Finish(t, cmd, (*exec.Cmd).CombinedOutput)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Finish runs a command for its output. One that hangs is killed, and fails the test.
func Finish(t testing.TB, cmd *exec.Cmd, output func(*exec.Cmd) ([]byte, error)) ([]byte, error) {
	t.Helper()
	cmd.WaitDelay = time.Minute // in case a child of it still holds its streams
	hung := time.AfterFunc(Hang, func() { _ = cmd.Process.Kill() })
	out, err := output(cmd)
	if !hung.Stop() {
		t.Fatalf("%q hangs, after %s", cmd.Args, out)
	}
	return out, err
}

// Have skips the test, or fails it where CI is set, if a program is missing.
func Have(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skipf("SKIPPED: %v (`make setup` as root installs it)", err)
		}
	}
}

// Processes are the command lines of the processes whose temporary files go below a folder.
// They are looked up in /proc.
func Processes(folder string) (running []string) {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		environ, err := os.ReadFile(path) // empty of a process that has ended
		if err != nil || !bytes.Contains(environ, []byte("TMPDIR="+folder)) {
			continue
		}
		if line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")); len(line) > 0 { // a zombie has none
			running = append(running, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return running
}

// Hang ends a wait for something that never comes. It judges nothing: a busy machine is
// slow.
const Hang = 5 * time.Minute

// Happen waits for something that has no event.
func Happen(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(Hang); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("never: %s", what)
			return
		}
	}
}
