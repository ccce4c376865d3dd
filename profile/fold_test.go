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
	}{{"(program)", Program}, {"app@1", Loop}, {"app@1", Own}, {"app@1 > leaf@1", Exit}, {"", Own}}
	for i, w := range want {
		s := folded.Sample(i)
		must.Equal(t, stackText(folded, s.Stack), w.stack, i)
		must.Equal(t, s.Kind, w.kind, i)
		must.Equal(t, s.Weight, int32(i+1), i)
	}
}
