package main

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/fieldprof/fieldprof/internal/pathglob"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/transform/builddir"
	"github.com/fieldprof/fieldprof/transform/training"
)

// times reads how long --profile shows each function that was counted itself, and warns if little
// of the profile is in them.
func (f *trainFlags) times(counts *training.Counts) (training.Times, error) {
	p, err := (&symbolFlags{}).readProfile(f.profile)
	if err != nil {
		return nil, err
	}
	shown := shownTimes(p, counts)
	if found := shown.found(counts); found < shown.all/2 {
		f.warnings = append(f.warnings, builddir.Warning{File: f.profile, Text: fmt.Sprintf("only %.0f%% of its functions' time is in functions that were counted: is it of this build?", 100*found/max(shown.all, 1))})
	}
	return shown.of, nil
}

// definition is where a function begins. No format has one without a column.
type definition struct {
	file         string
	line, column int32
}

// label is what tells functions apart where a profile has no columns, or other ones: their file, line
// and name; or, without a place, their name.
type label struct {
	file       string
	line       int32
	name       string // "" if it has none
	isTopLevel bool
}

// times are the times that a profile shows in functions. Files are named as in the counts.
type times struct {
	at      map[definition]float64
	labeled map[label]labeled
	counted map[label]int // functions that were counted, by label
	all     float64
}

// labeled are the functions of a profile with one label.
type labeled struct {
	functions int
	time      float64
}

func shownTimes(p *profile.Profile, counts *training.Counts) *times {
	t := &times{at: map[definition]float64{}, labeled: map[label]labeled{}, counted: map[label]int{}}
	files := newCountedFiles(counts)
	for file, f := range counts.Functions() {
		for _, l := range labels(file.File, f) {
			t.counted[l]++
		}
	}
	p = profile.Attribute(p, profile.BySite)
	for _, row := range view.Flat(p) {
		if fn := p.Function(row.Function); fn.Flags&(profile.Pseudo|profile.NativeCode) == 0 {
			time := float64(row.SelfTime)
			if time == 0 { // without a clock: only proportions count
				time = float64(row.Self) * 1e6
			}
			t.add(fn, files.of(fn.File), time)
		}
	}
	return t
}

// add adds the time of a function of the profile, in a file of the counts or none.
func (t *times) add(fn profile.Function, file string, time float64) {
	t.all += time
	if file != "" && fn.Column != 0 {
		t.at[definition{file, fn.Line, fn.Column}] += time
	}
	var all []label
	if file != "" && fn.Line != 0 {
		all = append(all, label{file, fn.Line, fn.Name, fn.Flags&profile.TopLevel != 0})
	}
	if fn.Name != "" {
		all = append(all, label{name: fn.Name})
	}
	for _, l := range all {
		sum := t.labeled[l]
		t.labeled[l] = labeled{sum.functions + 1, sum.time + time}
	}
}

// labels are the labels of a function that was counted, the best first.
func labels(file string, f *training.Function) []label {
	all := []label{{file, f.Line, f.Name, f.Index == 0}}
	if f.Name != "" {
		all = append(all, label{name: f.Name})
	}
	return all
}

// of is the time of a function: by its definition, or by a label that is of no other function, neither
// of the profile nor of the counts.
func (t *times) of(file string, f *training.Function) float64 {
	if time, ok := t.at[definition{file, f.Line, f.Column}]; ok {
		return time
	}
	for _, l := range labels(file, f) {
		if shown := t.labeled[l]; shown.functions == 1 && t.counted[l] == 1 {
			return shown.time
		}
	}
	return 0
}

// found is the time of all functions that were counted.
func (t *times) found(counts *training.Counts) (sum float64) {
	for file, f := range counts.Functions() {
		sum += t.of(file.File, f)
	}
	return sum
}

// countedFiles finds the files of counts, which are paths in a build, by the files of profiles, which are URLs
// or in other folders.
type countedFiles struct{ byBase map[string][]string }

func newCountedFiles(counts *training.Counts) *countedFiles {
	files := &countedFiles{map[string][]string{}}
	for i := range counts.Files {
		file := counts.Files[i].File
		base := path.Base(file)
		files.byBase[base] = append(files.byBase[base], file)
	}
	return files
}

// of returns the file whose path has the longest end in common with the profile's; of several such files, the one
// with the shortest path. It is "" if there is no such file, or if two are equally good.
func (c *countedFiles) of(name string) string {
	wanted := pathglob.Deployed(name)
	found, most, isOnly := "", [2]int{}, false
	for _, file := range c.byBase[path.Base(wanted)] {
		score := [2]int{pathglob.CommonEnd(file, wanted), -strings.Count(file, "/")}
		switch order := cmp.Or(cmp.Compare(score[0], most[0]), cmp.Compare(score[1], most[1])); {
		case found == "", order > 0:
			found, most, isOnly = file, score, true
		case order == 0 && file != found: // scripts of one page have one name
			isOnly = false
		}
	}
	if !isOnly {
		return ""
	}
	return found
}
