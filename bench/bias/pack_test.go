package bias

import (
	"slices"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// packProfile is a profile of a pack: ticks in functions of files, in milliseconds. A file of
// another folder is called by the program that was last.
func packProfile(ticks ...string) *profile.Profile {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond}}
	caller := profile.NoStack
	for i, file := range ticks {
		if file == "" {
			b.Sample(profile.Sample{Time: int64(i) * int64(time.Millisecond), Weight: 1, Kind: profile.Idle, Stack: b.Pseudo(profile.NoStack, profile.NameIdle)})
			continue
		}
		entry := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "next", File: "fixtures/pack/exact.js", Line: 20, Column: 1}), 21, 1))
		if file[0] != '/' {
			caller = b.Stack(entry, b.Frame(b.Function(profile.Function{Name: "main", File: "fixtures/exact/" + file, Line: 9, Column: 1}), 10, 1))
			b.Sample(profile.Sample{Time: int64(i) * int64(time.Millisecond), Weight: 1, Stack: caller})
			continue
		}
		native := b.Stack(caller, b.Frame(b.Function(profile.Function{Name: "sort", File: file}), 0, 0))
		b.Sample(profile.Sample{Time: int64(i) * int64(time.Millisecond), Weight: 1, Stack: native})
	}
	return b.Profile()
}

// Each program of a pack gets its own samples, and the waits between them, in which another
// program may have been sampled.
func TestUnpack(t *testing.T) {
	p := packProfile("sequence.js", "sequence.js", "/lib/sort.js", "", "idle.js", "", "sequence.js", "idle.js", "", "unknown.js")
	other := &Recording{Engine: "goja", Program: "acorn", Profile: p}
	skipped := &Recording{Engine: "goja", Program: "exact", Skipped: "no luck"}
	got := unpack([]*Recording{other, {Engine: "goja", Program: "exact", Round: 3, CPU: time.Second, Profile: p}, skipped})
	if want := 2 + len(fixtures.Exact()); len(got) != want {
		t.Errorf("%d recordings, want %d: those of other programs are empty", len(got), want)
	}
	var names []string
	got = slices.DeleteFunc(got, func(r *Recording) bool { return r.Profile != nil && r.Profile.Len() == 0 })
	for _, r := range got {
		names = append(names, r.Program)
	}
	if want := []string{"acorn", "idle", "sequence", "exact"}; !slices.Equal(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	idle, sequence := got[1], got[2]
	if n := idle.Profile.Len(); n != 3 {
		t.Errorf("%d samples of idle, want two and the wait between them", n)
	}
	if n := sequence.Profile.Len(); n != 6 {
		t.Errorf("%d samples of sequence, want three, a library's that it calls, and two waits", n)
	}
	if idle.CPU != 0 || idle.Round != 3 {
		t.Errorf("the pack's processor time is %v of idle, in round %d", idle.CPU, idle.Round)
	}
	for _, r := range got[1:3] {
		if err := r.Profile.CheckValid(); err != nil {
			t.Errorf("%s: %v", r.Program, err)
		}
	}
}

// A function on the line of another program's does not count for it.
func TestPackedFunctionsAreToldApartByFile(t *testing.T) {
	var program fixtures.Program
	for _, p := range fixtures.Exact() {
		if p.Name == "sequence" {
			program = p
		}
	}
	for line := int32(1); line < 40; line++ {
		key := program.Key("", int(line))
		if key == "" {
			continue
		}
		b := profile.Builder{}
		for _, file := range []string{"fixtures/exact/sequence.js", "fixtures/exact/variants.js"} {
			b.Sample(profile.Sample{Weight: 1, Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: key, File: file, Line: line, Column: 1}), line, 1))})
		}
		d := &Distribution{}
		d.addKnown(b.Profile(), program)
		if shares := d.Shares(); shares[key] != 50 || shares[elsewhere] != 50 {
			t.Errorf("line %d: %v", line, shares)
		}
	}
}
