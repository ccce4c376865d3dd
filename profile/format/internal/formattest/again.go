// Package formattest is what the fuzzers of formats have in common.
package formattest

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/profile"
)

// Format is what a fuzzer knows of a format.
type Format struct {
	Read  func(io.Reader) (*profile.Profile, error)
	Write func(io.Writer, *profile.Profile) error
	// Skip says which profiles are not to be written, such as those whose text would
	// be too long for a test.
	Skip func(*profile.Profile) bool
	// NoRoom is what errors say where the format has no room for a profile that was
	// read; NotAgain what they say where what was written is more than Read takes.
	NoRoom, NotAgain []string
}

// Again reads data, writes what it says and reads that. Both profiles are nil where
// one of these is refused as it may be.
func (f Format) Again(t *testing.T, data []byte) (first, second *profile.Profile) {
	t.Helper()
	first, err := f.Read(bytes.NewReader(data))
	if err != nil || f.Skip != nil && f.Skip(first) {
		return nil, nil
	}
	var out bytes.Buffer
	if err := f.Write(&out, first); err != nil {
		excuse(t, err, f.NoRoom)
		return nil, nil
	}
	if second, err = f.Read(&out); err != nil {
		excuse(t, err, f.NotAgain)
		return nil, nil
	}
	return first, second
}

// excuse fails unless an error says one of the texts.
func excuse(t *testing.T, err error, texts []string) {
	t.Helper()
	if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(err.Error(), text) }) {
		t.Fatal(err)
	}
}
