// Package pathglob matches patterns with names of files: deployed paths
// (assets/app.js), URLs, and the sources that maps name.
//
// A pattern matches a whole name or, unless the pattern begins with a slash, the end of a
// name from any folder on. So vendor*.js matches assets/vendor-1.js, and node_modules/**
// matches webpack://app/./node_modules/react/index.js. * stays within a folder, **
// crosses folders, {a,b} and [a-z] choose.
package pathglob

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Check says what is wrong with a pattern, if anything.
func Check(pattern string) error {
	if pattern == "" || !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("%q is not a glob: use * within a folder, ** across folders, {a,b} and [a-z]", pattern)
	}
	return nil
}

// Plain removes the scheme and leading .. from a file's name.
func Plain(name string) string {
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name = rest
	}
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Deployed is the plain name of a file that a URL may name, without its query: a page may load app.js as app.js?v=41.
func Deployed(name string) string {
	if u, err := url.Parse(name); err == nil && u.Scheme != "" && u.Opaque == "" {
		name = u.Host + u.Path
	}
	return Plain(name)
}

// CommonEnd counts the folders and names that two plain names share at their ends.
func CommonEnd(a, b string) (n int) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// Fits reports whether a pattern that passes Check matches a plain name.
func Fits(pattern, name string) bool {
	if anchored, ok := strings.CutPrefix(pattern, "/"); ok {
		return doublestar.MatchUnvalidated(anchored, name)
	}
	pattern = strings.TrimPrefix(pattern, "./")
	return doublestar.MatchUnvalidated(pattern, name) || doublestar.MatchUnvalidated("**/"+pattern, name)
}

// FitsAny reports whether one of the patterns matches.
func FitsAny(patterns []string, name string) bool {
	for _, pattern := range patterns {
		if Fits(pattern, name) {
			return true
		}
	}
	return false
}
