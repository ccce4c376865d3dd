package archive

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// ManifestName is the manifest's file in its folder.
const ManifestName = "MANIFEST.json"

// Version is the version of the manifest and of the files it lists. It grows when programs
// that read the former version would misread the new one.
const Version = 1

// The patterns of the files that a manifest lists.
const (
	Recordings = "*.recording.json.gz" // raw samples, and nothing else in the folder
	Results    = "*.json"              // reports, with tables and plots next to them
)

// Manifest lists the files of a folder.
type Manifest struct {
	Version int    `json:"version"`
	Pattern string `json:"pattern"` // of the names of the files
	// Origin and Took are of raw samples; reports have their own.
	Origin *figures.Origin `json:"origin,omitempty"`
	Took   time.Duration   `json:"tookNs,omitempty"`
	Files  map[string]File `json:"files"` // by name
}

// File is one file of the folder.
type File struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// The bounds of a folder that is verified or unpacked: a whole plan takes some hundred
// megabytes in a few thousand files.
const (
	maxFiles    = 100_000
	maxFile     = 1 << 30
	maxTotal    = 16 << 30
	maxManifest = 32 << 20
)

// plain names cannot leave their folder, on any system.
var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)

// Record writes reports, by their names, into a folder of results and seals it.
func Record(folder string, reports map[string]figures.Report) error {
	for _, name := range slices.Sorted(maps.Keys(reports)) {
		if err := figures.Write(folder, name, reports[name]); err != nil {
			return err
		}
	}
	return Seal(folder, Manifest{Pattern: Results})
}

// Seal writes the manifest of a folder. Its files are those that match the pattern.
func Seal(folder string, m Manifest) error {
	names, err := list(folder, m.Pattern)
	if err != nil {
		return err
	}
	m.Version, m.Files = Version, map[string]File{}
	for _, name := range names {
		if !plain.MatchString(name) {
			return fmt.Errorf("%s: is no name for a file of an archive", filepath.Join(folder, name))
		}
		if m.Files[name], err = sum(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(&m, "", "  ")
	if err != nil {
		return err
	}
	return figures.Replace(filepath.Join(folder, ManifestName), append(text, '\n'))
}

// list are the names of a folder's files that match a pattern, in order.
func list(folder, pattern string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if ok, err := path.Match(pattern, e.Name()); err != nil {
			return nil, err
		} else if ok && e.Name() != ManifestName {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// sum reads a file, which must be a regular one.
func sum(path string) (File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return File{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return File{}, fmt.Errorf("%s: is no regular file of at most %d MB", path, maxFile>>20)
	}
	file, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, io.LimitReader(file, maxFile))
	return File{n, hex.EncodeToString(hash.Sum(nil))}, err
}

// Verify reads the manifest of a folder, and checks that the files that match the
// pattern are those it lists, to the byte. The error names each that is not.
func Verify(folder, pattern string) (*Manifest, error) {
	at := filepath.Join(folder, ManifestName)
	m, err := readManifest(at, pattern)
	if err != nil {
		return nil, err
	}
	names, err := list(folder, pattern)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, name := range names {
		if _, ok := m.Files[name]; !ok {
			faults = append(faults, fmt.Errorf("%s: is not in the manifest", filepath.Join(folder, name)))
		}
	}
	for name, want := range m.Files {
		if fault := checkFile(filepath.Join(folder, name), want); fault != nil {
			faults = append(faults, fault)
		}
	}
	slices.SortFunc(faults, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	if n := len(faults); n > mostFaults {
		faults = append(faults[:mostFaults], fmt.Errorf("%s: and %d more", folder, n-mostFaults))
	}
	return m, errors.Join(faults...)
}

// mostFaults of a folder are spelled out.
const mostFaults = 20

func readManifest(at, pattern string) (*Manifest, error) {
	file, err := os.Open(at)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: is missing, so the files next to it cannot be verified (go run ./bench archive seal makes it)", at)
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	limited := &io.LimitedReader{R: file, N: maxManifest}
	var m Manifest
	err = json.NewDecoder(limited).Decode(&m)
	switch {
	case limited.N <= 0:
		err = fmt.Errorf("is larger than %d MB", maxManifest>>20)
	case err != nil:
	case m.Version != Version:
		err = fmt.Errorf("is of version %d, and this program reads version %d", m.Version, Version)
	case m.Pattern != pattern:
		err = fmt.Errorf("is of the files %q, and not of %q", m.Pattern, pattern)
	case len(m.Files) == 0 || len(m.Files) > maxFiles:
		err = fmt.Errorf("lists %d files, and not 1 to %d", len(m.Files), maxFiles)
	default:
		err = m.checkNames()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return &m, nil
}

func (m *Manifest) checkNames() error {
	for name := range m.Files {
		if ok, _ := path.Match(m.Pattern, name); !ok || !plain.MatchString(name) || name == ManifestName {
			return fmt.Errorf("lists %q, which is no name for a file of this archive", name)
		}
	}
	return nil
}

func checkFile(at string, want File) error {
	got, err := sum(at)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: is missing", at)
	case err != nil:
		return err
	case got.Bytes != want.Bytes:
		return fmt.Errorf("%s: was altered: it has %d bytes, and the manifest says %d", at, got.Bytes, want.Bytes)
	case got != want:
		return fmt.Errorf("%s: was altered: its sum is not the manifest's", at)
	}
	return nil
}
