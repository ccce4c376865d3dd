package profile

import (
	"fmt"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// There is advice above a tenth of the busy ticks, unless no preset would tell more.
func TestAdvice(t *testing.T) {
	const text = "(program) has %s%% of the busy time, also that of small functions: --preset %s checks more of them"
	for _, c := range []struct {
		preset         string
		checked        Flags
		program, other int64
		want           string
	}{
		{"balanced", 0, 427, 573, fmt.Sprintf(text, "42.7", "fine or precise")},
		{"balanced", 0, 11, 89, fmt.Sprintf(text, "11.0", "fine or precise")},
		{"balanced", 0, 10, 90, ""},
		{"balanced, N 12", 0, 1, 1, fmt.Sprintf(text, "50.0", "fine or precise")},
		{"balanced, N 3", 0, 1, 1, fmt.Sprintf(text, "50.0", "precise")},
		{"balanced, N 1, entry,loop", 0, 1, 1, ""},
		{"classic", 0, 1, 0, fmt.Sprintf(text, "100.0", "fine or precise")},
		{"fine", 0, 1, 1, fmt.Sprintf(text, "50.0", "precise")},
		{"precise", 0, 1, 1, ""},
		{"precise, N 2", 0, 1, 1, fmt.Sprintf(text, "50.0", "precise")},
		{"", Checked, 1, 1, fmt.Sprintf(text, "50.0", "fine or precise")},
		{"", 0, 1, 1, ""},
		{"balanced", 0, 0, 0, ""},
	} {
		b := Builder{Meta: Meta{Preset: c.preset}}
		own := b.Function(Function{Name: NameProgram, File: "a.js", Flags: c.checked}) // of the program, called so
		b.Add(Sample{Stack: b.Stack(NoStack, b.Frame(own, 1, 1))}, c.other)
		b.Add(Sample{Stack: b.Pseudo(NoStack, NameProgram), Kind: Program}, c.program)
		b.Add(Sample{Stack: b.Pseudo(NoStack, NameIdle), Kind: Idle}, 5000)
		b.Add(Sample{Stack: b.Pseudo(NoStack, NameLost), Kind: Lost}, 5000)
		must.Equal(t, b.Profile().Advice(), c.want, c)
	}
}
