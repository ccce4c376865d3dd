// Package packages gives tests the npm packages as users have them: packed for this
// machine's platform, and installed into folders of their own. They are built once a
// process or, where FIELDPROF_PACKAGES names the folder in which they are, before.
//
//	func TestMain(m *testing.M) { packages.Main(m) }
//
//	func TestIt(t *testing.T) {
//		folder := packages.Install(t, nil, "fieldprof", packages.Platform)
//
// Without npm tests are skipped, loudly; where CI is set they fail.
package packages

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/internal/release"
)

// Platform is the package with this machine's program.
var Platform = "@fieldprof/" + Here()

// Here is this machine as process.platform and process.arch call it.
func Here() string {
	words := strings.NewReplacer("windows", "win32", "amd64", "x64")
	return words.Replace(runtime.GOOS + "-" + runtime.GOARCH)
}

// Top is the top of the repository.
func Top() string { return filepath.Join(fixtures.Dir(), "..") }

// built is the folder with the packages of this process.
var built struct {
	once   sync.Once
	folder string
	err    error
}

// Main runs the tests and takes the packages away, after everything else that is to end.
// Under -short, where CI looks for races, they have nothing to show: it
// is all in other processes.
func Main(m *testing.M, ends ...func()) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("short: left out, it runs in Node")
		return
	}
	code := m.Run()
	for _, end := range ends {
		end()
	}
	os.RemoveAll(built.folder)
	for _, folder := range installed.folders {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// Build builds the packages, if no test has, and gives their folder: see
// npm/README.md.
func Build(t *testing.T) string {
	t.Helper()
	must.Have(t, "node", "npm")
	fixtures.EnsureIn(t, filepath.Join(Top(), "test/lint"))
	if folder := os.Getenv("FIELDPROF_PACKAGES"); folder != "" {
		return folder
	}
	built.once.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "fieldprof-packages-"); built.err == nil {
			built.err = build(built.folder)
		}
	})
	must.Do(t, built.err)
	return built.folder
}

func build(folder string) error {
	cmd := exec.Command("go", "run", "./npm/build", "-platforms", "host", "-out", folder)
	cmd.Dir = Top()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the npm packages: %w\n%s", err, out)
	}
	return nil
}

// Tarball is the path of a package.
func Tarball(t *testing.T, name string) string {
	t.Helper()
	file := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + release.Version + ".tgz"
	return filepath.Join(Build(t), file)
}

// installed are the projects that npm made in this process, by what was asked of it.
var installed = struct {
	sync.Mutex
	folders map[string]string
}{folders: map[string]string{}}

// Install installs packages into a fresh project, with more flags for npm. Nothing comes
// from a registry. Each request is made once, since it takes npm seconds, and its result copied.
func Install(t *testing.T, flags []string, names ...string) (folder string) {
	t.Helper()
	args := append([]string{"install", "--silent", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"}, flags...)
	for _, name := range names {
		args = append(args, Tarball(t, name))
	}
	installed.Lock()
	defer installed.Unlock()
	request := strings.Join(args, "\n")
	if installed.folders[request] == "" {
		made := must.Get(os.MkdirTemp("", "fieldprof-installed-"))(t)
		must.Write(t, made, "package.json", `{"private": true}`)
		must.Run(t, made, "npm", args...)
		installed.folders[request] = made
	}
	folder = t.TempDir()
	must.Do(t, os.CopyFS(folder, os.DirFS(installed.folders[request])))
	return folder
}
