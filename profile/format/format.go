// Package format chooses among the file formats of profiles, by a file's
// extension or by its first bytes. Each format is a package of its own below;
// its documentation says what it keeps and what it drops.
//
// Writers take attributed profiles (see profile.Attribute) and write them as
// they are.
package format

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
)

// All returns the formats, in the order in which they are listed for users.
func All() []Format { return slices.Clone(formats) }

// ByName returns the format of a name.
func ByName(name string) (Format, error) {
	var names []string
	for _, f := range formats {
		if f.Name == strings.ToLower(name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown format %q; known are %s", name, strings.Join(names, ", "))
}

// ForPath returns the format of a file by the longest known extension of its name.
func ForPath(path string) (Format, error) {
	base := strings.ToLower(filepath.Base(path))
	if !strings.HasSuffix(base, ".pb.gz") {
		base = strings.TrimSuffix(base, ".gz")
	}
	best, length := -1, 0
	for i, f := range formats {
		for _, e := range f.Extensions {
			if strings.HasSuffix(base, e) && len(e) > length {
				best, length = i, len(e)
			}
		}
	}
	if best >= 0 {
		return formats[best], nil
	}
	if base != strings.ToLower(filepath.Base(path)) && filepath.Ext(base) == "" {
		return Format{}, fmt.Errorf("%q says that it is gzipped, but not which format is: put its extension before .gz, such as %q; known are %s", path, base+".cpuprofile.gz", extensions())
	}
	return Format{}, fmt.Errorf("%q: no profile format has this extension; known are %s", path, extensions())
}

func extensions() string {
	var all []string
	for _, f := range formats {
		all = append(all, fmt.Sprintf("%s (%s)", strings.Join(f.Extensions, " "), f.Name))
	}
	return strings.Join(all, ", ")
}

// WriteAs writes a profile into a file of this name: gzipped if the name ends in .gz,
// or if the format always is.
func (f Format) WriteAs(w io.Writer, path string, p *profile.Profile) error {
	if !strings.HasSuffix(strings.ToLower(path), ".gz") || f.note&alwaysZipped != 0 {
		return f.Write(w, p)
	}
	z := gzip.NewWriter(w)
	if err := f.Write(z, p); err != nil {
		return err
	}
	return z.Close()
}

// ReadFile reads a profile from a file, as Read does.
func ReadFile(path string) (*profile.Profile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, _, err := Read(f, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}
