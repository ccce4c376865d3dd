package bias

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/profile"
)

// Recording is the result of one run, or the reason why it has none.
type Recording struct {
	Engine  string `json:"engine"`
	Version string `json:"version,omitempty"` // of an engine that is a Node
	Program string `json:"program"`
	Variant string `json:"variant,omitempty"` // of a program that was changed to account for itself
	Round   int    `json:"round"`
	Extra   int    `json:"extra,omitempty"` // the number of earlier runs of the way in the round
	Way     Way    `json:"way"`
	// Args are the program's. Runs with the same arguments have to print the same.
	Args []string `json:"args,omitempty"`

	CPU     time.Duration `json:"cpuNs"`
	Elapsed time.Duration `json:"elapsedNs"`
	Output  string        `json:"output"` // a digest
	// Profile is raw: stacks as captured, with their site kinds.
	Profile *profile.Profile `json:"profile,omitempty"`
	// Functions are the program's, with those that have checks marked Checked; of
	// profiled runs.
	Functions []profile.Function `json:"functions,omitempty"`
	// Parsed are the program's functions as an independent parser finds them, of the
	// truth; Unparsed says why it could not.
	Parsed   []Parsed `json:"parsed,omitempty"`
	Unparsed string   `json:"unparsed,omitempty"`
	// Account is self time by function, of programs that account for it themselves.
	Account map[string]float64 `json:"account,omitempty"`
	// Load is what else the machine had to do.
	Load *figures.Load `json:"load,omitempty"`
	// Skipped says why the run has no result.
	Skipped string `json:"skipped,omitempty"`

	took   time.Duration // with all that is around the run
	packed bool          // a program's part of the recording of a pack
}

// accounts reports whether the program accounts for its times.
func (r *Recording) accounts() bool { return r.Variant == Clocked || r.Way.Use == Traced }

// kept is the name of a recording's file.
const kept = ".recording.json.gz"

// Keep writes a recording into a directory.
func Keep(directory string, n int, r *Recording) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	var text bytes.Buffer
	packed := gzip.NewWriter(&text)
	if err := errors.Join(json.NewEncoder(packed).Encode(r), packed.Close()); err != nil {
		return err
	}
	return figures.Replace(filepath.Join(directory, fmt.Sprintf("%05d%s", n, kept)), text.Bytes())
}

// maxRecording bounds the unpacked size of a file.
const maxRecording = 1 << 30

// ReadKept reads the recordings of a directory in the order in which they were made.
// The error names the bad file.
func ReadKept(directory string) ([]*Recording, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), kept) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no recordings (*%s); bench bias --keep makes them", directory, kept)
	}
	slices.Sort(names)
	var all []*Recording
	for _, name := range names {
		r, err := readRecording(os.DirFS(directory), name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(directory, name), err)
		}
		all = append(all, r)
	}
	return all, nil
}

func readRecording(in fs.FS, name string) (*Recording, error) {
	file, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	limited := &io.LimitedReader{R: packed, N: maxRecording}
	var r Recording
	if err := json.NewDecoder(limited).Decode(&r); err != nil {
		if limited.N <= 0 {
			return nil, fmt.Errorf("is larger than %d MB", maxRecording>>20)
		}
		return nil, err
	}
	if r.Profile != nil {
		if err := r.Profile.CheckValid(); err != nil {
			return nil, err
		}
	}
	return &r, nil
}
