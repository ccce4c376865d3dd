package deploy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

// block gives the text of a block of docs/deploying.md, by the name above it.
func block(t *testing.T, name string) string {
	t.Helper()
	page := must.Get(os.ReadFile("../../docs/deploying.md"))(t)
	found := regexp.MustCompile("(?s)<!-- file: "+regexp.QuoteMeta(name)+" -->\n```[a-z]+\n(.*?)```\n").FindAllSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("docs/deploying.md has %d blocks named %s", len(found), name)
	}
	return string(found[0][1])
}

// Every block that has a name is one that a test runs.
func TestBlocks(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/deploying.md"))(t)
	names := ""
	for _, found := range regexp.MustCompile(`<!-- file: (\S+) -->`).FindAllSubmatch(page, -1) {
		names += " " + string(found[1])
	}
	if names != " publish-static.sh fieldprof.conf server.mjs publish-worker.sh fieldprof-worker.js snippet.html release.sh" {
		t.Errorf("docs/deploying.md has the blocks%s: test the new one", names)
	}
}

// replaced puts a test's value in the place of an example's, which must be
// there once.
func replaced(t *testing.T, text, example, value string) string {
	t.Helper()
	if n := strings.Count(text, example); n != 1 {
		t.Fatalf("%q stands %d times in the block", example, n)
	}
	return strings.Replace(text, example, value, 1)
}

// need finds a program, or skips the test; where CI is set it fails it.
func need(t *testing.T, name string, elsewhere ...string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, path := range elsewhere {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing", name)
	}
	t.Skipf("SKIPPED: %s is missing (run `make setup` as root)", name)
	return ""
}

// isMap reports whether a file is a source map, compressed or not.
func isMap(name string) bool { return regexp.MustCompile(`\.map(\.|$)`).MatchString(name) }

// application writes the application to dist in a new folder, as a bundler
// would, and gives that. Each script has a map.
func application(t *testing.T, change func(name, text string) string) string {
	t.Helper()
	s := site{}
	for p, text := range must.ReadTree(t, "testdata/app") {
		if strings.HasSuffix(p, "js") {
			base := filepath.Base(p)
			text += "//# sourceMappingURL=" + base + ".map\n"
			s[p+".map"] = `{"version":3,"sources":["../src/` + base + `"],"names":[],"mappings":"AAAA"}`
			for _, sibling := range []string{".gz", ".br", ".zst"} {
				s[p+".map"+sibling] = "compressed"
			}
		}
		if change != nil {
			text = change(p, text)
		}
		s[p] = text
	}
	return filepath.Dir(s.write(t))
}

// command gives the folder that has the command, built once.
var command = sync.OnceValues(func() (string, error) {
	// The build cache keeps what is built; only the link is ours, in a folder
	// that the next run takes over.
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("fieldprof-deploy-%d", os.Getuid()))
	build := exec.Command("go", "build", "-o", folder+"/", "../../cmd/instrument")
	build.Stderr = os.Stderr
	return folder, build.Run()
})

// shell runs a script of the page in a folder, as sh does, with our command
// first on the PATH.
func shell(t *testing.T, folder, script string, environment ...string) {
	t.Helper()
	bin := must.Get(command())(t)
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = folder
	cmd.Env = append(append(os.Environ(), environment...), "PATH="+bin+":"+filepath.Join(folder, "bin")+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// state is what the tests ask of an open page of the application.
type state struct {
	result   string
	checked  string // the scripts whose checks were seen
	isolated bool
}

// arm sets the flag at each check and gives the scripts that captured.
const arm = `(() => {
	const checks = globalThis.__fieldprof, seen = new Set();
	if (checks) {
		checks.recorder = () => {
			const name = /assets\/([\w-]+)/.exec(new Error().stack);
			if (name) seen.add(name[1]);
			checks.flag[0] = 1;
		};
		checks.flag[0] = 1;
	}
	work();
	if (checks) checks.recorder = null;
	return [...seen].sort().join(' ');
})()`

func look(t *testing.T, p *browser.Page) state {
	t.Helper()
	return state{
		result:   string(p.Wait("document.readyState === 'complete' && window.result")),
		checked:  must.JSON[string](t, p.Eval(arm)),
		isolated: string(p.Eval("self.crossOriginIsolated === true")) == "true",
	}
}

// visit leads a page of the application to another.
func visit(p *browser.Page, path string) {
	p.Eval("setTimeout(() => location.assign('" + path + "')) && delete window.result")
}

// want is what a page of one of the two sites is like.
func want(original state, profiled, isolated bool) state {
	w := state{result: original.result}
	if profiled {
		w.checked = "shared-5e6f vendor-1a2b"
		w.isolated = isolated
	}
	return w
}

func expect(t *testing.T, what string, p *browser.Page, want state) {
	t.Helper()
	if got := look(t, p); got != want {
		t.Errorf("%s: %+v\nwant %+v", what, got, want)
	}
}

// original is what the application does, served by itself.
func original(t *testing.T, b *browser.Browser) state {
	t.Helper()
	server := browser.Serve(t, browser.Site{Files: os.DirFS("testdata/app")})
	return look(t, b.Open(server.URL+"/index.html"))
}

// throughBothSites goes through the pages of both sites of a server that chooses
// by the cookie, in one session.
func throughBothSites(t *testing.T, address string) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		original := original(t, b)
		p := b.Open(address + "/index.html?fieldprof=0")
		for _, step := range []struct {
			path     string
			profiled bool
		}{
			{"", false},
			{"/about.html", false},
			{"/index.html?fieldprof=1", true}, // the browser has the clean assets, for a year
			{"/about.html", true},
			{"/index.html", true},
			{"/index.html?fieldprof=0", false},
			{"/about.html", false},
		} {
			if step.path != "" {
				visit(p, step.path)
			}
			expect(t, "at "+step.path, p, want(original, step.profiled, true))
		}
		p.Quiet()
	})
}

func TestStaticHost(t *testing.T) {
	folder := application(t, nil)
	shell(t, folder, block(t, "publish-static.sh"))
	for name := range must.ReadTree(t, filepath.Join(folder, "public")) {
		if isMap(name) {
			t.Errorf("%s is published", name)
		}
	}
	browser.EachWay(t, func(t *testing.T, b *browser.Browser, isolated bool) {
		original := original(t, b)
		files := watch(filepath.Join(folder, "public"))
		server := browser.Serve(t, browser.Site{Files: files, Isolated: isolated})
		p := b.Open(server.URL + "/index.html?fieldprof=0")
		clean := want(original, false, false)
		clean.isolated = isolated // the host tells them apart no more than we do
		expect(t, "clean", p, clean)
		visit(p, "/about.html")
		expect(t, "clean, second page", p, clean)
		for _, name := range files.scripts() {
			if strings.HasPrefix(name, profiled) {
				t.Errorf("a clean session fetched %s", name)
			}
		}
		visit(p, "/index.html?fieldprof=1")
		expect(t, "profiled", p, want(original, true, isolated))
		visit(p, "/about.html")
		expect(t, "profiled, second page", p, want(original, true, isolated))
		p.Quiet()
	})
}
