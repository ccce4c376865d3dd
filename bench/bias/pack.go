package bias

import (
	"path"
	"time"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// packs is in how many processes a pack runs, each with an order of its own: an engine
// decides what to inline for all programs of a process.
const packs = 3

// packScale is how long a pack's programs run in each, compared with one to two seconds: many
// of them make a plan long.
func packScale(engine string) float64 {
	if browser.Is(engine) {
		return 0.4 / packs
	}
	return 0.6 / packs
}

// unpack replaces the recordings of packs of programs by recordings of the programs.
func unpack(recordings []*Recording) []*Recording {
	pack := fixtures.Pack()
	var all []*Recording
	for _, r := range recordings {
		if r.Program != pack.Name || r.Skipped != "" {
			all = append(all, r)
			continue
		}
		if r.Profile == nil {
			continue // the clean run, whose output was compared
		}
		files := filesOf(r.Profile)
		for _, program := range pack.Packs {
			one := *r
			one.Program, one.CPU, one.Elapsed, one.Output, one.Functions, one.packed = program.Name, 0, 0, "", nil, true
			one.Profile = partOf(r.Profile, files, path.Base(program.Path))
			all = append(all, &one)
		}
	}
	return all
}

// filesOf are the base names of the programs that stacks of a pack are in, "" for stacks in
// none. All programs of a pack are in one folder.
func filesOf(p *profile.Profile) []string {
	files := make([]string, len(p.Stacks.Parent))
	for i, parent := range p.Stacks.Parent { // callers come first
		if parent != profile.NoStack && files[parent] != "" {
			files[i] = files[parent]
			continue
		}
		if f := p.Function(p.Frames.Function[p.Stacks.Frame[i]]); path.Base(path.Dir(f.File)) == "exact" {
			files[i] = path.Base(f.File)
		}
	}
	return files
}

// partOf is a program's part of a profile: the samples in it, and those in no program (waits,
// the collector) from its first sample to its last. It is empty if none is in it.
func partOf(p *profile.Profile, files []string, name string) *profile.Profile {
	fileOf := func(s profile.Sample) string {
		if s.Stack == profile.NoStack {
			return ""
		}
		return files[s.Stack]
	}
	first, end := -1, 0
	for i := range p.Len() {
		if fileOf(p.Sample(i)) == name {
			if end = i + 1; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return profile.Between(p, 0, 0)
	}
	part := profile.Between(p, time.Duration(p.Samples.Time[first]), time.Duration(p.Samples.Time[end-1]+1))
	samples := part.Samples
	part.Samples = profile.Samples{}
	for i, at := range samples.Time {
		s := profile.Sample{Stack: samples.Stack[i]}
		if file := fileOf(s); file != name && file != "" {
			continue
		}
		kept := &part.Samples
		kept.Time, kept.Stack, kept.Weight = append(kept.Time, at), append(kept.Stack, s.Stack), append(kept.Weight, samples.Weight[i])
		kept.Kind, kept.Skid = append(kept.Kind, samples.Kind[i]), append(kept.Skid, samples.Skid[i])
	}
	return part
}
