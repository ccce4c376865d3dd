package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/report"
	"github.com/fieldprof/fieldprof/profile/view"
)

// reportFlags are the flags of instrument report.
type reportFlags struct {
	selection
	output, before, title, sources string
}

func newReport(stdout, stderr io.Writer) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report [flags] -o FILE PROFILE",
		Short: "Write a profile as one HTML page",
		Long: `Write a profile as one HTML page with a flame graph, calls in time order, functions
with their callers and callees, trees, slow interactions with who is to blame, and a
range of time to choose. The page needs neither a network nor other files. Lines of code
come from --maps that contain them, or from files below --sources.`,
		Example: `  instrument report app.cpuprofile -o report.html
  instrument report after.pb.gz --before before.pb.gz -o report.html
  instrument report app.cpuprofile --sources . -o report.html   # with lines of code
  instrument report field.cpuprofile --maps dist/ -o report.html`,
		RunE: interruptible(func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usageError("name a profile: instrument report app.cpuprofile -o report.html")
			case len(args) > 1:
				return usageError("one profile at a time, not %q; --before names the one to compare with", args)
			case f.output == "":
				return usageError("name the page: instrument report %s -o report.html (- is standard output)", args[0])
			}
			return f.write(args[0], stdout, stderr)
		}),
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "write the page to `file`")
	flags.StringVar(&f.before, "before", "", "compare with this `profile`")
	flags.StringVar(&f.title, "title", "", "heading of the page")
	flags.StringVar(&f.sources, "sources", "", "read lines of code from sources below this `directory`")
	f.selection.addTo(flags)
	return cmd
}

func (f *reportFlags) write(path string, stdout, stderr io.Writer) error {
	write, discard, err := f.open(stdout)
	if err != nil {
		return err
	}
	defer discard()
	p, err := f.read(path, stderr)
	if err != nil {
		return err
	}
	p.tell(stderr)
	options := report.Options{Title: f.title}
	if options.Title == "" && p.Meta.Program == "" {
		options.Title = titleOf(path)
	}
	if f.before != "" {
		before, err := f.read(f.before, stderr)
		if err != nil {
			return err
		}
		before.tell(stderr)
		options.Before = view.Alike(before.Profile, p.Profile)
	}
	source, done, err := f.source(p)
	if err != nil {
		return err
	}
	defer done()
	options.Source = source
	return write(func(w io.Writer) error { return report.Write(w, p.Profile, options) })
}

// titleOf names a page by the profile's file.
func titleOf(path string) string {
	if path == standard {
		return "standard input"
	}
	return filepath.Base(path)
}

// open finds out whether the page can be written, before a long read.
func (f *reportFlags) open(stdout io.Writer) (write func(func(io.Writer) error) error, discard func(), err error) {
	if f.output == standard {
		return func(page func(io.Writer) error) error { return page(stdout) }, func() {}, nil
	}
	out, err := outfile.Open(f.output)
	if err != nil {
		return nil, nil, err
	}
	return func(page func(io.Writer) error) error { return out.Complete(zipped(f.output, page)) }, out.Discard, nil
}

// source returns the text of a file from the maps, or else from below --sources.
func (f *reportFlags) source(p *selected) (source func(string) (string, bool), done func(), err error) {
	below, done := func(string) (string, bool) { return "", false }, func() {}
	if f.sources != "" {
		if below, done, err = sourcesBelow(f.sources); err != nil {
			return nil, nil, fmt.Errorf("--sources %s: %w", f.sources, err)
		}
	}
	return func(file string) (string, bool) {
		if p.found != nil {
			if text, ok := p.found.Source(file); ok {
				return text, true
			}
		}
		return below(file)
	}, done, nil
}

// reporting writes the page of a program that has just run here.
func reporting(w io.Writer, p *profile.Profile) error {
	source, done, err := sourcesBelow(".")
	if err != nil {
		return err
	}
	defer done()
	return report.Write(w, p, report.Options{Source: source})
}
