package bias

import (
	"math"
	"testing"

	"github.com/fieldprof/fieldprof/profile"
)

// stackProfile makes a profile of stacks, outermost function first, each with
// its weight. A function is named by one letter and defined on that line of
// a.js; lower case ones are checked.
type sampled struct {
	stack  string
	weight int32
	kind   profile.Kind
}

func stackProfile(samples ...sampled) *profile.Profile {
	var b profile.Builder
	for i, s := range samples {
		at := profile.NoStack
		for _, letter := range s.stack {
			at = b.Stack(at, b.Frame(b.Function(letterFunction(letter)), int32(letter), 1))
		}
		if at == profile.NoStack {
			at = b.Pseudo(profile.NoStack, s.kind.PseudoName())
		}
		b.Sample(profile.Sample{Time: int64(i), Stack: at, Weight: s.weight, Kind: s.kind})
	}
	return b.Profile()
}

func letterFunction(letter rune) profile.Function {
	f := profile.Function{Name: string(letter), File: "a.js", Line: letter, Column: 1, Flags: profile.Checked}
	if letter < 'a' {
		f.Flags = 0
	}
	if letter == '0' {
		f = profile.Function{Name: "", File: "a.js", Line: 1, Column: 1, Flags: profile.TopLevel | profile.Checked}
	}
	if letter == '9' {
		f = profile.Function{Name: "JSON.parse", Flags: profile.NativeCode}
	}
	return f
}

func detailOf(letters string) Detail {
	var fs []profile.Function
	for _, l := range letters {
		fs = append(fs, letterFunction(l))
	}
	return NewDetail("some", fs)
}

// Functions that are not told apart count in their nearest caller, builtins in their
// caller, and samples in no function are left out.
func TestAddProfile(t *testing.T) {
	p := stackProfile(
		sampled{"0ab", 3, profile.Own},
		sampled{"0abC", 2, profile.Own},  // C is b's
		sampled{"0aCb", 1, profile.Own},  // b is told apart, whichever function called it
		sampled{"0aCD9", 4, profile.Own}, // C, D and a builtin are a's
		sampled{"0C", 5, profile.Own},    // the top level's
		sampled{"C", 6, profile.Own},     // no function's
		sampled{"", 7, profile.Idle},
		sampled{"", 2, profile.GC},
	)
	var d Distribution
	d.AddProfile(p, detailOf("ab"), ByTicks)
	want := map[string]float64{"a.js:98:1": 6, "a.js:97:1": 4, "(top level) a.js": 5}
	shares := d.Shares()
	if len(shares) != len(want) {
		t.Errorf("shares %v, want those of %v", shares, want)
	}
	for key, ticks := range want {
		if got := shares[key] * 15 / 100; math.Abs(got-ticks) > 1e-9 {
			t.Errorf("%s has %g ticks, want %g", key, got, ticks)
		}
	}
	if d.Label("a.js:98:1") != "b" {
		t.Errorf("b is labelled %q", d.Label("a.js:98:1"))
	}
	for name, ticks := range map[string]float64{"(program)": 6, "(idle)": 7, "(garbage collector)": 2} {
		if got := d.LeftOut()[name] * 30 / 100; math.Abs(got-ticks) > 1e-9 {
			t.Errorf("%s left out %g ticks, want %g", name, got, ticks)
		}
	}
	var once Distribution
	once.AddProfile(p, detailOf("ab"), BySample)
	if got := once.Shares()["a.js:97:1"]; got != 20 {
		t.Errorf("a has %g %% of the samples, want 20", got)
	}
	var long Distribution
	long.AddProfile(p, detailOf("ab"), LongTicks) // b 3, 1, 1; a 4; the top level 5
	if got := long.Shares()["a.js:98:1"] * 14 / 100; math.Abs(got-5) > 1e-9 {
		t.Errorf("b has %g, want 5", got)
	}
}

// Resolution is of the strict truth's time; the effective number of functions is n for n
// equal ones.
func TestResolution(t *testing.T) {
	strict := Known(map[string]float64{"a.js:97:1": 50, "a.js:98:1": 30, topLevel + "a.js": 20})
	for letters, want := range map[string]float64{"": 0, "a": 70, "ab": 100, "c": 20} {
		if got := detailOf(letters).Resolution(strict); got != want {
			t.Errorf("%q: %g, want %g", letters, got, want)
		}
	}
	if got := Known(map[string]float64{"a": 1, "b": 1, "c": 1, "d": 0}).Functions(); math.Abs(got-3) > 1e-9 {
		t.Errorf("three equal functions are %g", got)
	}
}
