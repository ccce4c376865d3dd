package must

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Match reports the files that differ between two trees, or are in one of them only.
func Match(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if is, ok := got[path]; !ok {
			t.Errorf("%s: %s is missing; there are %v", what, path, slices.Sorted(maps.Keys(got)))
		} else if is != text {
			t.Errorf("%s: %s is %q\nwant %q", what, path, is, text)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %s is too much", what, path)
		}
	}
}

// Contain reports the parts that a text lacks.
func Contain(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %s:\n%s", what, part, text)
		}
	}
}

// IsSubsequence reports whether deleting parts of long gives short.
func IsSubsequence(short, long string) bool {
	for i := range len(short) {
		at := strings.IndexByte(long, short[i])
		if at < 0 {
			return false
		}
		long = long[at+1:]
	}
	return true
}
