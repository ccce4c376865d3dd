package training

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Merge adds up counts of one build.
func Merge(all ...*Counts) (*Counts, error) {
	if len(all) == 0 {
		return nil, errors.New("there are no counts to merge")
	}
	merged := *all[0]
	merged.Sessions, merged.Milliseconds, merged.Files, merged.from = 0, 0, nil, ""
	at := map[Script]int{}
	for _, c := range all {
		switch {
		case c.Build != merged.Build:
			return nil, fmt.Errorf("%s is of build %s, %s of %s: counts of different builds do not add up", c.From(), c.Build, all[0].From(), merged.Build)
		case c.Preset != merged.Preset:
			return nil, fmt.Errorf("%s is of preset %s, %s of %s: their sites differ", c.From(), c.Preset, all[0].From(), merged.Preset)
		}
		merged.Sessions += c.Sessions
		merged.Milliseconds += c.Milliseconds
		for i := range c.Files {
			f := &c.Files[i]
			known, ok := at[Script{f.File, f.Hash}]
			if !ok {
				known = len(merged.Files)
				at[Script{f.File, f.Hash}] = known
				merged.Files = append(merged.Files, File{File: f.File, Hash: f.Hash})
			}
			if err := merged.Files[known].add(f); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", c.From(), f.File, err)
			}
		}
	}
	if err := merged.check(); err != nil {
		return nil, fmt.Errorf("added up: %w", err)
	}
	return &merged, nil
}

// add adds the counts of the same script.
func (f *File) add(other *File) error {
	at := map[int32]int{}
	for i := range f.Functions {
		at[f.Functions[i].Index] = i
	}
	for _, function := range other.Functions {
		if i, ok := at[function.Index]; !ok {
			f.Functions = append(f.Functions, function.clone())
		} else if !f.Functions[i].add(&function) {
			return fmt.Errorf("%s is %s elsewhere, with other sites: they are not of one build", &function, &f.Functions[i])
		}
	}
	slices.SortFunc(f.Functions, func(a, b Function) int { return cmp.Compare(a.Index, b.Index) })
	return nil
}

// clone copies the executions, which add changes.
func (f *Function) clone() Function {
	c := *f
	c.Loops = slices.Clone(f.Loops)
	for _, n := range []**int64{&c.Entry, &c.Exit} {
		if *n != nil {
			executions := **n
			*n = &executions
		}
	}
	return c
}

// add reports whether the other is the same function.
func (f *Function) add(other *Function) bool {
	if f.Line != other.Line || f.Column != other.Column || f.Name != other.Name || f.Statements != other.Statements || f.Iterates != other.Iterates ||
		f.Sites() != other.Sites() || len(f.Loops) != len(other.Loops) {
		return false
	}
	if f.Entry != nil {
		*f.Entry = sum(*f.Entry, *other.Entry)
	}
	if f.Exit != nil {
		*f.Exit = sum(*f.Exit, *other.Exit)
	}
	for i := range f.Loops {
		f.Loops[i] = sum(f.Loops[i], other.Loops[i])
	}
	return true
}

// sum stays just above what counts may say, where it would exceed that: check refuses it, however
// many files there are.
func sum(a, b int64) int64 { return min(a+b, mostExecutions+1) }
