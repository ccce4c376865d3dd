package building

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Each run of a process adds to its usage, and a failure comes with its output.
func TestUsage(t *testing.T) {
	var used usage
	for range 2 {
		must.Do(t, used.run(exec.Command("go", "version")))
	}
	if len(used.walls) != 2 || len(used.cpus) != 2 || used.wall() <= 0 {
		t.Errorf("%+v", used)
	}
	if err := used.run(exec.Command("go", "no-such-command")); err == nil || !strings.Contains(err.Error(), "unknown command") || len(used.walls) != 2 {
		t.Errorf("%v, %+v", err, used)
	}
}

func TestOnProcessors(t *testing.T) {
	t.Setenv("GOMAXPROCS", "7")
	if env := onProcessors(1); !slices.Contains(env, "GOMAXPROCS=1") || slices.Contains(env, "GOMAXPROCS=7") {
		t.Errorf("one: %q", env)
	}
	if env := onProcessors(0); slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, "GOMAXPROCS=") }) {
		t.Errorf("all: %q", env)
	}
}
