package transform

import "slices"

// brackets counts the parentheses and braces of a source as bytes, those in strings,
// patterns and comments too, as runtime/src/core/text.ts does when it removes insertions
// from a function's text. It counts when it is first asked.
type brackets struct {
	src    []byte
	at     []int32 // offsets
	depth  []int32 // how many are open before each and after the last; may be negative
	lowest []int32 // the first bracket from here on, by index, that closes one from before
}

// none is not the index of a bracket.
const none = 1<<31 - 1

// mostMissing bounds the work on code that does not occur in practice. Functions around
// such a range show the text with checks.
const mostMissing = 10_000

// missing returns how many brackets a range of the source needs before and after it to be
// balanced.
func (b *brackets) missing(start, end int) (before, after int) {
	if b.depth == nil {
		b.read()
	}
	first, _ := slices.BinarySearch(b.at, int32(start))
	next, _ := slices.BinarySearch(b.at, int32(end))
	for i := int(b.lowest[first]); i < next && before < mostMissing; i = int(b.lowest[i+1]) {
		before++
	}
	return before, before + int(b.depth[next]-b.depth[first])
}

func (b *brackets) read() {
	depth := int32(0)
	for i, c := range b.src {
		switch c {
		case '(', '{':
			b.at, b.depth = append(b.at, int32(i)), append(b.depth, depth)
			depth++
		case ')', '}':
			b.at, b.depth = append(b.at, int32(i)), append(b.depth, depth)
			depth--
		}
	}
	b.depth = append(b.depth, depth)
	b.lowest = make([]int32, len(b.at)+1)
	b.lowest[len(b.at)] = none
	var closers []int32 // from the end, those whose brackets are still to come
	for i := len(b.at) - 1; i >= 0; i-- {
		if b.depth[i+1] < b.depth[i] {
			closers, b.lowest[i] = append(closers, int32(i)), int32(i)
			continue
		}
		b.lowest[i] = none
		if n := len(closers); n > 0 { // its own closer, which restores the depth
			b.lowest[i], closers = b.lowest[closers[n-1]+1], closers[:n-1]
		}
	}
}
