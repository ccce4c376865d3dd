package slices

import (
	"regexp"

	"github.com/fieldprof/fieldprof/profile"
)

// Group is whose time a part of a slice is; see the package's documentation.
type Group string

// The groups.
const (
	Own        Group = "own"
	Framework  Group = "framework"
	ThirdParty Group = "third-party"
	Native     Group = "native"
	GC         Group = "gc"
	Style      Group = "style"
	Layout     Group = "layout"
	Paint      Group = "paint"
	Other      Group = "other"
	Waiting    Group = "waiting"
)

// groupNames are the groups, in the order in which equal amounts are listed.
var groupNames = []Group{Own, Framework, ThirdParty, Native, GC, Style, Layout, Paint, Other, Waiting}

// unknown is what traces call functions of scripts that must not show.
const unknown = "unknown"

// party says whose code a function is.
func (o *Options) party(f profile.Function, page string) Group {
	switch {
	case f.File == "" && f.Name == unknown:
		return ThirdParty
	case f.Flags&profile.NativeCode != 0:
		return Native
	case f.Flags&profile.Ignored != 0, packageOf(f.File) != "", o.Framework != nil && o.Framework(f):
		return Framework
	}
	origin, home := originOf(f.File), originOf(page)
	if origin != "" && home != "" && origin != home && (o.FirstParty == nil || !o.FirstParty(f.File)) {
		return ThirdParty
	}
	return Own
}

var (
	origins  = regexp.MustCompile(`^(?:blob:)?(https?://([^/\\?#]*))`)
	packages = regexp.MustCompile(`(?s)^.*(?:^|[/\\])node_modules[/\\](?:\.vite[/\\]deps[/\\])?(@[^/\\?#]+[/\\][^/\\?#]+|[^/\\?#]+)`)
)

// originOf is the origin of a URL, "" if it has none.
func originOf(url string) string { return submatch(origins, url, 1) }

// hostOf is the host in a URL, "" if there is none.
func hostOf(url string) string { return submatch(origins, url, 2) }

// packageOf is the package that a file belongs to, by the last node_modules in its path; ""
// if there is none.
func packageOf(file string) string { return submatch(packages, file, 1) }

func submatch(pattern *regexp.Regexp, text string, group int) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return found[group]
	}
	return ""
}
