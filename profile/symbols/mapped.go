package symbols

import (
	"net/url"
	"strings"
)

// A profile may have been mapped before: then its files are sources, and positions in
// them do not belong to deployed scripts. A source may have the name of a script, so
// the script's map would be found for it.

// isSource reports whether a file of the profile is a source of a map that was read.
// URLs and absolute paths name deployed files.
func (f *finder) isSource(file string) bool {
	if u, err := url.Parse(file); err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(file, "/") {
		return false
	}
	for _, m := range f.read {
		if m == nil || f.listed[m] {
			continue
		}
		if f.listed == nil {
			f.listed, f.sources = map[*sourceMap]bool{}, map[string]bool{}
		}
		f.listed[m] = true
		for i := range m.Sources {
			f.sources[m.Source(i)] = true
		}
	}
	return f.sources[file]
}

// findMapped is for profiles without a map for any script: it finds the files that are
// sources of any map, and which of them to ignore.
func (f *finder) findMapped(files []string) {
	for _, t := range f.maps {
		for p := range t.files {
			at := location{t, p}
			if strings.HasSuffix(p, tableSuffix) {
				continue
			}
			m := (*sourceMap)(nil)
			if strings.HasSuffix(p, mapSuffix) || t.named {
				m = f.parseMap(at)
			} else {
				m = f.mapOfScript(at)
			}
			if m != nil {
				f.found.ignore(m)
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
