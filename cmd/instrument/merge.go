package main

import (
	"errors"
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
equal, because otherwise ticks do not add up. Counts of executions (instrument DIR
--train) of one build are added up.`,
		Example: `  instrument merge -o all.cpuprofile monday.cpuprofile tuesday.cpuprofile
  instrument merge -o all.pb.gz runs/*.cpuprofile
  instrument merge -o counts.json counts-*.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case output == "":
				return usageError("name what to write: instrument merge -o all.cpuprofile …")
			case len(args) == 0:
				return usageError("name the profiles to join: instrument merge -o %s a.cpuprofile b.cpuprofile", output)
			}
			if err := f.check(); err != nil {
				return err
			}
			if counts, err := areCounts(args); counts || err != nil {
				if err != nil {
					return err
				}
				return mergeCounts(output, args, stdout)
			}
			return f.merge(output, args, stdout, stderr)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&output, "output", "o", "", "write the profile to `file`, in the format that its extension names")
	f.addTo(flags)
	return cmd
}

func (f *symbolFlags) merge(output string, paths []string, stdout, stderr io.Writer) error {
	out, err := openOutput(output)
	if err != nil {
		return err
	}
	defer out.Discard()
	all, err := f.readAlike(paths, stderr)
	if err != nil {
		return err
	}
	merged, err := profile.Merge(all...)
	if err != nil {
		return errors.New(view.Printable(err.Error()))
	}
	if err := out.write(merged); err != nil {
		return err
	}
	return view.WriteHealth(stdout, merged)
}

// readAlike reads profiles with the same interval, whose ticks add up.
func (f *symbolFlags) readAlike(paths []string, stderr io.Writer) ([]*profile.Profile, error) {
	all, err := f.readAll(paths, stderr)
	for i, p := range all {
		if p.Meta.Interval != all[0].Meta.Interval {
			return nil, fmt.Errorf("%s has interval %v, %s has %v: their ticks do not add up", paths[i], p.Meta.Interval, paths[0], all[0].Meta.Interval)
		}
	}
	return all, err
}

// readAll reads profiles and traces them to their sources.
func (f *symbolFlags) readAll(paths []string, stderr io.Writer) ([]*profile.Profile, error) {
	var all []*profile.Profile
	for _, path := range paths {
		p, err := f.readProfile(path)
		if err != nil {
			return nil, err
		}
		if p, err = f.apply(p, path, stderr); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
