package bias

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// A whole plan takes an hour and more, and may be interrupted. A later run can go on in the
// directory that it keeps its recordings in:
//
//	what the directory has of a block       the block
//	every way                               is not run again
//	only some ways                          is run, and they are removed
//	that there was no time for it           is run, and that is removed
//
// Recordings of blocks that the plan lacks stay. Since figures of two machines or of two
// releases of an engine are not comparable, a run goes on only where the former one was.

// earlier is what the directory of an interrupted run has for a plan.
type earlier struct {
	manifest   *archive.Manifest
	recordings []*Recording
	last       int      // the highest number of a file
	stale      []string // files of recordings that are made again
}

// resume reads the recordings of a directory, and takes what they complete off the plan.
// It changes nothing on disk.
func (p *Plan) resume(directory string, here figures.Origin) (*earlier, error) {
	manifest, err := archive.Verify(directory, archive.Recordings)
	if err != nil {
		return nil, err
	}
	if manifest.Origin == nil {
		return nil, fmt.Errorf("%s: does not say where its recordings were made, so nothing can be added to them", directory)
	}
	if differences := here.Machine.Differs(manifest.Origin.Machine); len(differences) > 0 {
		return nil, fmt.Errorf("%s: was recorded elsewhere, and is not comparable (%s): name another directory", directory, strings.Join(differences, ", "))
	}
	recordings, err := ReadKept(directory)
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(manifest.Files)) // in the order of recordings
	e := &earlier{manifest: manifest}
	if _, err := fmt.Sscanf(names[len(names)-1], "%d", &e.last); err != nil {
		return nil, fmt.Errorf("%s: is no name of a recording", filepath.Join(directory, names[len(names)-1]))
	}
	made := map[run]bool{}
	for _, r := range recordings {
		made[runOf(r)] = made[runOf(r)] || !isLate(r.Skipped)
	}
	again := map[run]bool{}
	p.Blocks = slices.DeleteFunc(p.Blocks, func(b Block) bool {
		planned := b.planned()
		lacking := slices.ContainsFunc(planned, func(r run) bool { return !made[r] })
		for _, r := range planned {
			again[r] = lacking
		}
		return !lacking
	})
	for i, r := range recordings {
		if again[runOf(r)] || isLate(r.Skipped) {
			e.stale = append(e.stale, filepath.Join(directory, names[i]))
		} else {
			e.recordings = append(e.recordings, r)
		}
	}
	return e, nil
}

// remove removes the files of recordings that are made again.
func (e *earlier) remove() error {
	for _, name := range e.stale {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// run names a planned run among those of all plans. Runs that only balance counts have the
// name of the one that they add to.
type run struct {
	engine, program, variant string
	round                    int
	way                      Way
}

func runOf(r *Recording) run { return run{r.Engine, r.Program, r.Variant, r.Round, r.Way} }

// planned are the runs of a block.
func (b *Block) planned() []run {
	var runs []run
	for _, way := range b.Ways {
		runs = append(runs, run{b.Engine, b.Program.Name, b.variant(), b.Round, way})
	}
	return runs
}
