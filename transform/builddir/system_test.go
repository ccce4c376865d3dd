//go:build linux

package builddir

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestTreeWithOtherThanFiles(t *testing.T) {
	fifo := site{"a.js": loop("a")}.write(t)
	must.Do(t, syscall.Mkfifo(filepath.Join(fifo, "pipe.js"), 0o644))
	fails(t, fifo, Options{}, "pipe.js is neither a file nor a directory")
	fails(t, fifo, Options{InPlace: true}, "pipe.js is neither a file nor a directory")

	dir, err := os.MkdirTemp("", "s") // the path of a socket must be short
	must.Do(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "dist")
	must.Do(t, os.Mkdir(socket, 0o755))
	listener := must.Get(net.Listen("unix", filepath.Join(socket, "s")))(t)
	defer listener.Close()
	fails(t, socket, Options{}, "s is neither a file nor a directory")
}

// runVariable asks a copy of this test to instrument a directory, as the user it
// runs as.
const runVariable = "FIELDPROF_TEST_RUN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(runVariable); dir != "" {
		o := Options{Input: dir, InPlace: os.Getenv("IN_PLACE") != ""}
		if os.Getenv("SAMPLE") != "" {
			o.Sample = 0.1
		}
		if os.Getenv("PAUSE") != "" {
			o.Progress = func(done, total Amount) {
				fmt.Println("paused")
				io.Copy(io.Discard, os.Stdin) // until it is closed
			}
		}
		if _, err := Run(context.Background(), o); err != nil {
			fmt.Print(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// nobody is a user to whom permissions apply, which they do not to root.
type nobody struct {
	program string
	dir     string // where they may write
}

func newNobody(t *testing.T) *nobody {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "nobody"))(t)
	t.Cleanup(func() { removeAll(dir) })
	n := &nobody{filepath.Join(dir, "run"), dir}
	if os.Getuid() == 0 {
		must.Do(t, os.Chown(dir, 65534, 65534))
	}
	must.Do(t, os.WriteFile(n.program, must.Get(os.ReadFile(os.Args[0]))(t), 0o755))
	return n
}

// site writes a tree that belongs to the user.
func (n *nobody) site(t *testing.T, name string, s site) string {
	t.Helper()
	dir := filepath.Join(n.dir, name, "dist")
	must.Do(t, os.MkdirAll(filepath.Dir(dir), 0o755))
	must.Do(t, os.Rename(s.write(t), dir))
	if os.Getuid() == 0 {
		filepath.WalkDir(filepath.Dir(dir), func(name string, _ os.DirEntry, err error) error {
			return os.Lchown(name, 65534, 65534)
		})
	}
	return dir
}

// run instruments as them, and gives the error.
func (n *nobody) run(t *testing.T, dir string, inPlace bool, variables ...string) string {
	t.Helper()
	cmd := exec.Command(n.program)
	cmd.Env = append(variables, runVariable+"="+dir)
	cmd.Dir = n.dir
	if inPlace {
		cmd.Env = append(cmd.Env, "IN_PLACE=1")
	}
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return string(must.Get(cmd.CombinedOutput())(t))
}

// leavesNothing reports what a run has left next to a directory.
func leavesNothing(t *testing.T, dir string) {
	t.Helper()
	for _, name := range neighbours(t, dir) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("%s is left behind", name)
		}
	}
}

func TestTreeThatForbidsReading(t *testing.T) {
	must.NotForRaces(t)
	n := newNobody(t)
	for i, p := range []string{"secret.js", "secret.html", "secret.txt", "folder"} {
		for _, inPlace := range []bool{false, true} {
			dir := n.site(t, fmt.Sprint(i, inPlace), site{"a.js": loop("a"), "secret.js": loop("s"), "secret.html": "<p>", "secret.txt": "s", "folder/x": ""})
			must.Do(t, os.Chmod(filepath.Join(dir, p), 0))
			if said := n.run(t, dir, inPlace); !strings.Contains(said, p+": permission denied") {
				t.Errorf("%s: the error is %q", p, said)
			}
			isBeside(t, dir, "dist")
		}
	}
}

func TestTreeThatForbidsWriting(t *testing.T) {
	must.NotForRaces(t)
	n := newNobody(t)
	for _, inPlace := range []bool{false, true} {
		dir := n.site(t, fmt.Sprint(inPlace), site{"a.js": loop("a"), "folder/b.js": loop("b"), "folder/deep/c.txt": "c"})
		for _, p := range []string{"a.js", "folder/b.js", "folder/deep/c.txt"} {
			must.Do(t, os.Chmod(filepath.Join(dir, p), 0o444))
		}
		for _, p := range []string{"folder/deep", "folder", ""} {
			must.Do(t, os.Chmod(filepath.Join(dir, p), 0o555))
		}
		if said := n.run(t, dir, inPlace); said != "" {
			t.Fatalf("in place %v: %s", inPlace, said)
		}
		out := dir
		if !inPlace {
			out += "-profiled"
		}
		for p, want := range map[string]os.FileMode{"": 0o555, "folder": 0o555, "folder/deep": 0o555, "folder/b.js": 0o444, "folder/deep/c.txt": 0o444} {
			if info, err := os.Stat(filepath.Join(out, p)); err != nil || info.Mode().Perm() != want {
				t.Errorf("in place %v: %s: %v, %v; want %v", inPlace, p, info.Mode(), err, want)
			}
		}
		leavesNothing(t, dir)
	}
	// A parent that forbids it stops the work before it begins.
	dir := n.site(t, "parent", site{"a.js": loop("a")})
	must.Do(t, os.Chmod(filepath.Dir(dir), 0o555))
	for _, inPlace := range []bool{false, true} {
		if said := n.run(t, dir, inPlace); !strings.Contains(said, "cannot write in") {
			t.Errorf("in place %v: the error is %q", inPlace, said)
		}
	}
}

func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("SKIPPED: no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { must.Do(t, syscall.Unmount(disk, 0)) })
	in := site{"a.js": loop("a"), "index.html": "<script src=a.js></script>"}
	for i := range 10 {
		in[fmt.Sprintf("b%d.js", i)] = strings.Repeat(loop("b"), 800)
		in[fmt.Sprintf("c%d.bin", i)] = strings.Repeat("x", 50_000)
	}
	dir := filepath.Join(disk, "dist")
	must.Do(t, os.CopyFS(dir, os.DirFS(in.write(t))))
	for _, options := range []Options{{}, {InPlace: true}, {Sample: 0.1}} {
		fails(t, dir, options, "no space left on device")
	}
}
