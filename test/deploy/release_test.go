package deploy

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

// archives takes uploads that have the token.
type archives map[string][]byte

func (a archives) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPut || r.Header.Get("Authorization") != "Bearer secret" {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	a[r.URL.Path], _ = io.ReadAll(r.Body)
	w.WriteHeader(http.StatusCreated)
}

func TestRelease(t *testing.T) {
	need(t, "curl")
	folder := application(t, nil)
	// npm, whose build finds dist as the bundler leaves it.
	must.Do(t, os.Rename(filepath.Join(folder, "dist"), filepath.Join(folder, "built")))
	npm := filepath.Join(folder, "bin", "npm")
	must.Do(t, os.Mkdir(filepath.Dir(npm), 0o755))
	must.Do(t, os.WriteFile(npm, []byte("#!/bin/sh\n[ \"$*\" = 'run build' ] && mv built dist\n"), 0o755))
	uploaded := archives{}
	server := httptest.NewServer(uploaded)
	defer server.Close()
	shell(t, folder, block(t, "release.sh"), "RELEASE=4f3a", "MAPS_URL="+server.URL+"/maps", "MAPS_TOKEN=secret", "PUBLIC=out/public")

	archived := must.Untar(t, uploaded["/maps/maps-4f3a.tar.gz"])
	public := must.ReadTree(t, filepath.Join(folder, "out/public"))
	for _, script := range []string{"assets/index-3c4d.mjs", "assets/shared-5e6f.mjs", "assets/vendor-1a2b.js", "assets/worker-9c0d.js"} {
		for _, name := range []string{"dist/" + script + ".map", "dist-profiled/" + script + ".map", "dist-profiled/" + script + ".functions.json"} {
			if _, ok := archived[name]; !ok {
				t.Errorf("%s was not uploaded", name)
			}
		}
		if public["dist/"+script] == "" || public["dist-profiled/"+script] == "" {
			t.Errorf("%s is not public", script)
		}
	}
	for name := range public {
		if isMap(name) {
			t.Errorf("%s is public", name)
		}
	}
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		original := original(t, b)
		for site, profiled := range map[string]bool{"dist": false, "dist-profiled": true} {
			server := browser.Serve(t, browser.Site{Files: os.DirFS(filepath.Join(folder, "out/public", site))})
			p := b.Open(server.URL + "/index.html")
			expect(t, site, p, want(original, profiled, false))
			p.Quiet()
		}
	})
}

// Maps that are not taken stop the release before anything is public.
func TestReleaseWithoutMapsStops(t *testing.T) {
	need(t, "curl")
	folder := application(t, nil)
	server := httptest.NewServer(archives{})
	defer server.Close()
	script := replaced(t, block(t, "release.sh"), "npm run build", "true")
	must.Do(t, os.WriteFile(filepath.Join(folder, "release.sh"), []byte(script), 0o644))
	shell(t, folder, "! sh release.sh && [ -e dist-profiled ] && [ ! -e out ]", "RELEASE=4f3a", "MAPS_URL="+server.URL, "MAPS_TOKEN=wrong", "PUBLIC=out/public")
}
