package symbols

import (
	"net/url"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// A profile may have been mapped before: its files are sources then, and positions
// in them are none of deployed scripts. A source may be called like a script, so
// that its map would be found for it.

// isSource reports whether a file of the profile is a source of a map that was read.
// What a URL or a path from the root names was deployed.
func (f *finder) isSource(file string) bool {
	if u, err := url.Parse(file); err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(file, "/") {
		return false
	}
	for _, m := range f.read {
		if m == nil || f.listed[m] {
			continue
		}
		if f.listed == nil {
			f.listed, f.sources = map[*sourcemap.Map]bool{}, map[string]bool{}
		}
		f.listed[m] = true
		for i := range m.Sources {
			f.sources[inside(m.Source(i))] = true
		}
	}
	return f.sources[file]
}

// findMapped finds the files that are sources of any map that is there, where no map
// was found for a script, and what of them is to be ignored.
func (f *finder) findMapped(files []string) {
	for _, t := range f.maps {
		for p := range t.files {
			at := place{t, p}
			if strings.HasSuffix(p, tableSuffix) {
				continue
			}
			m := (*sourcemap.Map)(nil)
			if strings.HasSuffix(p, mapSuffix) || t.named {
				m = f.parseMap(at)
			} else {
				m = f.mapOfScript(at)
			}
			if m != nil {
				f.found.keepInside(&profile.Script{Map: m})
			}
		}
	}
	f.found.Mapped = nil
	for _, file := range files {
		if f.isSource(file) {
			f.found.Mapped = append(f.found.Mapped, file)
		}
	}
}
