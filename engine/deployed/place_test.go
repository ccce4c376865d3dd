package deployed

import (
	"testing"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// Engines count U+2028 and U+2029 as line breaks, and so do the sources' lines.
func TestPlacesAfterLineSeparators(t *testing.T) {
	const code = "a;\u2028\"é😀\",b;\u2029c"
	script, err := New("s.js", []byte(code), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		got    Place
		column int
		text   string
		offset int
	}{
		{script.Place(2, 7), 7, "\"é😀\",b;", 9},
		{script.PlaceOfByte(2, 10), 7, "\"é😀\",b;", 9},
		{script.Place(3, 1), 1, "c", 0},
	} {
		if c.got.Column != c.column || c.got.text != c.text || c.got.offset != c.offset {
			t.Errorf("want column %d, byte %d of %q; got %+v", c.column, c.offset, c.text, c.got)
		}
	}
	mapped, err := New("s.js", []byte(code), nil, sourcemap.Identity("s.js", "s.ts", textpos.Of([]byte(code)), nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := mapped.Place(3, 1); got.File != "s.ts" || got.Line != 3 || got.text != "c" {
		t.Errorf("the source's mapped line is %q: %v", got.text, got)
	}
}
