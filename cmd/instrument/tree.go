package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/profile/view"
)

// treeFlags are the flags of instrument tree, as given.
type treeFlags struct {
	selection
	topDown, bottomUp bool
	depth             int
	min               float64
	json              bool
}

func newTree(stdout, stderr io.Writer) *cobra.Command {
	var f treeFlags
	cmd := &cobra.Command{
		Use:   "tree [flags] PROFILE",
		Short: "Print the call tree of a profile file",
		Long: `Print a profile as a tree of calls: top down, from callers to callees, or bottom up,
from the functions that took the time to their callers. Total is the time of the
samples with these calls on the stack, self the part without a further call.
(idle) and (garbage collector) are listed with the functions.

With --focus a top-down tree begins at the functions that match, a bottom-up tree
shows their callers, and percentages refer to the samples that contain them.`,
		Example: `  instrument tree app.cpuprofile
  instrument tree --bottom-up --depth 4 app.cpuprofile
  instrument tree --focus '^render' --from 20% --to 60% app.cpuprofile
  instrument tree --maps dist/ --fold 'node_modules/**' from-the-field.cpuprofile`,
		RunE: interruptible(func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usageError("name a profile: instrument tree app.cpuprofile")
			case len(args) > 1:
				return usageError("one profile at a time, not %q; instrument merge joins several", args)
			case f.topDown && f.bottomUp:
				return usageError("--top-down and --bottom-up: choose one")
			case f.depth < 0:
				return usageError("--depth %d: a number of levels must not be negative", f.depth)
			case !(f.min >= 0 && f.min <= 100):
				return usageError("--min %v: a share in percent, from 0 to 100", f.min)
			}
			return f.print(args[0], stdout, stderr)
		}),
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.topDown, "top-down", false, "from callers to callees (the default)")
	flags.BoolVar(&f.bottomUp, "bottom-up", false, "from the functions that took the time to their callers")
	flags.IntVar(&f.depth, "depth", 0, "`levels` of the tree (0: all)")
	flags.Float64Var(&f.min, "min", 1, "leave out calls with less than this `percent` of the ticks")
	f.selection.addTo(flags)
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f *treeFlags) print(path string, stdout, stderr io.Writer) error {
	p, err := f.read(path, stderr)
	if err != nil {
		return err
	}
	direction := view.TopDown
	if f.bottomUp {
		direction = view.BottomUp
	}
	tree := view.NewTree(p.Profile, direction, view.TreeOptions{Focus: p.fits, Depth: f.depth, MinPercent: f.min})
	if f.json {
		p.tell(stderr)
		return view.WriteTreeJSON(stdout, p.Profile, tree)
	}
	if err := view.WriteTree(stdout, tree, terminalWidth(stdout)); err != nil {
		return err
	}
	return p.writeNotes(stdout)
}
