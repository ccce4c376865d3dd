package builddir

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// globs choose files and functions by path.
//
// A pattern is matched with the deployed path (assets/app.js) and with the
// original source that a map gives (src/parser.ts): the whole of it or, unless
// the pattern begins with a slash, any part of it that begins at a folder. So
// vendor*.js fits assets/vendor-1.js, and node_modules/** fits
// webpack://app/./node_modules/react/index.js. * stays within a folder, **
// crosses folders, {a,b} chooses.
//
// Exclude wins over include. With includes, only what fits one is in; a file
// is looked into when its path fits or an original source in it may.
type globs struct {
	include, exclude []string
}

func newGlobs(include, exclude []string) (globs, error) {
	for _, list := range [][]string{include, exclude} {
		if err := checkGlobs(list); err != nil {
			return globs{}, err
		}
	}
	return globs{include, exclude}, nil
}

func checkGlobs(list []string) error {
	for _, pattern := range list {
		if pattern == "" || !doublestar.ValidatePattern(pattern) {
			return fmt.Errorf("%q is not a glob: use * within a folder, ** across folders, {a,b} and [a-z]", pattern)
		}
	}
	return nil
}

// Selects reports whether globs, as Options has them, choose a path. They must be
// valid.
func Selects(include, exclude []string, p string) bool {
	g := globs{include, exclude}
	return g.includes(p) && !g.excludes(p)
}

// excludes reports whether a path fits an exclude.
func (g *globs) excludes(p string) bool { return fitsAny(g.exclude, p) }

// includes reports whether a path fits an include, or there is none.
func (g *globs) includes(p string) bool { return len(g.include) == 0 || fitsAny(g.include, p) }

// keeper says which original sources of a deployed file are in; nil when all
// are.
func (g *globs) keeper(file string) func(source string) bool {
	all := g.includes(file) && len(g.include) > 0
	if len(g.exclude) == 0 && (all || len(g.include) == 0) {
		return nil
	}
	return func(source string) bool {
		source = plain(source)
		return !g.excludes(source) && (all || g.includes(source))
	}
}

// plain takes the scheme and the ways up off a source's name.
func plain(source string) string {
	if _, rest, ok := strings.Cut(source, "://"); ok {
		source = rest
	}
	source = strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(source, `\`, "/")), "/")
	return source
}

func fitsAny(patterns []string, p string) bool {
	for _, pattern := range patterns {
		if fits(pattern, p) {
			return true
		}
	}
	return false
}

func fits(pattern, p string) bool {
	if anchored, ok := strings.CutPrefix(pattern, "/"); ok {
		return doublestar.MatchUnvalidated(anchored, p)
	}
	return doublestar.MatchUnvalidated(strings.TrimPrefix(pattern, "./"), p) || doublestar.MatchUnvalidated("**/"+strings.TrimPrefix(pattern, "./"), p)
}
