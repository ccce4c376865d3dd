package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/format/wicg"
	slow "github.com/fieldprof/fieldprof/profile/slices"
	"github.com/fieldprof/fieldprof/profile/view"
)

// slicesFlags are the flags of instrument slices, as given.
type slicesFlags struct {
	symbolFlags
	what       []string
	over       time.Duration
	rows       int
	page       string
	firstParty []string
	save       int
	output     string
	json       bool

	overGiven bool
}

func newSlices(stdout, stderr io.Writer) *cobra.Command {
	var f slicesFlags
	cmd := &cobra.Command{
		Use:   "slices [flags] FILE…",
		Short: "List what was slow, and whose time it was",
		Long: `List the slow interactions, long frames and tasks, loads and navigations in profiles,
or in what pages sent, worst first, each with its cause; and a summary for each kind of
interaction. FILE is a profile of any format that keeps marks, or an envelope, or a
directory of them. --save writes one slice as a profile.

docs/slices.md says how the cause is found.`,
		Example: `  instrument slices envelopes/
  instrument slices --maps dist/ --what interaction envelopes/
  instrument slices --over 50ms --json session.wicg.json
  instrument slices --save 1 -o worst.cpuprofile envelopes/`,
		RunE: interruptible(func(cmd *cobra.Command, args []string) error {
			f.overGiven = cmd.Flags().Changed("over")
			if err := f.check(args); err != nil {
				return err
			}
			return f.list(args, stdout, stderr)
		}),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.what, "what", nil, "only slices of the kind with this `name`: "+strings.Join(kindsOfSlice, ", ")+" (may be repeated)")
	flags.DurationVar(&f.over, "over", 0, "slices that take this `time` or longer, instead of the runtime's thresholds (200 ms; 2.5 s for loads, 1 s for navigations)")
	flags.IntVar(&f.rows, "top", 20, "rows of each table (0: all)")
	flags.IntVar(&f.save, "save", 0, "write slice `N` of the list as a profile")
	flags.StringVarP(&f.output, "output", "o", "", "with --save: write it to `file`, in the format that its extension names")
	flags.StringVar(&f.page, "page", "", "`URL` of the page, for profiles that do not say: scripts of other origins are third parties'")
	flags.StringArrayVar(&f.firstParty, "first-party", nil, "scripts of the host with this `name` and of its subdomains are the page's own (may be repeated)")
	f.addSources(flags)
	f.inputFlags.addTo(flags)
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// kindsOfSlice are the kinds as users type them.
var kindsOfSlice = []string{"interaction", "long-frame", "long-task", "load", "navigation", "mark"}

// kindMark is the kind of slow marks. The runtime and the API call them measures: only marks with a
// duration can be slow.
const kindMark = "mark"

// markOf is the mark of a kind of slice.
func markOf(kind string) profile.What {
	if kind == kindMark {
		return profile.Measure
	}
	return profile.What(kind)
}

// kindOf is what users call a kind of slice, also if they call it as the API does.
func kindOf(what string) string {
	if what == string(profile.Measure) {
		return kindMark
	}
	return what
}

func (f *slicesFlags) check(args []string) error {
	for i, kind := range f.what {
		f.what[i] = kindOf(kind)
		if !slices.Contains(kindsOfSlice, f.what[i]) {
			return usageError("--what %s: choose from %s", kind, strings.Join(kindsOfSlice, ", "))
		}
	}
	switch {
	case len(args) == 0:
		return usageError("name profiles, or a directory of envelopes: instrument slices envelopes/")
	case f.over < 0:
		return usageError("--over %v: a duration must not be negative", f.over)
	case f.rows < 0:
		return usageError("--top %d: a number of rows must not be negative", f.rows)
	case f.save < 0:
		return usageError("--save %d: the slices are numbered from 1", f.save)
	case f.save > 0 && f.output == "":
		return usageError("name what to write: --save %d -o slice.cpuprofile", f.save)
	case f.save == 0 && f.output != "":
		return usageError("-o %s: choose a slice with --save N", f.output)
	case f.save > 0 && f.json:
		return usageError("--save and --json: choose one")
	}
	f.keepIgnored = true // frameworks are told apart, not hidden
	return f.symbolFlags.check()
}

func (f *slicesFlags) list(args []string, stdout, stderr io.Writer) error {
	if f.save > 0 {
		out, err := openOutput(f.output)
		if err != nil {
			return err
		}
		out.Discard() // until there is something to write: a folder that is read may be where it goes
	}
	f.fit.several = len(args) > 1
	in := slicesInput{slicesFlags: f, stderr: stderr}
	for _, path := range args {
		if err := in.add(path); err != nil {
			return err
		}
	}
	found, err := in.found()
	switch {
	case err != nil:
		return err
	case f.save > len(found):
		return fmt.Errorf("--save %d: the list has %s", f.save, view.Count(len(found), "slice"))
	case f.save > 0:
		return f.write(&found[f.save-1], stdout)
	case f.json:
		return writeSlicesJSON(stdout, found, in.fileOf)
	case len(found) == 0:
		return in.tellNone(stdout)
	}
	return writeSlices(stdout, found, f.rows)
}

// write saves a slice, and says what it is.
func (f *slicesFlags) write(s *slow.Slice, stdout io.Writer) error {
	out, err := openOutput(f.output)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := out.write(s.Profile()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, s.Explain())
	return err
}

// slicesInput gathers the slices of all files.
type slicesInput struct {
	*slicesFlags
	stderr io.Writer
	slices []slow.Slice
	files  map[*profile.Profile]string
	marks  int          // that have a duration
	worst  profile.Mark // the longest of them of a kind that can be slow
	counts int          // envelopes without a trace
}

// add adds a file, or the files of a directory.
func (in *slicesInput) add(path string) error {
	info, err := os.Stat(path)
	if path == standard || err != nil || !info.IsDir() {
		return in.addFile(path)
	}
	folder, err := filepath.EvalSymlinks(path) // WalkDir does not enter a link
	if err != nil {
		return err
	}
	in.fit.several = true
	others := 0
	warn := func(err error) { fmt.Fprintf(in.stderr, "instrument: warning: %s\n", view.Printable(err.Error())) }
	err = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && file == folder:
			return err
		case err != nil: // a folder in it, one of many
			warn(err)
			return nil
		case !entry.Type().IsRegular() || in.isOutput(entry):
			return nil
		}
		err = in.addFile(filepath.Join(path, strings.TrimPrefix(file, folder)))
		if errors.Is(err, format.ErrUnknown) {
			others++
		} else if err != nil { // one of many
			warn(err)
		}
		return nil
	})
	if others > 0 {
		fmt.Fprintf(in.stderr, "%s: files that are no profiles, skipped: %d\n", view.Printable(path), others)
	}
	return err
}

// isOutput reports whether a file of a folder is the one that --save replaces, as the same command left it.
func (in *slicesInput) isOutput(entry fs.DirEntry) bool {
	if in.save == 0 {
		return false
	}
	replaced, err := os.Stat(in.output)
	info, ofEntry := entry.Info()
	return err == nil && ofEntry == nil && os.SameFile(replaced, info)
}

func (in *slicesInput) addFile(path string) error {
	p, err := in.readProfile(path)
	if errors.Is(err, wicg.ErrOnlyCounts) {
		in.counts++
		return nil
	}
	if err != nil {
		return err
	}
	p, symbols, notes, err := in.find(p, in.stderr)
	if err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintf(in.stderr, "%s: %s\n", view.Printable(path), note)
	}
	if in.files == nil {
		in.files = map[*profile.Profile]string{}
	}
	in.files[p] = path
	options := slow.Options{Over: in.thresholds(), Page: in.page, FirstParty: slow.Hosts(in.firstParty)}
	if symbols != nil {
		options.Framework = func(fn profile.Function) bool { return symbols.Ignored[fn.File] }
	}
	in.slices = append(in.slices, slow.Of(p, options)...)
	for _, m := range p.Marks {
		if m.Duration > 0 {
			in.marks++
		}
		if m.Duration > in.worst.Duration && (m.What == profile.Measure || slow.Thresholds()[m.What] > 0) {
			in.worst = m
		}
	}
	return nil
}

// thresholds are the thresholds of the kinds that are asked for.
func (in *slicesInput) thresholds() map[profile.What]time.Duration {
	defaults, over := slow.Thresholds(), map[profile.What]time.Duration{}
	for _, kind := range kindsOfSlice {
		what := markOf(kind)
		least, always := defaults[what]
		asked := slices.Contains(in.what, kind)
		switch {
		case len(in.what) > 0 && !asked:
		case in.overGiven:
			over[what] = in.over
		case always || asked:
			over[what] = least
		}
	}
	return over
}

// found are the slices of all files, or why there cannot be any.
func (in *slicesInput) found() ([]slow.Slice, error) {
	switch {
	case len(in.files) == 0 && in.counts == 0:
		return nil, errors.New("no profile was read")
	case in.fit.mistake() != nil:
		return nil, in.fit.mistake()
	case len(in.files) > 0 && in.marks == 0:
		return nil, errors.New("no file has marks, which say what was slow: record with observe() of @fieldprof/runtime/interactions, or convert from a format that keeps marks (docs/slices.md)")
	}
	return slow.Distinct(in.slices, len(in.what) > 0), nil
}

func (in *slicesInput) fileOf(s *slow.Slice) string { return in.files[s.Of()] }

// tellNone says why there are no slices.
func (in *slicesInput) tellNone(w io.Writer) error {
	text := "nothing was slow"
	switch {
	case len(in.files) == 0:
		text = fmt.Sprintf("%s: the envelopes (%d) hold counts only", text, in.counts)
	case in.worst.Duration > 0:
		text = fmt.Sprintf("%s: the longest of %d marks is %s, %.0f ms; --over 0 lists all", text, in.marks, printableSubject(slow.Subject{What: in.worst.What, Name: in.worst.Name, Target: in.worst.Target}), float64(in.worst.Duration)/1e6)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
