package bundle

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// metafile is what esbuild says of a bundle.
type metafile struct {
	Inputs map[string]struct {
		Format  string
		Imports []struct{ Path, Kind string }
	}
	Outputs map[string]struct{ EntryPoint string }
}

// readMetafile reads what esbuild has written.
func readMetafile(text string) *metafile {
	m := &metafile{}
	if err := json.Unmarshal([]byte(text), m); err != nil {
		return &metafile{}
	}
	return m
}

// entry is the input with which the program starts.
func (m *metafile) entry() string {
	for _, output := range m.Outputs {
		if output.EntryPoint != "" {
			return output.EntryPoint
		}
	}
	return ""
}

// isModule reports whether the entry file is an ES module.
func (m *metafile) isModule() bool { return m.Inputs[m.entry()].Format == "esm" }

// isStrict reports whether a bundle has ES modules alone, whose code is strict. In one that has other scripts as well, whose code
// may not be, all of it is sloppy.
func (m *metafile) isStrict() bool {
	modules := 0
	for path, input := range m.Inputs {
		switch {
		case strings.HasPrefix(path, absent+":"):
		case input.Format == "esm":
			modules++
		case slices.Contains(programs, filepath.Ext(path)):
			return false
		}
	}
	return modules > 0
}

// importsAbsent reports whether a module is not there that an engine would look for before it runs anything.
func (m *metafile) importsAbsent() bool {
	seen, open := map[string]bool{}, []string{m.entry()}
	for len(open) > 0 {
		path := open[len(open)-1]
		open = open[:len(open)-1]
		if strings.HasPrefix(path, absent+":") {
			return true
		}
		if seen[path] {
			continue
		}
		seen[path] = true
		for _, imported := range m.Inputs[path].Imports {
			if imported.Kind == "import-statement" {
				open = append(open, imported.Path)
			}
		}
	}
	return false
}
