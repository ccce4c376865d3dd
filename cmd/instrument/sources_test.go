package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A profile names its files by absolute paths and URLs, whatever the directory is called.
func TestSourcesBelow(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.WriteTree(t, folder, map[string]string{"my app/x y.js": "text", "outside.js": "no"})
	home := filepath.Join(folder, "my app")
	link := filepath.Join(folder, "link")
	must.Do(t, os.Symlink(home, link))
	t.Chdir(home)
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(home) + "/x y.js"}).String()
	for _, directory := range []string{".", home, link, "../link"} {
		source, done, err := sourcesBelow(directory)
		must.Do(t, err, directory)
		for _, name := range []string{"x y.js", "file://x y.js", filepath.Join(home, "x y.js"), address, "file://" + home + "/x y.js"} {
			if text, ok := source(name); !ok || text != "text" {
				t.Errorf("--sources %s: %s is not found", directory, name)
			}
		}
		if text, ok := source(filepath.Join(link, "x y.js")); directory != "." && directory != home && (!ok || text != "text") {
			t.Errorf("--sources %s: the link's file is not found", directory)
		}
		for _, name := range []string{"../outside.js", filepath.Join(folder, "outside.js"), "file:///etc/hostname", "file://" + home + "/../outside.js", "file://host" + home + "/x y.js", ""} {
			if text, ok := source(name); ok {
				t.Errorf("--sources %s: %s is %q", directory, name, text)
			}
		}
		done()
	}
}

// A profile comes from strangers and a report is handed on: no file gets into it that is not a source, whatever
// the profile names.
func TestOnlySourcesAreRead(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	secrets := []string{".env", "app/.env.js", ".git/config", ".git/hooks/x.js", "app/.config/keys.ts", "id_rsa", "keys.json", "keys.pem", "app.js.map", "app.js/.env", "x/.js", ".npmrc"}
	sources := []string{"src/App.TSX", "page.html", "main.go", "node_modules/.pnpm/react@19/node_modules/react/index.js", ".yarn/unplugged/esbuild-npm-1/node_modules/esbuild/lib/main.js", "bin/www"}
	tree := map[string]string{}
	for _, name := range append(sources, secrets...) {
		tree[name] = "text"
	}
	tree["bin/www"] = "#!/usr/bin/env node\n"
	must.WriteTree(t, folder, tree)
	source, done, err := sourcesBelow(folder)
	must.Do(t, err)
	defer done()
	for _, spelled := range []func(string) string{
		func(name string) string { return name },
		func(name string) string { return "./" + name },
		func(name string) string { return filepath.Join(folder, name) },
		func(name string) string { return "file://" + filepath.ToSlash(folder) + "/" + name },
		func(name string) string {
			return "file://" + filepath.ToSlash(folder) + "/%2e/" + strings.ReplaceAll(name, ".", "%2e")
		},
		func(name string) string { return "src/../" + name },
	} {
		for _, name := range secrets {
			for _, disguise := range []string{"", "?.js", "#.js", "/../x.js", "/.", "\x00.js", ":x.js"} {
				if text, ok := source(spelled(name) + disguise); ok {
					t.Errorf("%q is read: %s", spelled(name)+disguise, text)
				}
			}
		}
		for _, name := range sources {
			if _, ok := source(spelled(name)); !ok {
				t.Errorf("%q is not read", spelled(name))
			}
		}
	}
}
