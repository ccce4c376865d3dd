package plugins

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// example is a project of npm/examples.
type example struct {
	name string
	// options are those that its plugin has, by itself or by its configuration.
	options builddir.Options
	// command runs it in Node, with "dist" where the folder goes; page shows it in a
	// browser, below the folder that is served, whose dist is the output.
	command []string
	page    string
	// places are functions that profiles must show, in the sources.
	places []string
	// profile is the expression that profiles the page; clicks, unless told.
	profile string
}

var examples = []example{
	{name: "esbuild-react", options: builddir.Options{Embed: []string{"/app.js"}}, page: "index.html", places: []string{"src/path.ts:2"}},
	{name: "vite-vue", page: "dist/index.html", places: []string{"src/sort.ts:12"}},
	{name: "webpack-app", page: "dist/index.html", places: []string{"src/queens.js:2"}},
	{name: "rspack-app", page: "dist/index.html", places: []string{"src/queens.js:2"}},
	{name: "worker", options: builddir.Options{Embed: []string{"/app.js", "/worker.js"}}, page: "index.html", places: []string{"src/permutations.ts:1"}, profile: askWorker},
	{name: "rollup-library", command: []string{"use.mjs", "dist"}, places: []string{"src/stem.js:6", "src/words.js:1"}},
	{name: "rolldown-program", command: []string{"dist/main.js"}, places: []string{"src/life.ts:24"}},
	{name: "node-server", command: []string{"dist/server.cjs", "--once"}, places: []string{"src/primes.ts:13"}},
	{name: "splitting-library", options: builddir.Options{Selection: transform.Selection{Preset: transform.Fine}}, command: []string{"use.mjs", "dist"}, places: []string{"src/parse.ts:11", "src/reader.ts:7"}},
}

func examplesBehave(t *testing.T, w workshop) {
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			folder := w.example(t, e.name, e.name)
			must.Run(t, w.folder, "node", "example.mjs", e.name)
			e.isAsInstrumented(t, folder)
			first := must.ReadTree(t, filepath.Join(folder, "dist-profiled"))
			must.Run(t, w.folder, "node", "example.mjs", e.name)
			compare(t, "the second build", first, must.ReadTree(t, filepath.Join(folder, "dist-profiled")))
			if e.page != "" {
				e.behavesInPages(t, w, folder)
			} else {
				e.behavesInNode(t, w, folder)
			}
		})
	}
}

// worksWithoutProgram: where npm has left out the platform's package, as with
// --omit=optional, WebAssembly takes its place and gives the same bytes.
func worksWithoutProgram(t *testing.T, w workshop) {
	names := []string{"esbuild-react", "rollup-library"}
	build := func(name string) map[string]string {
		folder := "without-" + name
		must.Do(t, os.RemoveAll(filepath.Join(w.folder, folder)))
		w.example(t, name, folder)
		must.Run(t, w.folder, "node", "example.mjs", folder)
		return must.ReadTree(t, filepath.Join(w.folder, folder, "dist-profiled"))
	}
	var want []map[string]string
	for _, name := range names {
		want = append(want, build(name))
	}
	programs, _ := filepath.Glob(filepath.Join(w.folder, "node_modules/@fieldprof/*-*64"))
	if len(programs) != 1 {
		t.Fatalf("not the one program of this platform: %q", programs)
	}
	must.Do(t, os.Rename(programs[0], filepath.Join(w.folder, "program")))
	for i, name := range names {
		compare(t, name, want[i], build(name))
	}
}

// isAsInstrumented compares the profiled output with what `instrument dist/` makes
// of the clean one.
func (e *example) isAsInstrumented(t *testing.T, folder string) {
	t.Helper()
	options := e.options
	options.Input = filepath.Join(folder, "dist")
	compare(t, "dist-profiled", must.ReadTree(t, browser.Instrument(t, options)), must.ReadTree(t, filepath.Join(folder, "dist-profiled")))
}

func compare(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	for p := range want {
		if got[p] != want[p] {
			t.Errorf("%s: %s differs (%d bytes, want %d)", what, p, len(got[p]), len(want[p]))
		}
	}
	for p := range got {
		if _, there := want[p]; !there {
			t.Errorf("%s has %s, too", what, p)
		}
	}
}

// frame is a function in a deployed file, from 1.
type frame struct {
	URL    string
	Line   int
	Column int
}

// lead checks that profiles lead to the places the example names: on a busy machine
// the first one may have few samples. Without file they are of the sources already.
func (e *example) lead(t *testing.T, w workshop, profile func() []frame, file func(url string) string) {
	t.Helper()
	var found []string
	for end := time.Now().Add(must.Hang); time.Now().Before(end); {
		found = append(found, sources(t, w, profile(), file)...)
		if !slices.ContainsFunc(e.places, func(place string) bool { return !shows(found, place) }) {
			return
		}
	}
	t.Errorf("no function of the profiles comes from some of %q, only from %q", e.places, found)
}

func shows(found []string, place string) bool {
	return slices.ContainsFunc(found, func(f string) bool { return f == place || strings.HasSuffix(f, "/"+place) })
}

// sources are the places in the sources to which frames lead.
func sources(t *testing.T, w workshop, frames []frame, file func(url string) string) (found []string) {
	t.Helper()
	asked := [][3]any{}
	for _, f := range frames {
		if file == nil {
			found = append(found, fmt.Sprintf("%s:%d", f.URL, f.Line))
		} else if p := file(f.URL); p != "" && f.Line > 0 && !strings.Contains(p, "/fieldprof/") {
			asked = append(asked, [3]any{p, f.Line, max(f.Column, 1)})
		}
	}
	if len(asked) == 0 {
		return found
	}
	input := must.Get(json.Marshal(asked))(t)
	cmd := exec.CommandContext(t.Context(), "node", "positions.mjs")
	cmd.Dir = w.folder
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	out := must.Get(cmd.Output())(t)
	must.Do(t, json.Unmarshal(out, &found))
	return found
}

// behavesInNode: a program prints what the clean one prints, and can be recorded.
func (e *example) behavesInNode(t *testing.T, w workshop, folder string) {
	run := func(variant string, flags ...string) string {
		t.Helper()
		args := slices.Clone(flags)
		for _, arg := range e.command {
			args = append(args, strings.Replace(arg, "dist", variant, 1))
		}
		cmd := exec.CommandContext(t.Context(), "node", args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "FIELDPROF_OUTPUT="+filepath.Join(folder, "node.cpuprofile"), "FIELDPROF_INTERVAL=1")
		var errors bytes.Buffer
		cmd.Stderr = &errors
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", variant, err, &errors)
		}
		return string(out)
	}
	want := run("dist")
	if got := run("dist-profiled"); want == "" || got != want {
		t.Errorf("it says %q, and without checks %q", got, want)
	}
	record := func() []frame {
		if got := run("dist-profiled", "--import", "@fieldprof/runtime/register"); got != want {
			t.Errorf("recorded it says %q, and without checks %q", got, want)
		}
		return recorded(t, filepath.Join(folder, "node.cpuprofile"))
	}
	e.lead(t, w, record, nil)
}

// recorded are the functions of a profile that Node has written.
func recorded(t *testing.T, file string) []frame {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	var profile struct {
		Nodes []struct {
			CallFrame struct {
				URL                      string
				LineNumber, ColumnNumber int
			}
		}
	}
	must.Do(t, json.Unmarshal(text, &profile))
	if _, err := cpuprofile.Read(bytes.NewReader(text)); err != nil {
		t.Error(err)
	}
	var frames []frame
	for _, n := range profile.Nodes {
		frames = append(frames, frame{n.CallFrame.URL, n.CallFrame.LineNumber + 1, n.CallFrame.ColumnNumber + 1})
	}
	return frames
}

// visit sees what the page shows, before and after it has worked.
const visit = `(async () => {
	const result = () => document.querySelector('#result')?.textContent;
	const until = async (done) => { while (!done()) await new Promise((next) => setTimeout(next, 10)); };
	await until(result);
	const first = result();
	document.querySelector('#work').click();
	await until(() => result() !== first);
	return [first, result(), document.documentElement.dataset.early];
})()`

// frames returns the frames of a trace.
const frames = `(trace) => trace.frames.filter((frame) => frame.resourceId !== undefined).map((frame) => ({ url: trace.resources[frame.resourceId], line: frame.line, column: frame.column }))`

// clicking profiles the page at work.
const clicking = `(async () => {
	const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 10000 });
	for (const end = Date.now() + 700; Date.now() < end; ) {
		document.querySelector('#work').click();
		await new Promise((next) => setTimeout(next, 5));
	}
	return (` + frames + `)(await profiler.stop());
})()`

// askWorker has a worker profile itself.
const askWorker = `new Promise((done, failed) => {
	const worker = new Worker('dist/worker.js', { type: 'module' });
	worker.onerror = (event) => failed(new Error(event.message));
	worker.onmessage = ({ data }) => done((` + frames + `)(data));
	worker.postMessage('profile');
})`

// behavesInPages: a page shows what the clean one shows, and can be profiled.
func (e *example) behavesInPages(t *testing.T, w workshop, folder string) {
	clean := browser.Serve(t, browser.Site{Files: e.site(t, folder, "dist")})
	profiled := browser.Serve(t, browser.Site{Files: e.site(t, folder, "dist-profiled")})
	profile := e.profile
	if profile == "" {
		profile = clicking
	}
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		want := string(b.Open(clean.URL + "/" + e.page).Eval(visit))
		page := b.Open(profiled.URL + "/" + e.page)
		if got := string(page.Eval(visit)); got != want || !strings.Contains(want, `","`) {
			t.Errorf("it shows %s, and without checks %s", got, want)
		}
		record := func() (found []frame) {
			must.Do(t, json.Unmarshal(page.Eval(profile), &found))
			return found
		}
		e.lead(t, w, record, func(u string) string {
			rest, ours := strings.CutPrefix(u, profiled.URL+"/")
			if !ours || !strings.Contains(rest, ".js") {
				return ""
			}
			return filepath.Join(folder, "dist-profiled", strings.TrimPrefix(rest, "dist/"))
		})
		page.Quiet()
	})
}

// site serves the project's page, where it has one, with one of its outputs as dist.
func (e *example) site(t *testing.T, folder, variant string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for p, text := range must.ReadTree(t, filepath.Join(folder, variant)) {
		files[path.Join("dist", p)] = &fstest.MapFile{Data: []byte(text)}
		if e.page != "index.html" {
			files[p] = files[path.Join("dist", p)] // pages of Vite name files from the root
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, e.page)); err == nil && e.page == "index.html" {
		files[e.page] = &fstest.MapFile{Data: text}
	}
	return files
}
