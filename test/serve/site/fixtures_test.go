package site

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/serve/site"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Each fixture site is served as the build command writes it, with the client in pages.
func TestFixtureSites(t *testing.T) {
	packages := filepath.Join(fixtures.Dir(), "../test/sites/testdata")
	fixtures.EnsureIn(t, packages)
	for _, name := range []string{"vite", "webpack", "rollup", "esbuild", "svelte", "scripts"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			command := exec.Command("node", "build.mjs", name, dir)
			command.Dir = packages
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out := filepath.Join(t.TempDir(), "profiled")
			selection := transform.Selection{Preset: transform.Precise}
			if _, err := builddir.Run(context.Background(), builddir.Options{Input: dir, Output: out, Selection: selection}); err != nil {
				t.Fatal(err)
			}
			for _, input := range []string{dir, out} { // clean and profiled
				compareServed(t, serve(t, site.Options{Input: input, Selection: selection}), out)
			}
		})
	}
}

// compareServed compares every file of an output with what is served.
func compareServed(t *testing.T, s *served, out string) {
	t.Helper()
	n := 0
	err := fs.WalkDir(os.DirFS(out), ".", func(p string, entry fs.DirEntry, err error) error {
		switch ext := filepath.Ext(p); {
		case err != nil || entry.IsDir():
			return err
		case p == "fieldprof/manifest.json", ext == ".gz", ext == ".br", ext == ".zst":
			return nil // the site writes no manifest and no compressed siblings
		}
		want, err := os.ReadFile(filepath.Join(out, p))
		if err != nil {
			return err
		}
		answer, err := http.Get(s.url + "/" + p)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		got, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		if filepath.Ext(p) == ".html" {
			got, err = withoutClient(got)
			want = withoutPolicy(want)
			got = withoutPolicy(got)
		}
		if err != nil || answer.StatusCode != http.StatusOK || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %v\n%.2000s\nwant\n%.2000s", p, answer.Status, err, got, want)
		}
		n++
		return nil
	})
	if err != nil || n == 0 {
		t.Errorf("%d files: %v", n, err)
	}
}

// withoutClient deletes the client's element, which must be there once.
func withoutClient(page []byte) ([]byte, error) {
	const before = `<script src="/__fieldprof/live.js" data-source="` + token + `"`
	head, rest, ok := bytes.Cut(page, []byte(before))
	_, tail, ok2 := bytes.Cut(rest, []byte("></script>"))
	if !ok || !ok2 || bytes.Contains(tail, []byte(before)) {
		return page, fmt.Errorf("the client is not there once")
	}
	return append(bytes.Clone(head), tail...), nil
}

// withoutPolicy deletes the text of a policy, which differs by the client's places: the
// tests of the policies compare them.
func withoutPolicy(page []byte) []byte {
	at := strings.Index(strings.ToLower(string(page)), "content-security-policy")
	if at < 0 {
		return page
	}
	start := bytes.LastIndexByte(page[:at], '<')
	end := at + bytes.IndexByte(page[at:], '>')
	return append(bytes.Clone(page[:start]), page[end:]...)
}
