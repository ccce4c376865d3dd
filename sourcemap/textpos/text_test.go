package textpos

import (
	"bytes"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/internal/must"
)

// counted walks a text from its beginning.
func counted(src []byte, offset int, html bool) (line, column int) {
	for at := 0; at < offset; {
		r, size := utf8.DecodeRune(src[at:offset])
		at += size
		switch {
		case r == '\r' && at < len(src) && src[at] == '\n':
			column++ // the line ends after both
		case r == '\n' || r == '\r' || !html && (r == '\u2028' || r == '\u2029'):
			line, column = line+1, 0
		case r > 0xffff:
			column += 2
		default:
			column++
		}
	}
	return line, column
}

func randomText(random *rand.Rand) []byte {
	pieces := []string{"x", " ", "\n", "\r", "\r\n", "\n\r", "\u2028", "\u2029", "é", "漢", "😀", "\xff", "\xe2\x80", "\xf0\x9f\x98",
		strings.Repeat("a", 31), strings.Repeat("b", 64), strings.Repeat("c", 200), strings.Repeat("é", 70), strings.Repeat("😀", 40)}
	var text bytes.Buffer
	for range random.IntN(60) {
		text.WriteString(pieces[random.IntN(len(pieces))])
	}
	return text.Bytes()
}

// TestPositions compares every offset of texts of all sorts with a count from
// the beginning, asked for in order, backwards and at random.
func TestPositions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		src, html := randomText(random), n%4 == 3
		text := Of(src)
		if html {
			text = OfHTML(src)
		}
		c := Cursor{Text: text}
		check := func(offset int) {
			t.Helper()
			line, column := c.Position(offset)
			if wantLine, wantColumn := counted(src, offset, html); line != wantLine || column != wantColumn {
				t.Fatalf("offset %d of %q is at %d:%d, got %d:%d", offset, src, wantLine, wantColumn, line, column)
			}
		}
		for offset := range len(src) + 1 {
			check(offset)
		}
		for offset := len(src); offset >= 0; offset-- {
			check(offset)
		}
		for range 50 {
			check(random.IntN(len(src) + 1))
		}
	}
}

// The functions that need no index agree with it.
// A mark that decoding takes off moves nothing.
func TestDecoded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		src := randomText(random)
		marked := append([]byte("\ufeff"), src...)
		for name, texts := range map[string][2]*Text{
			"script": {Of(marked).Decoded(), Of(src)}, "page": {OfHTML(marked), OfHTML(src)}, "unmarked": {Of(src).Decoded(), Of(src)},
		} {
			before := len(texts[0].Bytes()) - len(src)
			for offset := range len(src) + 1 {
				line, column := texts[0].Position(before + offset)
				if wantLine, wantColumn := texts[1].Position(offset); line != wantLine || column != wantColumn {
					t.Fatalf("%s: offset %d of %q is at %d:%d, got %d:%d", name, offset, src, wantLine, wantColumn, line, column)
				}
			}
		}
		if got, want := slices.Collect(places(Of(marked).Decoded().Characters())), slices.Collect(places(Characters(src))); !slices.Equal(got, want) {
			t.Errorf("the characters of %q are at %v, not at %v", src, got, want)
		}
	}
}

func places(characters iter.Seq2[Position, rune]) iter.Seq[Position] {
	return func(yield func(Position) bool) {
		characters(func(at Position, _ rune) bool { return yield(at) })
	}
}

func TestWithoutIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		src := randomText(random)
		text := Of(src)
		for at, r := range Characters(src) {
			offset := text.LineStart(int(at.Line)) + Bytes(src[text.LineStart(int(at.Line)):], int(at.Column))
			if line, column := text.Position(offset); line != int(at.Line) || column != int(at.Column) {
				t.Fatalf("%q of %q is at %v, the index says %d:%d", r, src, at, line, column)
			}
			if found, _ := utf8.DecodeRune(src[offset:]); found != r {
				t.Fatalf("at %v of %q is %q, not %q", at, src, found, r)
			}
		}
		must.Equal(t, Units(src), len(utf16.Encode([]rune(string(src)))), src)
		if _, last := CutLastLine(src); !bytes.Equal(last, text.Line(text.Lines()-1)) {
			t.Fatalf("the last line of %q is %q, got %q", src, text.Line(text.Lines()-1), last)
		}
	}
}

func TestLine(t *testing.T) {
	const src = "a\r\nb\rc\n\nd\u2028e\u2029"
	for n, want := range []string{"a", "b", "c", "", "d", "e", ""} {
		must.Equal(t, string(Of([]byte(src)).Line(n)), want, n)
	}
	if got := Of([]byte(src)).Line(7); got != nil {
		t.Errorf("there is no line 7, got %q", got)
	}
	must.Equal(t, string(OfHTML([]byte(src)).Line(4)), "d\u2028e\u2029", "a page has no line break at U+2028")
}

func TestBytes(t *testing.T) {
	for column, want := range []int{0, 1, 3, 7, 7, 8, 8} {
		must.Equal(t, Bytes([]byte("aé😀b"), column), want, column)
	}
}
