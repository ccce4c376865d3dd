package plugins

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/test/browser"
)

// tutorials are pages of the documentation, whose named blocks are projects, with
// how each is profiled.
var tutorials = []struct {
	page    string
	profile func(t *testing.T, w workshop, folder string)
}{
	{"docs/bundlers/esbuild.md", profilePage},
	{"docs/bundlers/vite.md", profilePage},
	{"docs/bundlers/rollup.md", profileProgram("dist/main.js")},
	{"docs/bundlers/rolldown.md", nil}, // minified: there is no name to look for
	{"docs/bundlers/webpack.md", profilePage},
	{"docs/bundlers/rspack.md", profilePage},
	{"npm/esbuild/README.md", readConsole},
	{"npm/unplugin/README.md", profileProgram("dist/app.js")},
}

var block = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n```[a-z]+\n(.*?)```\n")

// docsAreTrue: a user who does what a page says has a profile.
func docsAreTrue(t *testing.T, w workshop) {
	for _, tutorial := range tutorials {
		t.Run(tutorial.page, func(t *testing.T) {
			name := "docs-" + strings.NewReplacer("/", "-", ".md", "").Replace(tutorial.page)
			folder := filepath.Join(w.folder, name)
			must.WriteTree(t, folder, blocks(t, tutorial.page))
			must.Run(t, w.folder, "node", "example.mjs", name)
			must.Get(os.Stat(filepath.Join(folder, "dist/fieldprof/runtime.js")))(t)
			if tutorial.profile != nil {
				tutorial.profile(t, w, folder)
			}
		})
	}
}

// blocks are the files that a page shows.
func blocks(t *testing.T, page string) map[string]string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(fixtures.Dir(), "..", page)))(t)
	files := map[string]string{}
	for _, found := range block.FindAllSubmatch(text, -1) {
		files[string(found[1])] = string(found[2])
	}
	if len(files) == 0 {
		t.Fatalf("%s shows no files", page)
	}
	return files
}

// profileProgram records a program as pages say.
func profileProgram(program string) func(t *testing.T, w workshop, folder string) {
	return func(t *testing.T, _ workshop, folder string) {
		t.Setenv("FIELDPROF_OUTPUT", "main.cpuprofile")
		must.Run(t, folder, "node", "--import", "@fieldprof/runtime/register", program)
		isCrunching(t, filepath.Join(folder, "main.cpuprofile"))
	}
}

// isCrunching: the profile shows crunch.
func isCrunching(t *testing.T, file string) {
	t.Helper()
	p := must.Get(format.ReadFile(file))(t)
	for _, row := range view.Flat(p) {
		if row.Name == "crunch" && row.Self > 0 {
			return
		}
	}
	t.Errorf("crunch is not in it: %s", p.HealthLine())
}

// served is the folder of a project, with the page that it has or that the bundler
// has written.
func served(t *testing.T, folder string) string {
	site := folder
	if built := filepath.Join(folder, "dist"); must.Exists(filepath.Join(built, "index.html")) {
		site = built
	}
	return browser.Serve(t, browser.Site{Files: os.DirFS(site)}).URL + "/index.html"
}

// profilePage records a page with the text that is to be pasted into the console,
// but for the time that it takes, and the download.
func profilePage(t *testing.T, w workshop, folder string) {
	text := blocks(t, "docs/bundlers/README.md")["record.js"]
	for old, now := range map[string]string{
		"setTimeout(done, 5000)":       "{ for (const end = Date.now() + 300; Date.now() < end; ) document.querySelector('button').click(); setTimeout(done); }",
		"URL.createObjectURL(new Blob": "(([text]) => (link.text = text))(",
		"link.click();":                "return JSON.parse(link.text).nodes.map((node) => node.callFrame.url);",
	} {
		if !strings.Contains(text, old) {
			t.Fatalf("record.js has no %q", old)
		}
		text = strings.Replace(text, old, now, 1)
	}
	url := served(t, folder)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := b.Open(url)
		if got := string(page.Eval("(async () => {" + text + "})()")); !strings.Contains(got, ".js") {
			t.Errorf("the profile shows no script: %s", got)
		}
		page.Quiet()
	})
}

// readConsole opens a page whose script says in the console what it has found.
func readConsole(t *testing.T, w workshop, folder string) {
	must.Do(t, os.WriteFile(filepath.Join(folder, "index.html"), []byte(`<!doctype html><script src="dist/app.js"></script>`), 0o644))
	url := served(t, folder)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := b.Open(url)
		for end := time.Now().Add(must.Hang); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			for _, message := range page.Said().Console {
				if strings.Contains(message.Text, "crunch") {
					return
				}
			}
		}
		t.Errorf("the console shows %v", page.Said())
	})
}
