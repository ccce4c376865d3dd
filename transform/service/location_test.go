package service

import "testing"

// Warnings count lines as JavaScript does.
func TestByteColumn(t *testing.T) {
	const text = "a;\u2028\"é😀\", here;\r\nlast"
	for _, c := range [][3]int{{0, 0, 0}, {1, 2, 1}, {2, 8, 10}, {3, 4, 3}, {3, 99, 4}, {9, 1, 0}} {
		if got := byteColumn([]byte(text), c[0], c[1]); got != c[2] {
			t.Errorf("%d:%d is at byte %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
