package figures

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/profile/view"
)

// FewSamples is where tables mark a figure: with fewer, chance alone moves an
// overlap by a point or two.
const FewSamples = 3000

// Mark is a text with an asterisk if it rests on few samples.
func Mark(text string, few bool) string {
	if few {
		return text + "\\*"
	}
	return text
}

// Cell is a text that is safe in a table and on a terminal, in one line: names come
// from programs, reasons from other processes.
func Cell(text string) string {
	text = strings.Join(strings.Fields(view.Printable(strings.ReplaceAll(text, "\n", " "))), " ")
	return strings.NewReplacer("|", "\\|", "<", "&lt;").Replace(text)
}

// Change is a signed figure with its interval: "+2.7 (-3.8 to +11.2)".
func Change(value, low, high float64) string {
	return fmt.Sprintf("%+.1f (%+.1f to %+.1f)", value, low, high)
}
