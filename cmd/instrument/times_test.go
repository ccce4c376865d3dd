package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/format/folded"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
	"github.com/fieldprof/fieldprof/transform/training"
)

// minified is a line of five functions, of which three have no name and two the same one, and two more files
// that are called alike.
func minified() *training.Counts {
	at := func(index, column int32, name string) training.Function {
		return training.Function{Index: index, Line: 1, Column: column, Name: name}
	}
	return &training.Counts{Files: []training.File{
		{File: "assets/app.js", Functions: []training.Function{at(1, 10, "hot"), at(2, 50, ""), at(3, 90, ""), at(4, 130, "e"), at(5, 170, "e")}},
		{File: "a/index.js", Functions: []training.Function{at(1, 10, ""), at(2, 20, "same")}},
		{File: "b/index.js", Functions: []training.Function{at(1, 10, ""), at(2, 30, "same")}},
	}}
}

// A function gets no time that the profile shows for another one, even where the profile says too little to tell
// them apart.
func TestTimesOfAProfile(t *testing.T) {
	functions := []struct {
		profile.Function
		ticks int
	}{
		{profile.Function{Name: "hot", File: "https://shop.example/assets/app.js?v=41", Line: 1, Column: 10}, 900},
		{profile.Function{File: "https://shop.example/assets/app.js?v=41", Line: 1, Column: 50}, 10},
		{profile.Function{Name: "e", File: "https://shop.example/assets/app.js?v=41", Line: 1, Column: 130}, 20},
		{profile.Function{File: "https://shop.example/a/index.js", Line: 1, Column: 10}, 30},
		{profile.Function{Name: "same", File: "https://shop.example/b/index.js", Line: 1, Column: 30}, 40},
	}
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond, Duration: time.Second}}
	now := int64(0)
	for _, f := range functions {
		stack := b.Stack(profile.NoStack, b.Frame(b.Function(f.Function), 1, f.Column+2))
		for range f.ticks {
			now += int64(time.Millisecond)
			b.Sample(profile.Sample{Time: now, Stack: stack, Weight: 1})
		}
	}
	p := b.Profile()
	for _, c := range []struct {
		file  string
		write func(io.Writer, *profile.Profile) error
		want  []float64 // milliseconds, by file and function
	}{
		{"with-columns.cpuprofile", cpuprofile.Write, []float64{900, 10, 0, 20, 0, 30, 0, 0, 40}},
		{"without-columns.pb.gz", pprof.Write, []float64{900, 0, 0, 0, 0, 30, 0, 0, 40}},
		{"names.folded", folded.Write, []float64{900, 0, 0, 0, 0, 30, 0, 0, 0}},
	} {
		var text bytes.Buffer
		must.Do(t, c.write(&text, p))
		file := filepath.Join(t.TempDir(), c.file)
		must.Do(t, os.WriteFile(file, text.Bytes(), 0o644))
		flags := trainFlags{profile: file}
		counts := minified()
		of := must.Get(flags.times(counts))(t)
		var got []float64
		for i := range counts.Files {
			for k := range counts.Files[i].Functions {
				got = append(got, of(counts.Files[i].File, &counts.Files[i].Functions[k])/1e6)
			}
		}
		must.Equal(t, got, c.want, c.file)
		if len(flags.warnings) > 0 {
			t.Errorf("%s: %v", c.file, flags.warnings)
		}
		flags = trainFlags{profile: file}
		other := &training.Counts{Files: []training.File{{File: "other.js", Functions: []training.Function{{Index: 1, Line: 1, Column: 1, Name: "cold"}}}}}
		must.Get(flags.times(other))(t)
		if len(flags.warnings) != 1 || !strings.Contains(flags.warnings[0].Text, "only 0% of its functions' time is in functions that were counted") {
			t.Errorf("%s: %v", c.file, flags.warnings)
		}
	}
}
