package htmlscan

// inForeign reports whether the tag belongs to svg or math: whether the innermost
// element is of these and no place for HTML.
func (s *scanner) inForeign() bool {
	top := s.top()
	if top == nil || top.space == inHTML {
		return false
	}
	switch {
	case s.tag.closing:
		return true
	case top.html:
		return false
	case top.text:
		return s.name == "mglyph" || s.name == "malignmark"
	}
	return top.space != inMath || top.name != "annotation-xml" || s.name != "svg"
}

// foreignStart reads a start tag in svg or math.
func (s *scanner) foreignStart() {
	if s.trait&breakout != 0 || s.name == "font" && (s.has("color") || s.has("face") || s.has("size")) {
		s.leaveForeign()
		s.htmlStart()
		return
	}
	s.beginForeign(s.top().space)
}

// beginForeign opens an element of svg or math.
func (s *scanner) beginForeign(in namespace) {
	el := element{name: s.name, space: in, script: -1}
	switch {
	case in == inSVG && oneOf(s.name, "desc foreignobject title"):
		el.html, el.trait = true, scope|special
	case in == inMath && oneOf(s.name, "mi mn mo ms mtext"):
		el.text, el.trait = true, scope|special
	case in == inMath && s.name == "annotation-xml":
		encoding := lower(s.value("encoding"))
		el.html = encoding == "text/html" || encoding == "application/xhtml+xml"
		el.trait = scope | special
	case s.name == "script":
		el.script = s.script(true)
		c := &s.page.Scripts[el.script]
		c.Inert = c.Inert || in == inMath
		c.ContentStart, c.ContentEnd, c.Closed = c.End, c.End, s.tag.selfClosing
		if !c.Closed {
			c.ContentEnd, c.End = len(s.src), len(s.src)
		}
	}
	if !s.tag.selfClosing {
		s.push(el)
	}
}

// foreignEnd reads an end tag in svg or math.
func (s *scanner) foreignEnd() {
	if s.name == "p" || s.name == "br" {
		s.leaveForeign()
		s.htmlEnd()
		return
	}
	for i := len(s.open) - 1; i >= 0 && s.count[s.name] > 0; i-- {
		el := &s.open[i]
		if el.space == inHTML {
			break
		}
		if el.name == s.name {
			if el.script >= 0 {
				c := &s.page.Scripts[el.script]
				c.ContentEnd, c.End, c.Closed = s.tag.start, s.tag.end, true
			}
			s.pop(i)
			return
		}
	}
	s.htmlEnd()
}

// leaveForeign closes svg and math up to where HTML can be.
func (s *scanner) leaveForeign() {
	i := len(s.open)
	for i > 0 && s.open[i-1].space != inHTML && !s.open[i-1].html && !s.open[i-1].text {
		i--
	}
	s.pop(i)
}
