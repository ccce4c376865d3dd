// Package formattest is what the tests of formats have in common.
package formattest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

type (
	// Reader is the Read of a format.
	Reader = func(io.Reader) (*profile.Profile, error)
	// Writer is the Write of a format.
	Writer = func(io.Writer, *profile.Profile) error
)

// Written is a profile as a format writes it.
func Written(t testing.TB, write Writer, p *profile.Profile) *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, write(&out, p))
	return &out
}

// Zipped is a text as gzip compresses it.
func Zipped(text ...string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	for _, part := range text {
		_, _ = io.WriteString(z, part) // to memory: it cannot fail
	}
	_ = z.Close()
	return out.Bytes()
}

// Parsed is the profile that a format reads.
func Parsed(t testing.TB, read Reader, in io.Reader) *profile.Profile {
	t.Helper()
	return must.Get(read(in))(t)
}

// File is the profile in a file.
func File(t testing.TB, read Reader, path string) *profile.Profile {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	return Parsed(t, read, bytes.NewReader(data))
}

// Fault is a file that Read rejects with an error that contains Want.
type Fault = struct{ Name, In, Want string }

// Rejects fails unless Read rejects every file for its fault.
func Rejects(t *testing.T, read Reader, faults []Fault) {
	t.Helper()
	for _, f := range faults {
		must.Refuse(read(strings.NewReader(f.In)))(t, f.Want, f.Name, f.In)
	}
}

// RejectsChanged fails unless Read rejects a sound file in which old is replaced.
func RejectsChanged(t *testing.T, read Reader, sound string, faults []Change) {
	t.Helper()
	if _, err := read(strings.NewReader(sound)); err != nil {
		t.Fatalf("%s: %v", sound, err)
	}
	for _, c := range faults {
		old, in := c.Old, c.New
		if old != "" {
			in = strings.Replace(sound, old, c.New, 1)
		}
		must.Refuse(read(strings.NewReader(in)))(t, c.Want, c.New, c.Old)
	}
}

// Change is a change that makes a sound file faulty. Without Old, New is the file.
type Change = struct{ Old, New, Want string }

// SelfTimes is the table of a profile in one line.
func SelfTimes(p *profile.Profile) string {
	return table(p, func(r view.Row) string { return fmt.Sprintf("%s %v", r.Name, r.SelfTime) })
}

// SelfTicks is the same in ticks.
func SelfTicks(p *profile.Profile) string {
	return table(p, func(r view.Row) string { return fmt.Sprintf("%s %d×%v", r.Name, r.Self, p.Meta.Interval) })
}

func table(p *profile.Profile, text func(view.Row) string) string {
	var all []string
	for _, r := range view.Flat(p) {
		if r.Self > 0 {
			all = append(all, text(r))
		}
	}
	return strings.Join(all, ", ")
}

// Spell spells out every sample; one without a stack has that of its pseudo-function.
func Spell(p *profile.Profile) (all []string) {
	for i := range p.Len() {
		s := p.Sample(i)
		var frames []string
		if s.Stack == profile.NoStack {
			frames = []string{fmt.Sprint(profile.Function{Name: s.Kind.PseudoName(), Flags: profile.Pseudo}, 0, 0)}
		}
		for at := s.Stack; at != profile.NoStack; at = p.Stacks.Parent[at] {
			f := p.Stacks.Frame[at]
			frames = append(frames, fmt.Sprint(p.Function(p.Frames.Function[f]), p.Frames.Line[f], p.Frames.Column[f]))
		}
		all = append(all, fmt.Sprint(s.Time, s.Weight, s.Kind, s.Skid, frames))
	}
	return all
}

// Format is a format as its fuzzer knows it.
type Format struct {
	Read  Reader
	Write Writer
	// Skip says which profiles are not written, such as those whose text would be too
	// long for a test.
	Skip func(*profile.Profile) bool
	// NoRoom is what errors say if the format cannot hold a profile that was read;
	// NotAgain what they say if Read does not accept what was written.
	NoRoom, NotAgain []string
}

// Fuzz reads files, writes what they say and reads that: both profiles must have the
// same of what counts.
func (f Format) Fuzz(fuzz *testing.F, counts func(*profile.Profile) string) {
	fuzz.Fuzz(func(t *testing.T, data []byte) {
		if p, q := f.Again(t, data); p != nil && counts(p) != counts(q) {
			t.Fatalf("%s, then %s", counts(p), counts(q))
		}
	})
}

// Again returns both profiles, or nil if one of the steps fails as it may.
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
