package services

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/symbols"
	"github.com/fieldprof/fieldprof/profile/view"
)

// hottest is how many functions of Node's profiler are looked for in ours.
const hottest = 10

// Profiles are what two profilers say of a service.
type Profiles struct {
	Ticks   int64 `json:"ticks"`   // of our profile, while the service was busy
	Files   int   `json:"files"`   // that they came in
	Program Share `json:"program"` // in no function of the service
	Shown   int   `json:"shown"`   // of Node's ten hottest, those in our profile
	Among   int   `json:"among"`   // and those among its ten hottest
	Hottest []Hot `json:"hottest"`
}

// Share is a part of the busy time in percent, in our profile and in Node's.
type Share struct {
	Ours float64 `json:"ours"`
	Node float64 `json:"node"`
}

// Hot is a function with its own time.
type Hot struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int32  `json:"line"`
	Share
	Rank int `json:"rank"` // in our profile, from 1; 0: it is not there
}

// read compares the profiles that a service and Node wrote.
func (s *Service) read(folder string) error {
	ours, files, err := merged(filepath.Join(profilesFolder(folder, continuous), "*.pb.gz"))
	if err != nil {
		return err
	}
	theirs, _, err := merged(filepath.Join(profilesFolder(folder, sampled), "*.cpuprofile"))
	if err != nil {
		return err
	}
	found, err := symbols.Find(theirs, []string{filepath.Join(folder, cleanFolder)}, nil)
	if err != nil {
		return err
	}
	theirs = profile.Fold(found.Symbolize(theirs, false), func(f profile.Function) bool {
		return f.File == "" || strings.HasPrefix(f.File, "node:")
	})
	s.Profiles = compare(ours, theirs)
	s.Profiles.Files = files
	return nil
}

// merged is one profile of all files.
func merged(pattern string) (p *profile.Profile, files int, err error) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, 0, err
	}
	if len(paths) == 0 {
		return nil, 0, fmt.Errorf("there is no %s", filepath.Base(pattern))
	}
	var list []*profile.Profile
	for _, path := range paths {
		one, readErr := format.ReadFile(path)
		if readErr != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", filepath.Base(path), readErr))
			continue
		}
		list = append(list, one)
	}
	if err != nil {
		return nil, 0, err
	}
	p, err = profile.Merge(list...)
	return p, len(list), err
}

// place names a function in both profiles.
type place struct {
	name, file string
	line       int32
}

func placeOf(r *view.Row) place { return place{r.Name, filepath.Base(r.File), r.Line} }

// compare looks for the hottest functions of Node's profile in ours.
func compare(ours, theirs *profile.Profile) (p Profiles) {
	mine, inOurs, all := functionsOf(ours)
	other, inTheirs, whole := functionsOf(theirs)
	p.Ticks, p.Program = all, Share{Ours: percent(inOurs, all), Node: percent(inTheirs, whole)}
	ranks := map[place]int{}
	for i := range mine {
		if mine[i].Self > 0 {
			ranks[placeOf(&mine[i])] = i + 1
		}
	}
	for i := range other[:min(hottest, len(other))] {
		row := &other[i]
		hot := Hot{Name: row.Name, File: filepath.Base(row.File), Line: row.Line, Rank: ranks[placeOf(row)]}
		hot.Node = percent(row.Self, whole)
		if hot.Rank > 0 {
			hot.Ours = percent(mine[hot.Rank-1].Self, all)
			p.Shown++
			if hot.Rank <= hottest {
				p.Among++
			}
		}
		p.Hottest = append(p.Hottest, hot)
	}
	return p
}

// functionsOf are a profile's functions, hottest first, with its ticks in (program) and all
// that are busy.
func functionsOf(p *profile.Profile) (rows []view.Row, program, busy int64) {
	for i, s := range p.Samples.Stack {
		if p.IsBusy(s) {
			busy += int64(p.Samples.Weight[i])
		}
	}
	for _, row := range view.Flat(p) {
		switch pseudo := p.Function(row.Function).Flags&profile.Pseudo != 0; {
		case !pseudo:
			rows = append(rows, row)
		case row.Name == profile.NameProgram:
			program = row.Self
		}
	}
	return rows, program, busy
}

func percent(part, whole int64) float64 { return 100 * float64(part) / float64(max(1, whole)) }
