package node

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The lock file names the package of every platform, in one version.
func TestCurrentIsLocked(t *testing.T) {
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile("current/package-lock.json"))(t), &lock))
	versions := map[string]bool{}
	for platform, executable := range executables {
		name := filepath.Dir(filepath.Dir(executable))
		p := lock.Packages["node_modules/"+name]
		if p.Integrity == "" {
			t.Errorf("%s: %s is not locked", platform, name)
		}
		versions[p.Version] = true
	}
	if len(versions) != 1 {
		t.Errorf("the versions differ: %v", versions)
	}
}

// Without npm there is no current Node, and the error says so.
func TestNoCurrent(t *testing.T) {
	if _, err := os.Stat("current/node_modules"); err == nil {
		t.Skip("it is installed")
	}
	t.Setenv("PATH", "")
	if _, err := Current(); !errors.Is(err, ErrNoCurrent) {
		t.Errorf("got %v", err)
	}
}

func TestVersion(t *testing.T) {
	must.Have(t, "node")
	path := must.Get(exec.LookPath("node"))(t)
	if got := Version(path); !version.MatchString(got) {
		t.Errorf("got %q", got)
	}
	if got := Version("no such program"); got != "" {
		t.Errorf("got %q of no program", got)
	}
}
