package record

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The labels that the collector knows. Others are custom: their names begin with "x-".
const (
	Release        = "release"
	Route          = "route"
	Browser        = "browser"         // "Firefox"
	BrowserVersion = "browser_version" // "153"
	OS             = "os"
	Device         = "device" // mobile, tablet or desktop
	Cores          = "cores"  // class: 1, 2, 4, 8
	Memory         = "memory" // class, GiB: 1, 2, 4, 8
	Connection     = "connection"
	Locale         = "locale"
	Page           = "page" // origin of the page
)

// Other replaces the values of a label that has too many.
const Other = "(other)"

// Known are the labels that the collector knows, in the order in which they are shown.
var Known = []string{Release, Route, Page, Browser, BrowserVersion, OS, Device, Cores, Memory, Connection, Locale}

// Labels are the labels of a session. One that is unknown is absent.
type Labels map[string]string

// Key is the text by which equal series are equal: labels in order of their names, each
// name and value length-prefixed.
func (s *Series) Key() string {
	var key strings.Builder
	text := func(t string) {
		key.WriteString(strconv.Itoa(len(t)))
		key.WriteByte(':')
		key.WriteString(t)
	}
	text(s.App)
	text(strconv.FormatBool(s.Slow))
	text(strconv.FormatFloat(s.Rate, 'g', -1, 64))
	text(strconv.FormatInt(int64(s.Interval), 10))
	for _, name := range slices.Sorted(maps.Keys(s.Labels)) {
		if s.Labels[name] != "" {
			text(name)
			text(s.Labels[name])
		}
	}
	return key.String()
}
