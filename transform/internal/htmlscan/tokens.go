package htmlscan

import "bytes"

// tokens reads tags from the source, one with each call of next. After each start tag
// the caller decides whether raw text follows, and skips it.
type tokens struct {
	src []byte
	pos int // after what was read

	tag tag

	// foreign says that a CDATA section is one. Kept by the caller.
	foreign bool
}

// tag is a start or end tag.
type tag struct {
	start, end  int
	name        []byte // in lower case; valid until the next tag
	closing     bool   // an end tag
	selfClosing bool
	attrs       []rawAttribute // valid until the next tag
}

// rawAttribute has the offsets of an attribute.
type rawAttribute struct {
	nameStart, nameEnd, start, end int
	quote                          byte
	bare                           bool
}

// kindOfToken is what next has read.
type kindOfToken uint8

const (
	atEnd kindOfToken = iota
	aTag              // t.tag
	aDoctype
	someText // which may be white space, but no markup
	noContent
)

// next reads the next token: from the old t.pos to the new one.
func (t *tokens) next() kindOfToken {
	rest := t.src[t.pos:]
	if len(rest) == 0 {
		return atEnd
	}
	if rest[0] != '<' {
		if at := bytes.IndexByte(rest, '<'); at >= 0 {
			t.pos += at
		} else {
			t.pos = len(t.src)
		}
		return someText
	}
	switch c := t.at(t.pos + 1); {
	case c == '!':
		return t.markup()
	case c == '?':
		t.skipPast(t.pos+2, ">")
		return noContent
	case c == '/' && isLetter(t.at(t.pos+2)):
		return t.readTag(t.pos + 2)
	case c == '/' && t.pos+2 < len(t.src):
		t.skipPast(t.pos+2, ">")
		return noContent
	case isLetter(c):
		return t.readTag(t.pos + 1)
	}
	t.pos++
	return someText
}

// at returns the byte at an offset, 0 past the end.
func (t *tokens) at(offset int) byte {
	if offset < len(t.src) {
		return t.src[offset]
	}
	return 0
}

// skipPast moves past the next mark at or after an offset, or to the end.
func (t *tokens) skipPast(offset int, mark string) {
	t.pos = len(t.src)
	if offset > len(t.src) {
		return
	}
	if at := bytes.Index(t.src[offset:], []byte(mark)); at >= 0 {
		t.pos = offset + at + len(mark)
	}
}

// markup reads what begins with <!.
func (t *tokens) markup() kindOfToken {
	inside := t.src[t.pos+2:]
	switch {
	case bytes.HasPrefix(inside, []byte("--")):
		t.comment()
	case len(inside) >= 7 && bytes.EqualFold(inside[:7], []byte("doctype")):
		t.skipPast(t.pos+2, ">")
		return aDoctype
	case t.foreign && bytes.HasPrefix(inside, []byte("[CDATA[")):
		t.skipPast(t.pos+9, "]]>")
		return someText
	default:
		t.skipPast(t.pos+2, ">")
	}
	return noContent
}

// comment reads a comment. <!--> and <!---> are whole ones.
func (t *tokens) comment() {
	at := t.pos + 4
	if t.at(at) == '>' {
		t.pos = at + 1
		return
	}
	if t.at(at) == '-' && t.at(at+1) == '>' {
		t.pos = at + 2
		return
	}
	for {
		dashes := bytes.Index(t.src[at:], []byte("--"))
		if dashes < 0 {
			t.pos = len(t.src)
			return
		}
		at += dashes
		if t.at(at+2) == '>' {
			t.pos = at + 3
			return
		}
		if t.at(at+2) == '!' && t.at(at+3) == '>' {
			t.pos = at + 4
			return
		}
		at++
	}
}

// readTag reads a tag whose name begins at offset. A tag that the source ends in does
// not count.
func (t *tokens) readTag(offset int) kindOfToken {
	g := &t.tag
	*g = tag{start: t.pos, closing: offset == t.pos+2, name: g.name[:0], attrs: g.attrs[:0]}
	at := offset
	for ; at < len(t.src); at++ {
		c := t.src[at]
		if isSpace(c) || c == '/' || c == '>' {
			break
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		g.name = append(g.name, c)
	}
	for at < len(t.src) {
		switch c := t.src[at]; {
		case c == '>':
			g.end, t.pos = at+1, at+1
			return aTag
		case c == '/' && t.at(at+1) == '>':
			g.selfClosing = true
			at++
		case c == '/' || isSpace(c):
			at++
		default:
			at = t.readAttribute(at)
		}
	}
	t.pos = len(t.src)
	return atEnd
}

// readAttribute reads the attribute at an offset and returns where it ends.
func (t *tokens) readAttribute(at int) int {
	a := rawAttribute{nameStart: at, bare: true}
	for at++; at < len(t.src); at++ { // a name may begin with =
		if c := t.src[at]; isSpace(c) || c == '/' || c == '>' || c == '=' {
			break
		}
	}
	a.nameEnd, a.start, a.end = at, at, at
	if equals := t.afterSpace(at); t.at(equals) == '=' {
		at = t.afterSpace(equals + 1)
		a.bare = false
		at = t.readValue(&a, at)
	}
	t.tag.attrs = append(t.tag.attrs, a)
	return at
}

// readValue reads the value at an offset and returns where the attribute ends.
func (t *tokens) readValue(a *rawAttribute, at int) int {
	if c := t.at(at); c == '"' || c == '\'' {
		a.quote = c
		a.start, a.end = at+1, len(t.src)
		if length := bytes.IndexByte(t.src[at+1:], c); length >= 0 {
			a.end = a.start + length
			return a.end + 1
		}
		return len(t.src)
	}
	a.start = at
	for at < len(t.src) && !isSpace(t.src[at]) && t.src[at] != '>' {
		at++
	}
	a.end = at
	return at
}

func (t *tokens) afterSpace(at int) int {
	for at < len(t.src) && isSpace(t.src[at]) {
		at++
	}
	return at
}

// attribute returns the first attribute with a name, nil if there is none.
func (t *tokens) attribute(name string) *Attribute {
	for i := range t.tag.attrs {
		a := &t.tag.attrs[i]
		if t.named(a, name) {
			end := a.end
			if a.quote != 0 {
				end++
			}
			return &Attribute{
				Value: decode(t.src[a.start:a.end]), Start: a.start, End: a.end, Quote: a.quote,
				AttrStart: a.nameStart, AttrEnd: end, Bare: a.bare,
			}
		}
	}
	return nil
}

// value returns the value of the attribute with a name, "" if there is none.
func (t *tokens) value(name string) string {
	if a := t.attribute(name); a != nil {
		return a.Value
	}
	return ""
}

// has reports whether there is an attribute with a name.
func (t *tokens) has(name string) bool {
	for i := range t.tag.attrs {
		if t.named(&t.tag.attrs[i], name) {
			return true
		}
	}
	return false
}

func (t *tokens) named(a *rawAttribute, name string) bool {
	return a.nameEnd-a.nameStart == len(name) && hasPrefix(t.src[a.nameStart:], name)
}

// hasPrefix reports whether b begins with a prefix, which is in lower case, in
// whatever case.
func hasPrefix(b []byte, prefix string) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != prefix[i] {
			return false
		}
	}
	return true
}
