package causal

import (
	"fmt"
	"slices"
	"strings"
)

// The spin. Its state is a variable of the file, so no engine can leave the work out;
// so are the numbers of rounds, so every dose is the same code. The state is never
// negative: the call never runs, and is there because the planner puts no check into a
// loop with a call.
const (
	spinState = "var spin$state = 1"
	spinNever = "function spin$never() { throw new Error('the spin went wrong'); }"
	spinLoop  = "for (let spin$i = spin$n%d; spin$i > 0; spin$i--) (spin$state = spin$state * 1103 + 12345 & 65535) < 0 && spin$never();"
)

// insertion is text that goes into a source at an offset.
type insertion struct {
	at   int
	text string
}

func inserted(source string, insertions []insertion) string {
	slices.SortStableFunc(insertions, func(a, b insertion) int { return a.at - b.at })
	var b strings.Builder
	from := 0
	for _, i := range insertions {
		b.WriteString(source[from:i.at])
		b.WriteString(i.text)
		from = i.at
	}
	b.WriteString(source[from:])
	return b.String()
}

// dosed is a script with a spin in each function, of so many rounds. Nothing but the
// numbers differs between doses, and no line moves.
func (s *script) dosed(functions []site, rounds []int) string {
	variables := spinState
	var insertions []insertion
	for i, f := range functions {
		variables += fmt.Sprintf(", spin$n%d = %d", i, rounds[i])
		insertions = append(insertions, insertion{f.Insert, fmt.Sprintf(spinLoop, i)})
	}
	return inserted(s.text, append(insertions, insertion{s.sites[0].Insert, variables + ";" + spinNever}))
}

// countPrefix begins the line in which a counting program reports.
const countPrefix = "spin$calls "

// counting is a script that counts the calls of functions and prints them at its end.
func (s *script) counting(functions []site) string {
	head := insertion{s.sites[0].Insert, ""}
	insertions, names := []insertion{}, []string{}
	for i, f := range functions {
		head.text += fmt.Sprintf("var spin$k%d = 0;", i)
		names = append(names, fmt.Sprintf("spin$k%d", i))
		insertions = append(insertions, insertion{f.Insert, fmt.Sprintf("spin$k%d++;", i)})
	}
	insertions = append(insertions, head, insertion{len(s.text), "\n;console.log('" + countPrefix + "' + [" + strings.Join(names, ", ") + "].join(' '));\n"})
	return inserted(s.text, insertions)
}

// calibration is a program that does nothing but spin, so many rounds.
func calibration(rounds int) string {
	const each = 2000 // in a call
	return spinState + fmt.Sprintf(", spin$n0 = %d;", each) + spinNever + "function spin() { " + fmt.Sprintf(spinLoop, 0) + " }" +
		fmt.Sprintf("for (let k = 0; k < %d; k++) spin();", rounds/each)
}
