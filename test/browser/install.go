package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
)

// program is something a browser needs, and where it may be: names on the PATH
// or patterns of paths.
type program struct {
	name   string // in the driver
	places []string
}

// programs lists what .ci/setup installs.
var programs = map[string][]program{
	"chromium": {{"chromium", []string{"chromium", "chromium-browser", "google-chrome"}}},
	"firefox":  {{"firefox", []string{"firefox-esr", "firefox"}}},
	"webkit": {
		{"webdriver", []string{"WebKitWebDriver"}},
		{"xvfb", []string{"Xvfb"}},
		{"minibrowser", []string{"/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser"}},
	},
}

// need gives the programs of a browser by name, having installed the driver's
// packages, or skips the test; where CI is set it fails it.
func need(t *testing.T, browser string) map[string]string {
	t.Helper()
	found, err := findPrograms(browser)
	switch {
	case err == nil:
		return found
	case os.Getenv("CI") == "" && !errors.Is(err, errBroken):
		t.Skipf("SKIPPED: %v", err)
	default:
		t.Fatal(err)
	}
	return nil
}

// findPrograms gives the programs of a browser by name, having installed the
// driver's packages.
func findPrograms(browser string) (map[string]string, error) {
	found := map[string]string{}
	err := installDriver()
	for _, p := range programs[browser] {
		if found[p.name] = p.find(); found[p.name] == "" {
			err = fmt.Errorf("%s is missing: there is none of %s (run `make setup` as root)", browser, strings.Join(p.places, ", "))
		}
	}
	return found, err
}

func (p program) find() string {
	for _, place := range p.places {
		if filepath.IsAbs(place) {
			if paths, _ := filepath.Glob(place); len(paths) > 0 {
				return paths[len(paths)-1] // the newest
			}
		} else if path, err := exec.LookPath(place); err == nil {
			return path
		}
	}
	return ""
}

// errBroken marks what no missing program explains.
var errBroken = errors.New("the packages of the driver could not be installed")

var installDriver = sync.OnceValue(func() error {
	if _, err := exec.LookPath("node"); err != nil {
		return errors.New("node is missing, which drives the browsers")
	}
	err := fixtures.InstallIn(driverFolder())
	if err != nil && !errors.Is(err, fixtures.ErrNoNPM) {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	return err
})

// driverFolder holds the driver, beside this file.
func driverFolder() string { return filepath.Join(fixtures.Dir(), "../test/browser/driver") }
