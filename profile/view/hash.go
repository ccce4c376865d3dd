package view

import (
	"regexp"
	"strings"
)

// WithoutHash is a file's name without the hash that a bundler put at its end, as in
// app-BhK2p9_x.js and main.3f2a91bc.chunk.js. A word that may well be part of the name stays.
func WithoutHash(file string) string {
	for _, ending := range endings {
		at := ending.FindStringIndex(file)
		if at == nil {
			continue
		}
		if name, ok := cutHash(file[:at[0]]); ok {
			return name + file[at[0]:]
		}
	}
	return file
}

// withoutQuery is a URL without its query and fragment, in which servers tell versions of a script: app.js?v=41.
// A file that is no URL may have such characters in its name.
func withoutQuery(file string) string {
	if at := strings.IndexAny(file, "?#"); at >= 0 && strings.Contains(file[:at], "://") {
		return file[:at]
	}
	return file
}

// endings are what follows a hash. webpack ends names of chunks with a word.
var endings = []*regexp.Regexp{regexp.MustCompile(`\.[cm]?js$`), regexp.MustCompile(`\.[a-z]+\.[cm]?js$`)}

// usualLength is the length of hashes of Rollup, Rolldown, Vite and esbuild. Rollup's and Vite's may
// contain what parts words, so their length says where they begin.
const usualLength = 8

func cutHash(name string) (string, bool) {
	for _, at := range []int{len(name) - usualLength - 1, strings.LastIndexAny(name, "-.")} {
		if at >= 0 && (name[at] == '-' || name[at] == '.') && isHash(name[at+1:]) {
			return name[:at], true
		}
	}
	return "", false
}

var (
	hashLike   = regexp.MustCompile(`^([0-9A-Za-z_]{8,32}|[0-9A-Za-z_-]{8})$`)
	hex        = regexp.MustCompile(`^[0-9a-f]+$`)
	digit      = regexp.MustCompile(`[0-9]`)
	digitFirst = regexp.MustCompile(`[0-9].*[a-z]`)
	lower      = regexp.MustCompile(`[a-z]`)
	laterUpper = regexp.MustCompile(`.[A-Z]`)
)

// isHash tells a hash from a word. Digits tell most: a word has them at its end at most. A
// quarter of Vite's and a fifth of esbuild's hashes have none, but have capitals within.
func isHash(word string) bool {
	switch {
	case !hashLike.MatchString(word):
		return false
	case strings.Contains(word, "-"):
		return laterUpper.MatchString(word) && lower.MatchString(word)
	case digit.MatchString(word):
		return hex.MatchString(word) || laterUpper.MatchString(word) || digitFirst.MatchString(word)
	}
	return len(word) == usualLength && laterUpper.MatchString(word)
}
