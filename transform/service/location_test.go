package service

import "testing"

func TestByteColumn(t *testing.T) {
	text := []byte("one\n\tä𝒳b\nlast")
	for _, c := range []struct{ line, column, want int }{
		{1, 1, 0}, {1, 3, 2}, {1, 99, 3}, {0, 0, 0},
		{2, 2, 1}, {2, 3, 3}, {2, 5, 7}, {2, 6, 8},
		{3, 5, 4}, {4, 1, 0},
	} {
		if got := byteColumn(text, c.line, c.column); got != c.want {
			t.Errorf("%d:%d: %d, not %d", c.line, c.column, got, c.want)
		}
	}
}
