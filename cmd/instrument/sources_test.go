package main

import (
	"net/url"
	"os"
	"path/filepath"
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
