package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/profile/view"
)

func newTop(stdout, stderr io.Writer) *cobra.Command {
	var s selection
	var rows int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "top [flags] PROFILE",
		Short: "Print the hottest functions of a profile file",
		Example: `  instrument top app.cpuprofile
  instrument top --top 5 --json app.pb.gz
  instrument top --from 2s --to 3.5s app.cpuprofile
  instrument top --maps dist/ --fold 'node_modules/**' from-the-field.cpuprofile`,
		RunE: interruptible(func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usageError("name a profile: instrument top app.cpuprofile")
			case len(args) > 1:
				return usageError("one profile at a time, not %q", args)
			case rows < 0:
				return usageError("--top %d: a number of rows must not be negative", rows)
			}
			p, err := s.read(args[0], stderr)
			if err != nil {
				return err
			}
			return printTop(stdout, stderr, p, rows, asJSON)
		}),
	}
	flags := cmd.Flags()
	flags.IntVar(&rows, "top", 20, "rows of the table (0: all)")
	s.addTo(flags)
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printTop(stdout, stderr io.Writer, p *selected, rows int, asJSON bool) error {
	if asJSON {
		p.tell(stderr)
		return view.WriteJSON(stdout, p.Profile, rows)
	}
	if err := view.WriteTop(stdout, p.Profile, rows); err != nil {
		return err
	}
	return p.writeNotes(stdout)
}

// writeNotes says below a table what was selected, and how good the recording is.
func (p *selected) writeNotes(w io.Writer) error {
	if err := p.tell(w); err != nil {
		return err
	}
	if p.note != "" {
		if _, err := fmt.Fprintln(w, p.note); err != nil {
			return err
		}
	}
	return view.WriteHealth(w, p.Profile)
}

// tell says what was done to a profile.
func (p *selected) tell(w io.Writer) error {
	for _, note := range p.notes {
		if _, err := fmt.Fprintln(w, note); err != nil {
			return err
		}
	}
	return nil
}
