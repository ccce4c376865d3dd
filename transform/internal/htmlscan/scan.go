package htmlscan

import (
	"bytes"
	"slices"
	"strings"
)

// scanner reads one page.
type scanner struct {
	tokens
	elements
	page *Page

	known // of the tag
	names map[string]*known

	where place
	set   bool // the page is a frameset, in which no script runs
}

// known is what follows from a tag's name.
type known struct {
	name  string
	trait trait    // of HTML's element with that name
	urls  []string // its attributes with a URL that is gone to
}

// place is how far the page has come.
type place uint8

const (
	beforeHTML place = iota
	beforeHead
	inHead // or after it
	inBody
)

// Scan reads a page. src is not modified or kept, and Scan is safe for
// concurrent use. A page whose byte order mark says UTF-16 is not read any further.
func Scan(src []byte) *Page {
	page := &Page{}
	switch {
	case bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")):
		page.Charset = Charset{Label: "utf-8", BOM: 3}
	case bytes.HasPrefix(src, []byte("\xFE\xFF")):
		page.Charset = Charset{Label: "utf-16be", BOM: 2}
	case bytes.HasPrefix(src, []byte("\xFF\xFE")):
		page.Charset = Charset{Label: "utf-16le", BOM: 2}
	}
	page.HeadStart = page.Charset.BOM
	if page.Charset.BOM == 2 {
		return page
	}
	s := &scanner{page: page, names: map[string]*known{}}
	s.count = map[string]int{}
	s.src, s.pos = src, page.Charset.BOM
	s.run()
	return page
}

func (s *scanner) run() {
	for {
		start := s.pos
		top := s.top()
		s.foreign = top != nil && top.space != inHTML && !top.html && !top.text
		token := s.next()
		switch token {
		case atEnd:
			return
		case aDoctype:
			if s.where == beforeHTML {
				s.where = beforeHead
				s.page.HeadStart = s.pos
			}
		case someText:
			s.text(s.src[start:s.pos])
		case aTag:
			s.nameTag()
			s.readElement()
		}
	}
}

// text reads text between tags, which begins the body unless it is white space.
func (s *scanner) text(text []byte) {
	if s.where < inBody && len(s.open) == 0 && len(bytes.Trim(text, space)) > 0 {
		s.beginBody()
	}
}

// nameTag looks up what follows from a tag's name.
func (s *scanner) nameTag() {
	k := s.names[string(s.tag.name)]
	if k == nil {
		name := string(s.tag.name)
		k = &known{name: name, trait: traits[name], urls: urlAttributes[name]}
		s.names[name] = k
	}
	s.known = *k
}

func (s *scanner) readElement() {
	foreign := s.inForeign()
	if !s.tag.closing {
		s.countHandlers()
	}
	switch {
	case foreign && s.tag.closing:
		s.foreignEnd()
	case foreign:
		s.foreignStart()
	case s.tag.closing:
		s.htmlEnd()
	default:
		s.htmlStart()
	}
	for _, i := range s.closed {
		if c := &s.page.Scripts[i]; !c.Closed {
			c.ContentEnd, c.End = s.tag.start, s.tag.start
		}
	}
	s.closed = s.closed[:0]
}

// ofPages are the tags that no part has.
const ofPages = "html head body frameset frame"

// htmlStart reads the start tag of an HTML element.
func (s *scanner) htmlStart() {
	if s.set && s.name != "noframes" {
		return
	}
	isDone := len(s.open) == 0 && s.advance()
	if oneOf(s.name, ofPages) {
		s.page.IsPart = false
	}
	if isDone {
		return
	}
	switch {
	case oneOf(s.name, ofPages):
	case s.name == "svg":
		s.beginForeign(inSVG)
	case s.name == "math":
		s.beginForeign(inMath)
	case s.name == "script":
		s.htmlScript()
	case s.trait&raw != 0:
		s.begin(element{name: s.name, trait: s.trait | void})
		s.skipRaw()
	default:
		s.note()
		shadow := s.name == "template" && oneOf(lower(s.value("shadowrootmode")), "open closed")
		s.begin(element{
			name: s.name, trait: s.trait, html: true, script: -1,
			inert: s.name == "template" && !shadow, shadow: shadow, start: s.tag.start,
		})
	}
}

// advance moves from the start of the page to its body, as the start tag says,
// and reports whether that is all that the tag does.
func (s *scanner) advance() bool {
	switch {
	case s.where == inBody:
		return false
	case s.name == "html":
		if s.where <= beforeHead {
			s.where = beforeHead
			s.page.HeadStart = s.tag.end
		}
	case s.name == "head":
		if s.where < inHead {
			s.page.HeadStart = s.tag.end
			s.where = inHead
		}
	case s.name == "frameset":
		s.set = true
	case s.trait&ofHead != 0:
		s.where = inHead
		return false
	default:
		s.beginBody()
		return s.name == "body"
	}
	return true
}

func (s *scanner) beginBody() {
	s.page.IsPart = s.where == beforeHTML
	s.where = inBody
}

// htmlEnd reads the end tag of an HTML element.
func (s *scanner) htmlEnd() {
	switch {
	case s.set:
	case len(s.open) > 0:
		s.end(s.name, s.trait)
	case s.where < inHead && oneOf(s.name, "head body html br"):
		s.where = inHead
	}
}

// skipRaw skips the content of an element that is text, and its end tag.
func (s *scanner) skipRaw() {
	if s.name == "plaintext" {
		s.pos = len(s.src)
		return
	}
	s.rawText(s.name)
}

// htmlScript reads a script element.
func (s *scanner) htmlScript() {
	c := &s.page.Scripts[s.script(false)]
	c.ContentStart = c.End
	c.ContentEnd, c.Closed = s.scriptData()
	c.End = s.pos
	if !c.Closed {
		c.End = len(s.src)
	}
}

// script adds a script with what its start tag tells, of which End is the end,
// and returns its index.
func (s *scanner) script(foreign bool) int {
	c := Script{
		Start: s.tag.start, End: s.tag.end, Before: s.outside(),
		Src: s.attribute("src"), Integrity: s.attribute("integrity"), Nonce: s.attribute("nonce"),
		CrossOrigin: s.attribute("crossorigin"),
		Async:       s.has("async"), Defer: s.has("defer"), NoModule: s.has("nomodule"),
		Foreign: foreign, Inert: s.inert > 0,
	}
	if foreign {
		if c.Src = s.attribute("href"); c.Src == nil {
			c.Src = s.attribute("xlink:href")
		}
	}
	c.Type, c.Kind = kindOf(s.attribute("type"), s.attribute("language"))
	if c.Kind == Classic && s.has("for") && s.has("event") && !onLoad(s.value("for"), s.value("event")) {
		c.Inert = true
	}
	s.page.Scripts = append(s.page.Scripts, c)
	return len(s.page.Scripts) - 1
}

// outside is where the outermost shadow root around the tag begins, or the tag itself.
func (s *scanner) outside() int {
	if s.count["template"] > 0 {
		for i := range s.open {
			if s.open[i].shadow {
				return s.open[i].start
			}
		}
	}
	return s.tag.start
}

// note records a tag without content.
func (s *scanner) note() {
	switch s.name {
	case "base":
		if s.page.Base == nil && s.inert == 0 {
			s.page.Base, s.page.BaseAt = s.attribute("href"), s.tag.start
		}
	case "link":
		if rel := s.attribute("rel"); rel != nil {
			s.page.Links = append(s.page.Links, Link{
				Start: s.tag.start, End: s.tag.end, Rel: words(lower(rel.Value)),
				Href: s.attribute("href"), Integrity: s.attribute("integrity"), As: s.attribute("as"),
				Nonce: s.attribute("nonce"), CrossOrigin: s.attribute("crossorigin"), Inert: s.inert > 0,
			})
		}
	case "meta":
		s.noteMeta()
	}
}

func (s *scanner) noteMeta() {
	content, charset := s.attribute("content"), s.attribute("charset")
	equiv := lower(s.value("http-equiv"))
	if equiv == "content-security-policy" && content != nil {
		s.page.Policies = append(s.page.Policies, Policy{Start: s.tag.start, End: s.tag.end, Content: *content, Inert: s.inert > 0})
	}
	if s.inert > 0 || s.page.Charset.Meta != nil {
		return
	}
	label := ""
	switch {
	case charset != nil:
		label = lower(strings.Trim(charset.Value, space))
	case equiv == "content-type" && content != nil:
		charset, label = content, charsetOf(content.Value)
	}
	if label == "" {
		return
	}
	s.page.Charset.Meta = charset
	if s.page.Charset.BOM == 0 {
		s.page.Charset.Label = label
	}
}

// charsetOf returns the character set in a content type.
func charsetOf(contentType string) string {
	rest := lower(contentType)
	for {
		_, behind, found := strings.Cut(rest, "charset")
		if !found {
			return ""
		}
		rest = strings.TrimLeft(behind, space)
		if !strings.HasPrefix(rest, "=") {
			continue
		}
		rest = strings.TrimLeft(rest[1:], space)
		if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			label, _, closed := strings.Cut(rest[1:], rest[:1])
			if !closed {
				return ""
			}
			return strings.Trim(label, space)
		}
		if end := strings.IndexAny(rest, space+";"); end >= 0 {
			rest = rest[:end]
		}
		return rest
	}
}

// countHandlers counts the attributes of a start tag that run script.
func (s *scanner) countHandlers() {
	var seen []string
	for i := range s.tag.attrs {
		a := &s.tag.attrs[i]
		name := s.src[a.nameStart:a.nameEnd]
		if !hasPrefix(name, "on") || len(name) > longestHandler {
			continue
		}
		if name := lower(string(name)); handlers[name] && !slices.Contains(seen, name) {
			seen = append(seen, name)
			s.page.Handlers++
		}
	}
	for _, name := range s.urls {
		if a := s.attribute(name); a != nil && runsScript(a.Value) {
			s.page.Handlers++
		}
	}
}

// runsScript reports whether a URL has the scheme javascript.
func runsScript(url string) bool {
	url = strings.TrimLeftFunc(url, func(r rune) bool { return r <= ' ' })
	url = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, url[:min(len(url), 100)])
	return hasPrefix([]byte(url), "javascript:")
}
