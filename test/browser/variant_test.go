package browser

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

// variant is a way to deploy a page of testdata.
type variant string

const (
	original variant = "original" // as it is
	idle     variant = "idle"     // instrumented, nothing profiles
	armed    variant = "armed"    // every check captures, see testdata/arm.js
	bare     variant = "bare"     // instrumented, and the runtime is missing
)

// deploy gives a page's files as a variant has them: every script with checks,
// and the runtime before the first one of every realm.
func deploy(t *testing.T, page string, v variant) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	add := func(name string, data []byte) { files[name] = &fstest.MapFile{Data: data} }
	copyFolder(t, os.DirFS(filepath.Join("testdata", page)), func(name string, data []byte) {
		if v != original {
			data = instrument(t, name, data, v)
		}
		add(name, data)
	})
	if v == original || v == bare {
		return files
	}
	copyFolder(t, runtime.Files(), func(name string, data []byte) { add("fieldprof/"+name, data) })
	if v == armed {
		arm, err := os.ReadFile("testdata/arm.js")
		if err != nil {
			t.Fatal(err)
		}
		add("fieldprof/arm.js", arm)
		// One module, as when deployed: a longer chain of imports is not the
		// same page to WebKit, which loses its place among top-level awaits.
		add("fieldprof/armed.js", append(files["fieldprof/checks.js"].Data, arm...))
	}
	return files
}

func copyFolder(t *testing.T, from fs.FS, add func(name string, data []byte)) {
	t.Helper()
	entries, err := fs.ReadDir(from, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		data, err := fs.ReadFile(from, entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		add(entry.Name(), data)
	}
}

var inlineScript = regexp.MustCompile(`(?s)<script( type="module")?>(.*?)</script>`)

// instrument puts checks into one file, and the runtime where it starts a
// realm: a page, or a classic worker.
func instrument(t *testing.T, name string, data []byte, v variant) []byte {
	t.Helper()
	var runtimes []string
	if v == idle || v == armed {
		runtimes = append(runtimes, "/fieldprof/runtime.js")
	}
	if v == armed {
		runtimes = append(runtimes, "/fieldprof/arm.js")
	}
	switch {
	case path.Ext(name) == ".html":
		text := inlineScript.ReplaceAllFunc(data, func(element []byte) []byte {
			parts := inlineScript.FindSubmatch(element)
			goal := transform.Script
			if len(parts[1]) > 0 {
				goal = transform.Module
			}
			checked := check(t, name, parts[2], goal, v)
			return bytes.Replace(element, parts[2], checked, 1)
		})
		var tags string
		for _, src := range runtimes {
			tags += `<script src="` + src + `"></script>`
		}
		return bytes.Replace(text, []byte("<head>"), []byte("<head>"+tags), 1)
	case path.Ext(name) == ".mjs":
		return check(t, name, data, transform.Module, v)
	}
	code := check(t, name, data, transform.Script, v)
	if name == "worker.js" && len(runtimes) > 0 {
		code = append([]byte(`importScripts("`+strings.Join(runtimes, `","`)+`");`), code...)
	}
	return code
}

func check(t *testing.T, name string, src []byte, goal transform.Goal, v variant) []byte {
	t.Helper()
	module := "/fieldprof/checks.js"
	if v == armed {
		module = "/fieldprof/armed.js"
	}
	result, err := transform.Transform(src, transform.Options{File: name, Goal: goal, Preset: transform.Precise, ChecksModule: module})
	if err != nil || len(result.Warnings) > 0 {
		t.Fatalf("%s: %v %v", name, err, result.Warnings)
	}
	return result.Code
}

// sightings collects what testdata/arm.js tells: the kinds of samples
// each realm captured.
type sightings struct {
	mu    sync.Mutex
	kinds map[string]string // realm → the kinds, in order
}

func (s *sightings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/seen" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds == nil {
		s.kinds = map[string]string{}
	}
	realm := r.FormValue("realm")
	kinds := append([]byte(s.kinds[realm]), r.FormValue("kind")...)
	slices.Sort(kinds)
	s.kinds[realm] = string(slices.Compact(kinds))
	w.Write([]byte("seen")) // Chromium calls an answer without a body a failure
}

func (s *sightings) of(realm string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kinds[realm]
}
