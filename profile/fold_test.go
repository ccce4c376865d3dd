package profile

import (
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestFold(t *testing.T) {
	var b Builder
	b.Meta.Interval = 1e6
	frame := func(name string) FrameID { return b.Frame(b.Function(Function{Name: name, Flags: Checked}), 1, 1) }
	glue := b.Stack(NoStack, frame("glue"))
	app := b.Stack(glue, frame("app"))
	inner := b.Stack(app, frame("glue"))
	leaf := b.Stack(inner, frame("leaf"))
	for i, s := range []StackID{glue, app, inner, leaf, NoStack} {
		kind := []Kind{Entry, Loop, Entry, Exit, Own}[i]
		b.Sample(Sample{Time: int64(i), Stack: s, Weight: int32(i + 1), Kind: kind})
	}
	folded := Fold(b.Profile(), func(f Function) bool { return f.Name == "glue" })
	must.Do(t, folded.CheckValid())
	want := []struct {
		stack string
		kind  Kind
	}{{"(program)", Program}, {"app", Loop}, {"app", Own}, {"app leaf", Exit}, {"", Own}}
	for i, w := range want {
		s := folded.Sample(i)
		text := ""
		for at := s.Stack; at != NoStack; at = folded.Stacks.Parent[at] {
			name := folded.Function(folded.Frames.Function[folded.Stacks.Frame[at]]).Name
			if text != "" {
				name += " "
			}
			text = name + text
		}
		if text != w.stack || s.Kind != w.kind || s.Weight != int32(i+1) {
			t.Errorf("sample %d: %q %v weight %d, want %q %v", i, text, s.Kind, s.Weight, w.stack, w.kind)
		}
	}
}
