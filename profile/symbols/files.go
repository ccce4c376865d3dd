package symbols

import (
	"path"

	"github.com/fieldprof/fieldprof/profile"
)

// Files are files that are not in a directory, such as those of a release in a database.
type Files interface {
	List() []File
	// Read returns the content of a listed file. It should refuse what is too large to parse.
	Read(name string) ([]byte, error)
}

// File is one of them.
type File struct {
	Name string // with slashes
	// Key differs from that of any other content: Memory knows the file by it.
	Key     string
	DebugID string // "" if it has none
	// ByID: the file is found by its debug id only, not by its name.
	ByID bool
}

// In looks for the scripts of a profile in files. Maps and tables in memory are not parsed
// again; it may be nil.
func In(p *profile.Profile, files Files, memory *Memory) *Found {
	t := &tree{name: "the files", other: files, files: map[string]bool{}, bases: map[string][]string{}, ids: map[string]string{}, keys: map[string]string{}}
	for _, file := range files.List() {
		if len(t.files) == maxFiles {
			break
		}
		t.files[file.Name], t.keys[file.Name] = true, file.Key
		if !file.ByID {
			t.bases[path.Base(file.Name)] = append(t.bases[path.Base(file.Name)], file.Name)
		}
		if file.DebugID != "" {
			t.ids[file.Name] = file.DebugID
		}
	}
	f := newFinder(p, memory)
	f.maps, f.tables = []*tree{t}, []*tree{t}
	f.find(scriptsOf(p))
	return f.found
}
