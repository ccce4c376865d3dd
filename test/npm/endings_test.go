package npm

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Generated endings: an event, its place, and what is beside it. A process that is profiled
// prints what it prints unprofiled, ends in the same way, and leaves a profile. A run has
// each value of a dimension; with FIELDPROF_FULL=1, each event in each place.
func TestGeneratedEndings(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	folder := packages.Install(t, nil, "@fieldprof/runtime")
	must.Write(t, folder, "dist/app.cjs", string(must.Get(os.ReadFile("testdata/endings.cjs"))(t)))
	browser.Instrument(t, builddir.Options{Input: filepath.Join(folder, "dist"), Output: filepath.Join(folder, "profiled"), Selection: transform.Selection{Preset: transform.Precise}})
	lists := must.JSON[[][]string](t, finish(t, exec.Command("node", "testdata/endings.cjs"), (*exec.Cmd).Output))
	alone := []string{"main", "terminated", "alone"} // each run: such a process once did not end
	for _, words := range append(combined(lists), alone) {
		t.Run(strings.Join(words, " "), func(t *testing.T) {
			want := endsAs(t, folder, nil, append([]string{"--import", "data:text/javascript,", "dist/app.cjs"}, words...)...) // Node loads programs otherwise then
			out := filepath.Join(t.TempDir(), "out.cpuprofile")
			got := endsAs(t, folder, []string{"WORK=1", "FIELDPROF_INTERVAL=2", "FIELDPROF_OUTPUT=" + out},
				append([]string{"--import", "@fieldprof/runtime/register", "profiled/app.cjs"}, words...)...)
			if got != want {
				t.Errorf("profiled it ends\n%s\nand otherwise\n%s", got, want)
			}
			if strings.HasSuffix(want, "exit status 7") {
				return // a handler of exceptions has thrown, after which Node runs nothing
			}
			p, err := format.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(view.Flat(p), func(row view.Row) bool { return row.Name == "heavy" && row.Self > 0 }) {
				t.Error("the profile does not show heavy")
			}
		})
	}
}

// combined are combinations of one value of each list: so many that each value has its turn, or
// all pairs of the first two, each with one of the others.
func combined(lists [][]string) (all [][]string) {
	random := rand.New(rand.NewPCG(1, 2))
	most := 0
	for i := range lists {
		random.Shuffle(len(lists[i]), func(a, b int) { lists[i][a], lists[i][b] = lists[i][b], lists[i][a] })
		most = max(most, len(lists[i]))
	}
	round := 1
	if os.Getenv("FIELDPROF_FULL") != "" {
		round = len(lists[0])
		most = round * len(lists[1])
	}
	for n := range most {
		var words []string
		for i, list := range lists {
			at := n
			if i == 1 {
				at = n/round + n%round // each of the first with each
			}
			words = append(words, list[at%len(list)])
		}
		all = append(all, words)
	}
	return all
}

// endsAs is what a process prints, and how it ends.
func endsAs(t *testing.T, folder string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("node", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), env...)
	out := finish(t, cmd, (*exec.Cmd).Output)
	return fmt.Sprintf("%s%v", out, cmd.ProcessState)
}
