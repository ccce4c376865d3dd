package edit

import (
	"math/rand/v2"
	"testing"
)

func TestWrapsNestHoweverTheyMeet(t *testing.T) {
	tests := []struct {
		name, src, want string
		edit            func(*Buffer)
	}{
		{"same end, outer asked first", "x=>y=>z", "x=>A(y=>B(z)b)a", func(b *Buffer) {
			b.Wrap(3, 7, "A(", ")a")
			b.Wrap(6, 7, "B(", ")b")
		}},
		{"same end, inner asked first", "x=>y=>z", "x=>A(y=>B(z)b)a", func(b *Buffer) {
			b.Wrap(6, 7, "B(", ")b")
			b.Wrap(3, 7, "A(", ")a")
		}},
		{"same range: asked first is outer", "xyz", "A(B(xyz)b)a", func(b *Buffer) {
			b.Wrap(0, 3, "A(", ")a")
			b.Wrap(0, 3, "B(", ")b")
		}},
		{"closer before opener at one offset", "ab", "A(a)aB(b)b", func(b *Buffer) {
			b.Wrap(1, 2, "B(", ")b")
			b.Wrap(0, 1, "A(", ")a")
		}},
		{"empty range", "{}", "{A()a}", func(b *Buffer) { b.Wrap(1, 1, "A(", ")a") }},
		{"nothing", "abc", "abc", func(*Buffer) {}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b Buffer
			test.edit(&b)
			got, _ := b.Apply([]byte(test.src))
			if string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// Random nested wraps must come out as balanced brackets, and cutting what
// Apply says it inserted must give the source back.
func TestRandomNestingBalances(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		src := []byte("0123456789")
		var b Buffer
		var nest func(lo, hi, depth int)
		nest = func(lo, hi, depth int) {
			if depth == 0 || lo >= hi {
				return
			}
			start := lo + rng.IntN(hi-lo)
			end := start + 1 + rng.IntN(hi-start)
			b.Wrap(start, end, "(", ")")
			nest(start, end, depth-1)
			nest(end, hi, depth-1)
		}
		nest(0, len(src), 4)
		out, edits := b.Apply(src)
		var rest []byte
		at, depth := 0, 0
		for _, e := range edits {
			rest = append(rest, out[at:e.Output]...)
			at = e.Output + len(e.Text)
		}
		rest = append(rest, out[at:]...)
		if string(rest) != string(src) {
			t.Fatalf("cutting gives %s", rest)
		}
		for _, c := range out {
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth < 0 {
				t.Fatalf("unbalanced: %s", out)
			}
		}
		if depth != 0 {
			t.Fatalf("unbalanced: %s", out)
		}
	}
}
