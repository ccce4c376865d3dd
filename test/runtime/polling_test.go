package runtime

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Where the clock advances in steps, the time that checks take to read it is charged to no
// function: one with a hundred checks gets no more ticks than one that takes as long with
// one. Each engine has stacks of its own, by which ticks are given up.
func TestReadingsAreNobodys(t *testing.T) {
	folder := browser.Instrument(t, builddir.Options{Input: filepath.Join("testdata", "polling"), Selection: transform.Selection{Preset: transform.Precise}})
	index := filepath.Join(folder, "index.html")
	page := must.Get(os.ReadFile(index))(t)
	// The clock comes before the runtime, which keeps the real one.
	page = bytes.Replace(page, []byte("<script"), []byte(`<script src="clock.js"></script><script`), 1)
	must.Do(t, os.WriteFile(index, page, 0o644))
	site := browser.Serve(t, browser.Site{Files: os.DirFS(folder)})
	browser.Every(t, func(t *testing.T, b *browser.Browser) {
		page := b.Open(site.URL + "/index.html")
		ticks := must.JSON[map[string]float64](t, page.Eval(`measured()`))
		share := ticks["dense"] / (ticks["dense"] + ticks["sparse"])
		t.Logf("%v: %.2f", ticks, share)
		if ticks["sparse"] < 150 || math.Abs(share-0.5) > 0.08 || len(page.Errors()) > 0 {
			t.Errorf("dense has %.0f %% of %v, where half is right; errors %q", 100*share, ticks, page.Errors())
		}
	})
}
