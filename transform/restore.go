package transform

import "bytes"

// Restores reports whether deleting the insertions from code gives src back. It
// is the promise of Transform; callers that write files may want to see it kept.
func Restores(code []byte, insertions []Insertion, src []byte) bool {
	at := 0
	for _, i := range insertions {
		if i.Offset < at || i.Offset+i.Length > len(code) {
			return false
		}
		kept := code[at:i.Offset]
		if !bytes.HasPrefix(src, kept) {
			return false
		}
		src = src[len(kept):]
		at = i.Offset + i.Length
	}
	return bytes.Equal(code[at:], src)
}
