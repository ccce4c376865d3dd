package sourcemap

import "sync"

// pairs decodes the number that two bytes of a mappings string begin with, if
// they hold all of it. An entry has three parts:
//
//	bits 0–5   how many bits of the text the number takes: 8, 16, or 0 in
//	           front of a comma or semicolon
//	bit 7      set if the number goes on, or there is no number here
//	bits 16–31 the number, with its sign
//
// so the low halves of several entries add up to the length of a segment, which
// is too large as soon as one of them did not do.
type pairs [1 << 16]int32

const noPair = 1 << 7

var pairTable = sync.OnceValue(func() *pairs {
	t := new(pairs)
	for i := range t {
		t[i] = noPair
	}
	for second := range 256 {
		t[','|second<<8] = 0
		t[';'|second<<8] = 0
	}
	for i := range digits {
		first := int(digits[i])
		if i < 32 {
			for second := range 256 {
				t[first|second<<8] = signed(i)<<16 | 8
			}
			continue
		}
		for j := range digits[:32] {
			t[first|int(digits[j])<<8] = signed(i&31|j<<5)<<16 | 16
		}
	}
	return t
})

// signed takes the sign out of a number's lowest bit.
func signed(v int) int32 {
	if v&1 != 0 {
		return int32(-(v >> 1))
	}
	return int32(v >> 1)
}
