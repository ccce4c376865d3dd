package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// convertFlags are the flags of instrument convert.
type convertFlags struct {
	symbolFlags
	from, to, self string
	focus          string
	asJSON         bool
}

func newConvert(stdout, stderr io.Writer) *cobra.Command {
	var f convertFlags
	var names []string
	for _, known := range format.All() {
		names = append(names, known.Name)
	}
	list := strings.Join(names, ", ")
	cmd := &cobra.Command{
		Use:   "convert [flags] IN OUT",
		Short: "Write a profile in another format",
		Long: `Convert reads a profile in any known format and writes it in another. The first
bytes of IN and the extension of OUT identify the formats; - is standard input or
output. OUT is gzipped if its name ends in .gz. What the new format cannot hold is
listed on standard error.

The formats: ` + list + `.
docs/formats.md says which tools open each, and what it keeps.`,
		Example: `  instrument convert app.cpuprofile app.pb.gz
  instrument convert Trace-20261121T120000.json.gz app.speedscope.json
  curl -s http://localhost:6060/debug/pprof/profile | instrument convert --to folded - -`,
		RunE: interruptible(func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError("name what to read and what to write: instrument convert IN OUT")
			}
			c := conversion{convertFlags: f, in: args[0], out: args[1], stdout: stdout, stderr: stderr}
			return c.run()
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "`name` of IN's format, if its first bytes do not identify it")
	flags.StringVar(&f.to, "to", "", "`name` of OUT's format, if its extension does not identify it")
	flags.StringVar(&f.self, "self-time", "hits", "`RULE` for how long samples of another tool's .cpuprofile last: hits, as in DevTools, or next, as in VS Code")
	flags.StringVar(&f.focus, "focus", "", "only samples with a function on the stack whose name matches this regular `expression`")
	f.addTo(flags)
	flags.BoolVar(&f.asJSON, "json", false, "print a summary as JSON to standard output")
	return cmd
}

// conversion is one run of instrument convert.
type conversion struct {
	convertFlags
	in, out        string
	stdout, stderr io.Writer

	found   format.Found
	target  format.Format
	read    int64
	written int64

	fits func(profile.Function) bool // nil without --focus
}

// summary is what --json prints.
type summary struct {
	From      string   `json:"from"`
	Why       string   `json:"why"`
	To        string   `json:"to"`
	BytesIn   int64    `json:"bytesIn"`
	BytesOut  int64    `json:"bytesOut"`
	Samples   int      `json:"samples"`
	Functions int      `json:"functions"`
	Drops     []string `json:"drops"`
}

// memoryLimit is where the collector starts to work harder, unless GOMEMLIMIT is set:
// it leaves room for a large profile, but not for as much garbage again.
const memoryLimit = 7 << 29 // 3.5 GiB

func (c *conversion) run() error {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	if err := c.settle(); err != nil {
		return err
	}
	write, discard, err := c.open()
	if err != nil {
		return err
	}
	defer discard()
	p, err := c.readProfile()
	if err != nil {
		return err
	}
	if p, err = c.part(p); err != nil {
		return err
	}
	drops := c.target.Drops(p)
	if err := write(p); err != nil {
		return err
	}
	if c.asJSON {
		return view.EncodeJSON(c.stdout, summary{c.found.Name, c.found.Why, c.target.Name, c.read, c.written, p.Len(), len(p.Functions.Name), append([]string{}, drops...)})
	}
	fmt.Fprintf(c.stderr, "%s is %s: %s\n", view.Printable(c.in), c.found.Name, c.found.Why)
	if len(drops) > 0 {
		fmt.Fprintf(c.stderr, "%s drops %s\n", c.target.Name, strings.Join(drops, ", "))
	}
	return nil
}

// settle decides what the flags ask for, before any work is done.
func (c *conversion) settle() (err error) {
	if c.from != "" {
		if c.found.Format, err = format.ByName(c.from); err != nil {
			return usageError("--from: %v", err)
		}
		c.found.Why = "--from says so"
	}
	if err := c.check(); err != nil {
		return err
	}
	if c.focus != "" {
		focus, err := regexp.Compile(c.focus)
		if err != nil {
			return usageError("--focus: %v", err)
		}
		c.fits = func(f profile.Function) bool { return focus.MatchString(f.Label()) }
	}
	switch {
	case isReport(c.out) && c.to == "":
		return usageError("%s: instrument report %s -o %s makes a report", c.out, c.in, c.out)
	case c.to != "":
		if c.target, err = format.ByName(c.to); err != nil {
			return usageError("--to: %v", err)
		}
	case c.out == standard:
		return usageError("standard output has no extension: name a format with --to")
	default:
		if c.target, err = format.ForPath(c.out); err != nil {
			return usageError("%v; or name one with --to", err)
		}
	}
	switch {
	case c.self != "hits" && c.self != "next":
		return usageError("--self-time %s: choose hits or next", c.self)
	case c.asJSON && c.out == standard:
		return usageError("--json and the profile cannot both go to standard output")
	}
	return nil
}

func (c *conversion) readProfile() (*profile.Profile, error) {
	file, info, err := openProfile(c.in)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	bar := newProgress(c.stderr)
	defer bar.clear()
	counted := &counter{read: file, each: func(done int64) { bar.showBytes(done, info.Size()) }}
	text, found, err := format.Options{AnySize: c.anySize}.Open(counted, c.in)
	if c.from == "" {
		c.found = found
	} else if text != nil {
		err = nil // --from has named the format
	}
	if err != nil {
		return nil, unread(c.in, err)
	}
	read := c.found.Read
	if c.self == "next" && c.found.Name == "cpuprofile" {
		read = func(r io.Reader) (*profile.Profile, error) { return cpuprofile.ReadAs(r, cpuprofile.ToNext) }
	}
	p, err := read(text)
	c.read = counted.n
	if err != nil {
		return nil, unread(c.in, err)
	}
	return p, nil
}

// part returns the part of the profile to write, in terms of its sources.
func (c *conversion) part(p *profile.Profile) (*profile.Profile, error) {
	p, err := c.apply(p, c.in, c.stderr)
	if err != nil || c.fits == nil {
		return p, err
	}
	if p = profile.Focus(p, c.fits); p.Len() == 0 {
		return nil, fmt.Errorf("focus %s: no samples are left", view.Printable(c.focus))
	}
	return p, nil
}

// open finds out whether OUT can be written, before a long read.
func (c *conversion) open() (write func(*profile.Profile) error, discard func(), err error) {
	if c.out == standard {
		return func(p *profile.Profile) error { return c.target.Write(c.stdout, p) }, func() {}, nil
	}
	out, err := outfile.Open(c.out)
	if err != nil {
		return nil, nil, err
	}
	write = func(p *profile.Profile) error {
		return out.Complete(func(w io.Writer) error { return c.target.WriteAs(&written{w, &c.written}, c.out, p) })
	}
	return write, out.Discard, nil
}

// written counts what is written.
type written struct {
	to io.Writer
	n  *int64
}

func (w *written) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	*w.n += int64(n)
	return n, err
}

// counter counts what is read.
type counter struct {
	read io.Reader
	n    int64
	each func(done int64)
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.read.Read(p)
	c.n += int64(n)
	c.each(c.n)
	return n, err
}
