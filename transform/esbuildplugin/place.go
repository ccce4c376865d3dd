package esbuildplugin

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// place is where a build's output goes, as absolute folders.
type place struct {
	base     string // what esbuild names files from
	root     string // the output folder
	profiled string // where the profiled copy goes: root, but with Both
	abs      api.AbsPaths
}

// noPlace says why a build stays clean.
type noPlace string

func (p noPlace) Error() string { return string(p) }

// placeOf finds the place of a build's output.
func placeOf(initial *api.BuildOptions, o *Options) (place, error) {
	base, err := baseOf(initial)
	if err != nil {
		return place{}, err
	}
	p := place{base: base, abs: initial.AbsPaths}
	switch {
	case initial.Outdir != "":
		p.root = under(base, initial.Outdir)
	case initial.Outfile != "":
		p.root = filepath.Dir(under(base, initial.Outfile))
	default:
		return place{}, noPlace("without Outdir or Outfile there is no place for the runtime and the function tables: the output is clean")
	}
	p.profiled = p.root
	if o.Variant == Both {
		p.profiled = p.root + "-profiled"
		if o.ProfiledOutdir != "" {
			p.profiled = under(base, o.ProfiledOutdir)
		}
		if p.profiled == p.root {
			return place{}, errors.New("ProfiledOutdir is the output folder: choose another")
		}
	}
	return p, nil
}

// baseOf is the working directory of a build without symbolic links: esbuild resolves those in
// it, or goes on with the path as it is, and so do the paths of sources and outputs.
func baseOf(initial *api.BuildOptions) (string, error) {
	base := initial.AbsWorkingDir
	if base == "" {
		var err error
		if base, err = os.Getwd(); err != nil {
			return "", err
		}
	}
	if resolved, err := filepath.EvalSymlinks(base); err == nil {
		return resolved, nil
	}
	return base, nil
}

// under is a path seen from a folder.
func under(folder, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// within is the path from a folder with slashes, as deployed, unless it leads out.
func within(folder, path string) (string, bool) {
	relative, err := filepath.Rel(folder, path)
	if err != nil || relative == "." || !filepath.IsLocal(relative) {
		return "", false
	}
	return filepath.ToSlash(relative), true
}

// named is the name that esbuild gives a file, in the metafile or in messages.
func (p *place) named(path string, in api.AbsPaths) string {
	if p.abs&in == 0 {
		if relative, err := filepath.Rel(p.base, path); err == nil {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}
