package builddir

import "github.com/fieldprof/fieldprof/internal/pathglob"

// globs choose files and functions by path.
//
// A pattern (package pathglob) is matched with the deployed path (assets/app.js)
// and with the original source that a map gives (src/parser.ts).
//
// Exclude wins over include. With includes, only matches are in; a file is read if its
// path matches or an original source in it may.
type globs struct {
	include, exclude []string
}

// Selects reports whether globs, as in Options, select a path. They must be valid.
func Selects(include, exclude []string, p string) bool {
	g := globs{include, exclude}
	return g.includes(p) && !g.excludes(p)
}

// excludes reports whether a path matches an exclude.
func (g *globs) excludes(p string) bool { return pathglob.FitsAny(g.exclude, p) }

// includes reports whether a path matches an include, or there are no includes.
func (g *globs) includes(p string) bool { return len(g.include) == 0 || pathglob.FitsAny(g.include, p) }

// keeper reports which original sources of a deployed file are in; it is nil if all
// are.
func (g *globs) keeper(file string) func(source string) bool {
	all := g.includes(file) && len(g.include) > 0
	if len(g.exclude) == 0 && (all || len(g.include) == 0) {
		return nil
	}
	return func(source string) bool {
		source = pathglob.Plain(source)
		return !g.excludes(source) && (all || g.includes(source))
	}
}

// Keeper reports which original sources of a file globs select, as transform.Options.Keep
// does, and whether the file itself is excluded. The globs must be valid.
func Keeper(include, exclude []string, p string) (keep func(source string) bool, excluded bool) {
	g := globs{include, exclude}
	return g.keeper(p), g.excludes(p)
}
