package jsscan

// iterates reports whether the name before the current token, the parenthesis of a call,
// is of a method that loops in the engine for as long as its data are large: it calls a
// comparator, or reads or writes JSON.
//
// Other methods loop, too. But arrays' map, filter and the like are in so many small
// functions that checks in all of them would cost twice the bytes that N 10 leaves.
func (s *scanner) iterates() bool {
	switch end := s.prevEnd; {
	case s.endsWith(end, "sort"):
		return s.buf[end-5] == '.'
	case s.endsWith(end, "toSorted"):
		return s.buf[end-9] == '.'
	case s.endsWith(end, "JSON.parse"), s.endsWith(end, "JSON.stringify"):
		return true
	}
	return false
}

// endsWith reports whether the source before an offset ends with a text, and has
// something that is not part of a name before it.
func (s *scanner) endsWith(end int, text string) bool {
	at := end - len(text)
	return at > 0 && s.buf[end-1] == text[len(text)-1] && string(s.buf[at:end]) == text && !partOfName[s.buf[at-1]]
}
