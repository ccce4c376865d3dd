// Package order sorts things that are at offsets of a text, in time linear
// in their number when they are spread over it.
package order

import "slices"

// ByOffset returns the items of all chunks in order. It throws them into as many
// buckets as there are items, by offset, and sorts within each bucket, where few
// meet; compare decides, and must put smaller offsets first. The offsets must be
// from 0 to size. The chunks are left as they are.
func ByOffset[T any](size int, offset func(*T) int, compare func(x, y T) int, chunks ...[]T) []T {
	n := 0
	for _, chunk := range chunks {
		n += len(chunk)
	}
	shift := 0
	for size>>shift > n {
		shift++
	}
	// Where each bucket's next item goes; at the end, where the next one begins.
	places := make([]int32, size>>shift+2)
	for _, chunk := range chunks {
		for i := range chunk {
			places[offset(&chunk[i])>>shift+1]++
		}
	}
	for i := 1; i < len(places); i++ {
		places[i] += places[i-1]
	}
	sorted := make([]T, n)
	for _, chunk := range chunks {
		for i := range chunk {
			place := &places[offset(&chunk[i])>>shift]
			sorted[*place] = chunk[i]
			*place++
		}
	}
	start := int32(0)
	for _, end := range places {
		if end-start > 1 {
			slices.SortFunc(sorted[start:end], compare)
		}
		start = end
	}
	return sorted
}
