package engines

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// Programs whose shares are known show all of their functions, and nothing else: each
// program in Node and a browser, all of them everywhere with FIELDPROF_FULL=1. How near the
// shares are to the truth is the bench's to say (`bench bias`): it depends on the machine.
func TestKnownFunctionsShow(t *testing.T) {
	sample := map[string]string{"caller": "chromium", "periodic": "firefox", "native-json": "webkit"}
	eachNamed(t, func(t *testing.T, name string, run runner) {
		for _, program := range fixtures.Exact() {
			where, wanted := sample[program.Name]
			if !wanted || !isFull && name != "node" && name != where {
				continue
			}
			var left []string
			seen := map[string]bool{}
			for try, end := uint64(1), time.Now().Add(must.Hang); time.Now().Before(end); try++ { // a starved thread has few samples
				_, result := perform(t, run, engine.Program{Path: program.Path, Args: shorter(t, program.V8.Args)}, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}, Seed: try})
				if left = unseen(t, program, result.Profile, seen); len(left) == 0 {
					break
				}
			}
			if len(left) > 0 {
				t.Errorf("%s: no samples of %q", program.Name, left)
			}
		}
	})
}

// unseen looks at a profile, notes which functions it shows, and tells which of
// those that take a part of the time no profile has shown.
func unseen(t *testing.T, program fixtures.Program, p *profile.Profile, seen map[string]bool) (left []string) {
	t.Helper()
	if err := p.CheckValid(); err != nil {
		t.Error(err)
	}
	if m := &p.Meta; !m.IdleKnown || m.Clock == "" || m.Start.IsZero() || m.Duration <= 0 || m.Coverage.CheckedFunctions == 0 {
		t.Errorf("%s: %+v", program.Name, m)
	}
	self := truth.SelfTimes(program, profile.Attribute(p, profile.BySite))
	delete(self, profile.NameProgram+" :0") // the page's own start
	t.Logf("%s: %v\n%s", program.Name, self, p.HealthLine())
	for name, time := range self {
		if time > 0 {
			seen[name] = true
		}
	}
	for name, share := range program.Expected {
		if share >= 5 && !seen[name] {
			left = append(left, name)
		}
	}
	return left
}

// shorter makes a quarter of the rounds.
func shorter(t *testing.T, args []string) []string {
	t.Helper()
	scale := must.Get(strconv.ParseFloat(args[0], 64))(t)
	return append([]string{fmt.Sprint(scale / 4)}, args[1:]...)
}
