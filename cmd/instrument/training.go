package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
	"github.com/fieldprof/fieldprof/transform/training"
)

// trainFlags count sites, and place checks by what was counted.
type trainFlags struct {
	train       bool
	counts      string
	maxOverhead string
	profile     string

	warnings []builddir.Warning // of apply
}

func (f *trainFlags) addTo(flags *pflag.FlagSet, train string) {
	flags.BoolVar(&f.train, "train", false, train)
	flags.StringVar(&f.counts, "counts", "", "check what is worth most by the executions in `file`, which runs of a counting build wrote")
	flags.StringVar(&f.maxOverhead, "max-overhead", "", "with --counts: checks may take this `share` of the time that was counted, such as 2%")
	flags.StringVar(&f.profile, "profile", "", "with --counts: a function's checks are worth the time that this `profile` shows in it")
}

// usePreset makes precise the preset of both builds, if none is named: the choice is best among
// all functions.
func (f *trainFlags) usePreset(preset *string, named bool) {
	if !named && (f.train || f.counts != "") {
		*preset = "precise"
	}
}

// apply reads the counts into a selection.
func (f *trainFlags) apply(s *transform.Selection, sampled bool) error {
	switch {
	case f.train && (f.counts != "" || f.maxOverhead != "" || f.profile != ""):
		return usageError("--train counts, and --counts uses what was counted: choose one")
	case f.train && s.MaxGzip > 0:
		return usageError("--train and --max-gzip: a counting build has all sites; give the bound to the build with --counts")
	case f.train && sampled:
		return usageError("--train and --sample: a counting build is not for visitors")
	case f.counts == "" && f.maxOverhead != "":
		return usageError("--max-overhead %s needs --counts: what checks cost depends on how often each is executed, which a counting build finds (instrument DIR --train)", f.maxOverhead)
	case f.counts == "" && f.profile != "":
		return usageError("--profile needs --counts")
	case f.counts != "" && f.maxOverhead == "":
		return usageError("--counts needs --max-overhead, such as 2%%")
	}
	s.Train = f.train
	if f.counts == "" {
		return nil
	}
	share, err := builddir.ParseShare(f.maxOverhead)
	if err != nil {
		return usageError("--max-overhead %s: %v", f.maxOverhead, err)
	}
	if s.MaxOverhead = share * 100; s.MaxOverhead <= 0 || s.MaxOverhead > 100 {
		return usageError("--max-overhead %s: a share above 0 and up to 100%%", f.maxOverhead)
	}
	if s.Counts, err = openCounts(f.counts); err != nil {
		return err
	}
	if f.profile != "" {
		s.Times, err = f.times(s.Counts)
	}
	return err
}

// largestCounts bounds what is read.
const largestCounts = 1 << 30

// openCounts reads a file of counts.
func openCounts(name string) (*training.Counts, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readCounts(name, in)
}

// readCounts reads counts from a file of this name.
func readCounts(name string, in io.Reader) (*training.Counts, error) {
	data, err := io.ReadAll(io.LimitReader(in, largestCounts+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > largestCounts:
		return nil, fmt.Errorf("%s is larger than %d MB: these are no counts", name, largestCounts>>20)
	}
	counts, err := training.Read(name, data)
	if err != nil {
		return nil, quoting{err}
	}
	return counts, nil
}

// mergeCounts adds up counts of one build.
func mergeCounts(output string, inputs []*input, stdout io.Writer) error {
	var all []*training.Counts
	for _, in := range inputs {
		counts, err := in.counts()
		if err != nil {
			return err
		}
		all = append(all, counts)
	}
	merged, err := training.Merge(all...)
	if err != nil {
		return quoting{err}
	}
	return writeCounts(output, merged, stdout)
}

// counts reads the file, and closes it.
func (in *input) counts() (*training.Counts, error) {
	defer in.close()
	switch counts, err := in.isCounts(); {
	case err != nil:
		return nil, err
	case !counts:
		return nil, usageError("%s holds no counts, and others do: they do not add up", in.path)
	}
	return readCounts(in.path, in.text)
}

// writeCounts writes counts completely or not at all, and says what they are.
func writeCounts(output string, counts *training.Counts, stdout io.Writer) error {
	text, err := counts.Encode()
	if err != nil {
		return err
	}
	out, err := outfile.Open(output)
	if err != nil {
		return err
	}
	if err := out.Complete(func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	executed, functions := 0.0, 0
	for _, f := range counts.Functions() {
		executed += f.Executions()
		functions++
	}
	_, err = fmt.Fprintf(stdout, "%s: %.0f executions in %s, %.1fs in %s\n", shown(output), executed, view.Count(functions, "function"), counts.Milliseconds/1000, view.Count(counts.Sessions, "session"))
	return err
}
