package transform

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/functable"
)

// countedPosition walks the text from its beginning.
func countedPosition(src []byte, offset int) functable.Position {
	line, column := 1, 1
	for at := 0; at < offset; {
		r, size := utf8.DecodeRune(src[at:offset])
		at += size
		switch {
		case r == '\r' && at < len(src) && src[at] == '\n':
			column++ // the line ends behind both
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
			line, column = line+1, 1
		case r > 0xffff:
			column += 2
		default:
			column++
		}
	}
	return functable.Position{Line: int32(line), Column: int32(column)}
}

// TestPositions compares every offset of texts of all sorts with a count from
// the beginning, asked for in order, backwards and at random.
func TestPositions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"x", " ", "\n", "\r", "\r\n", "\n\r", "\u2028", "\u2029", "é", "漢", "😀", "\xff", "\xe2\x80", "\xf0\x9f\x98",
		strings.Repeat("a", 31), strings.Repeat("b", 64), strings.Repeat("c", 200), strings.Repeat("é", 70), strings.Repeat("😀", 40)}
	for range 60 {
		var text bytes.Buffer
		for range random.IntN(60) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		src := text.Bytes()
		at := newPositions(src)
		c := cursor{positions: at}
		check := func(offset int) {
			t.Helper()
			if got, want := c.source(offset), countedPosition(src, offset); got != want {
				t.Fatalf("offset %d of %q stands at %v, got %v", offset, src, want, got)
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

// One line of many functions in text beyond ASCII: whatever counts a column
// from the line's beginning, or sorts what it has sorted, never ends here.
func TestLongLineIsLinear(t *testing.T) {
	size := 20 << 20
	if testing.Short() {
		size = 4 << 20
	}
	const unit = `function é(){a();return"` + "漢字かな交じり文、😀 und ein langer Satz in ASCII, damit Schritte sich lohnen" + `"};b=é=>é+"😀";`
	src := []byte(strings.Repeat(unit, size/len(unit)))
	result, err := Transform(src, Options{Preset: Precise})
	if err != nil || len(result.Warnings) > 0 {
		t.Fatal(err, result.Warnings)
	}
	assertReversible(t, src, result)
	at := newPositions(result.Code)
	last := result.Table.Functions[len(result.Table.Functions)-1]
	want := at.source(len(result.Code) - len(`;`))
	if last.End != want {
		t.Errorf("the last arrow ends at %v, the table says %v", want, last.End)
	}
}
