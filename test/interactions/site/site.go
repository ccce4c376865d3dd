// Package site is the shop: a page whose eight buttons are slow, each for a known cause. It
// is bundled as real sites are, from modules of its own and a framework's package, and
// instrumented; the script of a third party comes from another origin.
package site

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Cause is one button.
type Cause struct {
	ID   string // of the button
	What string
	// Names are the functions that are the cause: the slowest one, and its callers that
	// may be named instead where native code or the collector takes the time.
	Names []string
	Later bool // the work is not in the click's own task
}

// Causes are the buttons in the order of the page.
var Causes = []Cause{
	{ID: "filter", What: "slow handler", Names: []string{"filterProducts"}},
	{ID: "basket", What: "slow handler behind a framework's dispatcher", Names: []string{"priceBasket"}},
	{ID: "offers", What: "third-party script", Names: []string{"rankOffers"}},
	{ID: "index", What: "long timer", Names: []string{"rebuildIndex"}, Later: true},
	{ID: "sort", What: "slow comparator in a function of 5 statements", Names: []string{"byName", "sortProducts"}},
	{ID: "load", What: "JSON.parse of 5 MB", Names: []string{"readCatalogue"}},
	{ID: "align", What: "forced layout in a loop", Names: []string{"alignRows"}},
	{ID: "history", What: "garbage", Names: []string{"copyHistory"}},
}

//go:embed index.html watch.js valid.js src packages elsewhere
var sources embed.FS

// Valid is a module for pages: problems() says what is wrong with a slice.
//
//go:embed valid.js
var Valid []byte

// Site is the built shop.
type Site struct {
	// Own and Elsewhere are the folders of its origin and of the third party's, which
	// sends Access-Control-Allow-Origin.
	Own, Elsewhere string
}

// Options say how the shop is built.
type Options struct {
	Preset transform.Preset
	// Elsewhere has the third party's script instrumented, too.
	Elsewhere bool
	// Minified shortens the names, which only source maps then know.
	Minified bool
}

// Build makes the shop below a folder.
func Build(ctx context.Context, dir string, o Options) (*Site, error) {
	if err := os.CopyFS(filepath.Join(dir, "shop"), sources); err != nil {
		return nil, err
	}
	if err := bundle(dir, o.Minified); err != nil {
		return nil, err
	}
	options := builddir.Options{
		Input: filepath.Join(dir, "dist"), Output: filepath.Join(dir, "own"), NoSizes: true,
		Selection: transform.Selection{Preset: o.Preset}, Runtime: runtime.Options{Prefer: "polyfill"},
	}
	if err := instrument(ctx, options); err != nil {
		return nil, err
	}
	module, err := fs.ReadFile(runtime.Files(), "interactions.js")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(options.Output, "interactions.js"), module, 0o644); err != nil {
		return nil, err
	}
	elsewhere := filepath.Join(dir, "shop/elsewhere")
	if o.Elsewhere {
		options.Input, options.Output = elsewhere, filepath.Join(dir, "elsewhere")
		if err := instrument(ctx, options); err != nil {
			return nil, err
		}
		elsewhere = options.Output
	}
	return &Site{Own: filepath.Join(dir, "own"), Elsewhere: elsewhere}, nil
}

// bundle writes the shop as a bundler does.
func bundle(dir string, minified bool) error {
	shop, dist := filepath.Join(dir, "shop"), filepath.Join(dir, "dist")
	if err := os.Rename(filepath.Join(shop, "packages"), filepath.Join(shop, "node_modules")); err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: shop, EntryPoints: []string{"src/main.ts"}, Outfile: filepath.Join(dist, "app.js"), Write: true,
		Bundle: true, Format: api.FormatIIFE, Platform: api.PlatformBrowser, Target: api.ES2022,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: minified, Sourcemap: api.SourceMapLinked, LogLevel: api.LogLevelSilent,
	})
	for _, m := range result.Errors {
		return fmt.Errorf("the shop cannot be bundled: %s", m.Text)
	}
	for _, name := range []string{"index.html", "watch.js", "valid.js"} {
		text, err := sources.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dist, name), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func instrument(ctx context.Context, options builddir.Options) error {
	report, err := builddir.Run(ctx, options)
	if err != nil {
		return err
	}
	for _, warning := range report.Warnings {
		return fmt.Errorf("%s: %v", options.Input, warning)
	}
	return nil
}
