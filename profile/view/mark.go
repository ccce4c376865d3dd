package view

import (
	"bufio"
	"fmt"

	"github.com/fieldprof/fieldprof/profile"
)

// mark follows the name of a function that holds others' time.
const mark = " +"

// legend explains it below a table.
const legend = "+ includes the time of functions without checks that it calls or contains"

// marked is a name as a table shows it, of so many columns at most.
func marked(name string, holds bool, width int) string {
	if !holds {
		return fit(Printable(name), width, false)
	}
	return fit(Printable(name), width-len(mark), false) + mark
}

// writeLegend explains the mark where a table has one.
func writeLegend(out *bufio.Writer, any bool) {
	if any {
		fmt.Fprintln(out, legend)
	}
}

// holdsOthers reports whether a function holds others' time.
func holdsOthers(p *profile.Profile, f profile.FunctionID) bool {
	return p.Functions.Flags[f]&profile.HoldsOthers != 0
}
