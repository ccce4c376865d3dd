package esbuildplugin

import "testing"

// Warnings count lines as JavaScript does.
func TestLocate(t *testing.T) {
	const text = "a;\u2028b;\u2029\"é😀\", here;\r\nlast"
	for _, c := range []struct {
		line, column int
		wantColumn   int
		wantText     string
	}{
		{0, 0, 0, "a;"},
		{2, 2, 1, "b;"},
		{3, 8, 10, "\"é😀\", here;"},
		{4, 99, 4, "last"},
		{5, 3, 0, ""},
	} {
		got := locate("f.js", []byte(text), c.line, c.column)
		if got.Line != max(c.line, 1) || got.Column != c.wantColumn || got.LineText != c.wantText {
			t.Errorf("%d:%d is at %d:%d of %q", c.line, c.column, got.Line, got.Column, got.LineText)
		}
	}
}
