package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

func newMerge(stdout, stderr io.Writer) *cobra.Command {
	var f symbolFlags
	var output string
	cmd := &cobra.Command{
		Use:   "merge -o OUT [flags] PROFILE…",
		Short: "Join profile files into one",
		Long: `Join profiles into one, and their equal functions and stacks with them. Samples are
ordered by time, according to the start times in the files. The intervals must be
equal, because otherwise ticks do not add up, unless the files have the time of each
sample, as those of other tools do. Counts of executions (instrument DIR
--train) of one build are added up.`,
		Example: `  instrument merge -o all.cpuprofile monday.cpuprofile tuesday.cpuprofile
  instrument merge -o all.pb.gz runs/*.cpuprofile
  instrument merge -o counts.json counts-*.json`,
		RunE: interruptible(func(_ *cobra.Command, args []string) error {
			switch {
			case output == "":
				return usageError("name what to write: instrument merge -o all.cpuprofile …")
			case output == standard:
				return usageError("-o -: name a file; standard output says what is in it")
			case len(args) == 0:
				return usageError("name the profiles to join: instrument merge -o %s a.cpuprofile b.cpuprofile", output)
			}
			if err := f.check(); err != nil {
				return err
			}
			inputs := inputsOf(args)
			defer inputs[0].close()
			switch counts, err := inputs[0].isCounts(); {
			case err != nil:
				return err
			case counts:
				return mergeCounts(output, inputs, stdout)
			}
			return f.merge(output, inputs, stdout, stderr)
		}),
	}
	flags := cmd.Flags()
	flags.StringVarP(&output, "output", "o", "", "write the profile to `file`, in the format that its extension names")
	f.addTo(flags)
	return cmd
}

func (f *symbolFlags) merge(output string, inputs []*input, stdout, stderr io.Writer) error {
	out, err := openOutput(output)
	if err != nil {
		return err
	}
	defer out.Discard()
	f.fit.several = len(inputs) > 1
	all, err := f.readAlike(inputs, stderr)
	if err != nil {
		return err
	}
	merged, err := profile.Merge(all...)
	if err != nil {
		return quoting{err}
	}
	if err := out.write(merged); err != nil {
		return err
	}
	return view.WriteHealth(stdout, merged)
}

// readAlike reads profiles whose ticks add up.
func (f *symbolFlags) readAlike(inputs []*input, stderr io.Writer) ([]*profile.Profile, error) {
	all, err := f.readAll(inputs, stderr)
	for i, p := range all {
		if !profile.Alike(p, all[0]) {
			return nil, fmt.Errorf("%s has interval %v, %s has %v: their ticks do not add up: record them with one interval (--interval)", inputs[i].path, p.Meta.Interval, inputs[0].path, all[0].Meta.Interval)
		}
	}
	return all, err
}

// readAll reads profiles and traces them to their sources.
func (f *symbolFlags) readAll(inputs []*input, stderr io.Writer) ([]*profile.Profile, error) {
	var all []*profile.Profile
	for _, in := range inputs {
		counts, err := in.isCounts()
		if err != nil {
			return nil, err
		}
		if counts {
			in.close()
			return nil, usageError("%s holds counts, not a profile: instrument merge adds up counts with counts", in.path)
		}
		p, err := in.profile(f.anySize)
		if err != nil {
			return nil, err
		}
		if p, err = f.apply(p, in.path, stderr); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, f.fit.mistake()
}
