package esbuildplugin

import (
	"context"
	"errors"
	"fmt"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Variant is what a build produces.
type Variant uint8

// The variants.
const (
	Profiled Variant = iota // the outputs, with checks
	Both                    // clean outputs as without the plugin, and a profiled copy in a folder next to them
)

// Stage is where checks go in.
type Stage uint8

// The stages.
const (
	// Output is after bundling.
	Output Stage = iota
	// Source is before bundling: each source of the project, but of no package, gets
	// its checks as it is loaded, as with Facebook's polyfill. It exists for
	// comparison: tree shaking and minification then see checks, which keep code
	// alive that would be dropped, and there are no function tables. The page has to
	// load the runtime itself.
	Source
)

// Options are the plugin's. The zero value is valid. All but those of the build
// are flags of `instrument DIR` under the same names.
type Options struct {
	transform.Selection
	// Include and Exclude are globs over output paths and original sources.
	Include, Exclude []string
	// PublicPath is the URL that the output is served under, where it is named with
	// a host.
	PublicPath string
	Runtime    runtime.Options
	// Embed are globs over outputs that carry the runtime. Nil means the entry
	// points of builds for browsers, in the formats IIFE and ES module; an empty
	// list none.
	Embed []string

	Variant Variant
	// ProfiledOutdir is the folder of the profiled copy with Both; the output
	// folder with "-profiled" after it when empty.
	ProfiledOutdir string
	Stage          Stage
	// Strict fails a build that would have one of our warnings.
	Strict bool
	// OnReport, when set, hears what was done in each build. Compressed sizes are
	// not measured.
	OnReport func(*builddir.Report)
}

// New makes the plugin. It may be used in any number of builds.
func New(options Options) api.Plugin {
	return api.Plugin{Name: "fieldprof", Setup: func(build api.PluginBuild) {
		err := options.check()
		switch {
		case err != nil:
			build.OnStart(func() (api.OnStartResult, error) { return api.OnStartResult{}, err })
		case options.Stage == Source:
			atSource(build, options)
		default:
			atOutput(build, options)
		}
	}}
}

// tree are the options for a tree in memory.
func (o *Options) tree() builddir.Options {
	return builddir.Options{
		Selection: o.Selection,
		Include:   o.Include, Exclude: o.Exclude, PublicPath: o.PublicPath, Runtime: o.Runtime, Embed: o.Embed,
		NoSizes: true,
	}
}

// salt names what the output depends on.
func (o *Options) salt() string { return o.tree().Salt() }

// check validates the options by applying them to an almost empty tree.
func (o *Options) check() error {
	switch {
	case o.Variant > Both:
		return fmt.Errorf("no variant %d", o.Variant)
	case o.Stage > Source:
		return fmt.Errorf("no stage %d", o.Stage)
	case o.Stage == Source && o.Variant == Both:
		return errors.New("stage Source gives one output: variant Both needs stage Output")
	case o.ProfiledOutdir != "" && o.Variant != Both:
		return errors.New("ProfiledOutdir is for variant Both: set it too")
	case o.Stage == Source && (o.Train || o.Counts != nil):
		return errors.New("stage Source has no build to count: Train and Counts need stage Output")
	}
	options := o.tree()
	options.DryRun = true
	if options.Counts != nil { // they are of the build's own tree
		if err := options.Selection.Valid(); err != nil {
			return err
		}
		options.Counts, options.MaxOverhead, options.Times = nil, 0, nil
	}
	_, _, err := builddir.Files(context.Background(), []builddir.File{{Path: "a.js"}}, options)
	return err
}
