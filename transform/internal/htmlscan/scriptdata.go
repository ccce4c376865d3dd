package htmlscan

import "bytes"

// rawText skips text in which only the end tag of the named element is markup.
// It returns where the text ends, which is where the end tag begins, and
// whether there is one; t.pos is after it.
func (t *tokens) rawText(name string) (end int, closed bool) {
	name = "/" + name
	for at := t.pos; ; at++ {
		next := bytes.IndexByte(t.src[at:], '<')
		if next < 0 {
			t.pos = len(t.src)
			return t.pos, false
		}
		at += next
		if t.isTag(at+1, name) {
			return t.endTag(at)
		}
	}
}

// scriptData skips the content of a script, like rawText. For historical reasons,
// comments have a meaning in it: after <!-- comes escaped text, in
// which <script> begins doubly escaped text; only that one can contain
// </script>, which leads back to the escaped text. --> ends both.
func (t *tokens) scriptData() (end int, closed bool) {
	const plain, escaped, doubly = 0, 1, 2
	state := plain
	for at := t.pos; at < len(t.src); at++ {
		if state == plain {
			next := bytes.IndexByte(t.src[at:], '<')
			if next < 0 {
				break
			}
			at += next
		}
		switch c := t.src[at]; {
		case c == '-' && state != plain && bytes.HasPrefix(t.src[at:], []byte("-->")):
			at += 2
			state = plain
		case c != '<':
		case t.isTag(at+1, "/script"):
			if state != doubly {
				return t.endTag(at)
			}
			state = escaped
		case state == plain && bytes.HasPrefix(t.src[at:], []byte("<!--")):
			at++ // its dashes may be those of -->
			state = escaped
		case state == escaped && t.isTag(at+1, "script"):
			state = doubly
		}
	}
	t.pos = len(t.src)
	return t.pos, false
}

// isTag reports whether a tag's name, with its slash if it ends an element, is
// at an offset.
func (t *tokens) isTag(at int, name string) bool {
	if !hasPrefix(t.src[at:], name) {
		return false
	}
	c := t.at(at + len(name))
	return isSpace(c) || c == '/' || c == '>'
}

// endTag reads the end tag at an offset, and returns the offset and whether the
// source does not end in it.
func (t *tokens) endTag(at int) (end int, closed bool) {
	t.pos = at
	closed = t.readTag(at+2) == aTag
	return at, closed
}
