//go:build linux

package builddir

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// paused is a run that has come half way, in a process of its own.
func paused(t *testing.T, dir string) (cmd *exec.Cmd, goOn io.Closer) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = []string{runVariable + "=" + dir, "PAUSE=1"}
	stdin := must.Get(cmd.StdinPipe())(t)
	stdout := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	if said, err := bufio.NewReader(stdout).ReadString('\n'); said != "paused\n" {
		t.Fatalf("%q, %v", said, err)
	}
	return cmd, stdin
}

// The next run removes what a killed one left; a live run is left alone.
func TestKilledRunsAreSwept(t *testing.T) {
	dir := site{"a.js": loop("a")}.write(t)
	live, goOn := paused(t, dir)
	theirs := neighbours(t, dir)
	killed, _ := paused(t, dir)
	must.Do(t, killed.Process.Kill())
	killed.Wait()
	if got := neighbours(t, dir); len(got) != len(theirs)+2 {
		t.Fatalf("a killed run leaves %q", got)
	}
	again(t, dir, Options{})
	if got, want := neighbours(t, dir), append(slices.Clone(theirs), "dist-profiled"); !slices.Equal(got, want) {
		t.Errorf("beside the tree stand %q, want %q", got, want)
	}
	goOn.Close()
	if err := live.Wait(); err != nil {
		t.Error(err)
	}
	isBeside(t, dir, "dist", "dist-profiled")
}

// A folder stays if it is not surely ours, or may be the only copy of something.
func TestWhatIsNotSurelyOursStays(t *testing.T) {
	host, _ := os.Hostname()
	ours := claimed{Fieldprof: claimText, Folder: ".dist-profiled.1", Host: host, PID: 1}
	text := func(change func(c *claimed)) string {
		c := ours
		change(&c)
		data, _ := json.Marshal(&c)
		return string(data)
	}
	for name, claim := range map[string]string{
		"another host's": text(func(c *claimed) { c.Host = "elsewhere" }), "no host's": text(func(c *claimed) { c.Host = "" }), "another folder's": text(func(c *claimed) { c.Folder = "x" }),
		"another program's": text(func(c *claimed) { c.Fieldprof = "" }), "placing": text(func(c *claimed) { c.Placing = true }), "empty": "", "odd": "[]", "large": strings.Repeat(" ", maxClaim) + text(func(*claimed) {}),
	} {
		dir := site{"a.js": loop("a")}.write(t)
		beside := filepath.Join(filepath.Dir(dir), ".dist-profiled.1")
		must.Do(t, os.Mkdir(beside, 0o755))
		for p, text := range map[string]string{beside + "/x": "x", beside + claimSuffix: claim} {
			must.WriteFile(t, p, text)
		}
		before := readRegular(t, beside)
		report := again(t, dir, Options{})
		must.Match(t, name, readRegular(t, beside), before)
		if said := len(report.Warnings) > 0; said != (name == "placing") {
			t.Errorf("%s: the warnings are %v", name, report.Warnings)
		}
		must.WriteFile(t, beside+claimSuffix, text(func(*claimed) {}))
		again(t, dir, Options{})
		isBeside(t, dir, "dist", "dist-profiled")
	}
}

// Any file that is written twice may be read-only, for a user who is not root.
func TestReadOnlyTreesWithDigests(t *testing.T) {
	must.NotForRaces(t)
	n := newNobody(t)
	chunk := loop("chunk")
	files := site{
		"chunk.js": chunk, "chunk.js.gz": "old", "chunk.js.br": "old", "app.js": `var integrity="` + sha384(chunk) + `";` + loop("app") + "//# sourceMappingURL=app.js.map",
		"app.js.map": `{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}`, "index.html": `<script src=app.js></script><link rel=modulepreload href=chunk.js integrity=` + sha384(chunk) + `>`,
		"manifest.json": `{"chunk.js":{"integrity":"` + sha384(chunk) + `"}}`, "sub/sw.js": loop("sw"),
	}
	for name, variables := range map[string][]string{"beside": nil, "in place": {"IN_PLACE=1"}, "sampled": {"SAMPLE=1"}} {
		dir := n.site(t, name, files)
		filepath.WalkDir(dir, func(p string, entry os.DirEntry, err error) error {
			if entry.IsDir() {
				return os.Chmod(p, 0o755)
			}
			return os.Chmod(p, 0o444)
		})
		for _, p := range []string{dir, filepath.Join(dir, "sub")} {
			must.Do(t, os.Chmod(p, 0o555))
		}
		for range 2 { // the second time over the first, which is read-only too
			if said := n.run(t, dir, false, variables...); said != "" {
				t.Errorf("%s: %s", name, said)
			}
			if name == "in place" {
				break
			}
		}
		leavesNothing(t, dir)
	}
}
