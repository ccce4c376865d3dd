package htmlscan

import "strings"

// maxOpen bounds the stack of open elements, as browsers do: an element that
// begins deeper replaces the innermost one.
const maxOpen = 512

// trait is what the parser knows about an element by its name.
type trait uint16

const (
	void       trait = 1 << iota // never has content
	raw                          // its content is text up to its end tag
	ofHead                       // does not begin the body
	special                      // stops the search for the start of an end tag
	scope                        // its content does not see what is open around it
	endsP                        // ends an open p
	formatting                   // its end tag may come too early
	heading
	ofTable  // begins a part of a table
	breakout // ends svg and math
)

// traits has what HTML's elements are.
var traits = func() map[string]trait {
	m := map[string]trait{}
	set := func(t trait, names string) {
		for _, name := range strings.Fields(names) {
			m[name] |= t
		}
	}
	set(void, `area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr`)
	set(raw, `iframe noembed noframes noscript plaintext script style textarea title xmp`)
	set(ofHead, `base basefont bgsound head html link meta noframes noscript script style template title`)
	set(special|scope, `applet caption html marquee object table td template th`)
	set(special, `address area article aside base basefont bgsound blockquote body br button center col colgroup
		dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
		hgroup hr iframe img input keygen li link listing main menu meta nav noembed noframes noscript ol p param plaintext
		pre script search section select source style summary tbody textarea tfoot thead title tr track ul wbr xmp`)
	set(endsP, `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer
		form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp`)
	set(formatting, `a b big code em font i nobr s small strike strong tt u`)
	set(heading, `h1 h2 h3 h4 h5 h6`)
	set(ofTable, `caption col colgroup tbody td tfoot th thead tr`)
	set(breakout, `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu
		meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`)
	return m
}()

// element is an open element.
type element struct {
	name  string
	trait trait
	space namespace

	html   bool // its content is HTML: an HTML element, or an integration point of svg or math
	text   bool // its content is HTML but for two tags: an integration point for text in math
	inert  bool // a template whose content is not shown
	shadow bool // a template that becomes a shadow root
	start  int  // of the tag of such a template
	body   bool // a template that is known to hold no parts of a table
	script int  // index of its script, -1 if it is none
}

// namespace is the language an element is of.
type namespace uint8

const (
	inHTML namespace = iota
	inSVG
	inMath
)

// elements is the stack of open elements. It lacks html, head and body, elements with
// text as content, and formatting elements that the standard would open again. So if
// tags are wrongly nested, a rare svg may seem to end earlier or later than in a
// browser.
type elements struct {
	open  []element
	count map[string]int // of open elements by name, so that absent ones are not searched for
	inert int            // how many of them are inert

	closed []int // scripts in svg and math that were closed by other tags than their own
}

// top returns the innermost open element, nil if none is open.
func (e *elements) top() *element {
	if len(e.open) == 0 {
		return nil
	}
	return &e.open[len(e.open)-1]
}

func (e *elements) push(el element) {
	if len(e.open) == maxOpen {
		e.pop(maxOpen - 1)
	}
	if el.inert {
		e.inert++
	}
	if top := e.top(); top != nil && top.name == "template" && el.trait&(ofTable|ofHead) == 0 {
		top.body = true
	}
	e.count[el.name]++
	e.open = append(e.open, el)
}

// pop closes all elements from an index on.
func (e *elements) pop(index int) {
	for i := index; i < len(e.open); i++ {
		e.count[e.open[i].name]--
		if e.open[i].inert {
			e.inert--
		}
		if e.open[i].script >= 0 {
			e.closed = append(e.closed, e.open[i].script)
		}
	}
	e.open = e.open[:index]
}

// popAt closes all elements from an index on, which is -1 for none.
func (e *elements) popAt(index int) {
	if index >= 0 {
		e.pop(index)
	}
}

// find returns the index of the innermost HTML element with one of the names,
// up to the innermost that bounds the scope or has the name of a bound; -1 if
// there is none.
func (e *elements) find(names, bounds string) int {
	return e.innermost(names, func(el *element) bool { return el.trait&scope != 0 || bounds != "" && oneOf(el.name, bounds) })
}

// findPart returns the index of the innermost of the names in the innermost
// table or template, -1 if there is none.
func (e *elements) findPart(names string) int {
	return e.innermost(names, func(el *element) bool { return el.space == inHTML && (el.name == "table" || el.name == "template") })
}

// innermost returns the index of the innermost HTML element with one of the names, up to the
// first that ends the search; -1 if there is none.
func (e *elements) innermost(names string, ends func(*element) bool) int {
	if !e.any(names) {
		return -1
	}
	for i := len(e.open) - 1; i >= 0; i-- {
		el := &e.open[i]
		if el.space == inHTML && oneOf(el.name, names) {
			return i
		}
		if ends(el) {
			return -1
		}
	}
	return -1
}

// any reports whether an element with one of the names is open.
func (e *elements) any(names string) bool {
	for names != "" {
		var first string
		if first, names, _ = strings.Cut(names, " "); e.count[first] > 0 {
			return true
		}
	}
	return false
}

// oneOf reports whether names, which are separated by blanks, hold a name.
func oneOf(name, names string) bool {
	for len(names) > len(name) {
		var first string
		if first, names, _ = strings.Cut(names, " "); first == name {
			return true
		}
	}
	return name != "" && name == names
}

// begin opens an HTML element, and closes what its start tag ends.
func (e *elements) begin(el element) {
	if el.trait&ofTable != 0 {
		if !e.beginPart(el.name) {
			return
		}
	} else if el.name == "table" {
		if at := e.findPart("td th caption table"); at >= 0 && e.open[at].name == "table" {
			e.pop(at)
		}
	}
	if el.trait&endsP != 0 {
		e.beginItem(el.name)
		e.close("p", "button")
		if top := e.top(); el.trait&heading != 0 && top != nil && top.trait&heading != 0 {
			e.pop(len(e.open) - 1)
		}
	}
	switch el.name {
	case "a", "nobr":
		e.endFormatting(el.name)
	case "button":
		e.close("button", "")
	case "select":
		if at := e.find("select", ""); at >= 0 {
			e.pop(at)
			return
		}
	case "option", "optgroup":
		if top := e.top(); top != nil && top.name == "option" && top.space == inHTML {
			e.pop(len(e.open) - 1)
		}
	}
	if el.trait&void == 0 {
		e.push(el)
	}
}

// beginItem closes the item before in a list.
func (e *elements) beginItem(name string) {
	names := name
	switch name {
	case "dd", "dt":
		names = "dd dt"
	case "li":
	default:
		return
	}
	e.popAt(e.innermost(names, func(el *element) bool { return el.trait&special != 0 && !oneOf(el.name, "address div p") }))
}

// beginPart closes what is open in a table up to where a part of it belongs,
// and reports whether there is a table around.
func (e *elements) beginPart(name string) bool {
	at := e.findPart("table template")
	if at < 0 || e.open[at].body {
		return false
	}
	around := "" // the parts it can be in
	switch name {
	case "td", "th":
		around = "tbody tfoot thead tr"
	case "tr":
		around = "tbody tfoot thead"
	case "col":
		around = "colgroup"
	}
	for at++; at < len(e.open) && e.open[at].space == inHTML && oneOf(e.open[at].name, around); at++ {
	}
	e.pop(at)
	return true
}

// close closes the innermost element with a name in scope.
func (e *elements) close(name, bounds string) {
	e.popAt(e.find(name, bounds))
}

// end closes the HTML element that an end tag names, if it may.
func (e *elements) end(name string, t trait) {
	switch {
	case name == "template":
		e.popAt(e.innermost(name, func(*element) bool { return false }))
	case name == "table" || t&ofTable != 0:
		e.popAt(e.findPart(name))
	case t&heading != 0:
		e.close("h1 h2 h3 h4 h5 h6", "")
	case t&formatting != 0:
		e.endFormatting(name)
	case name == "form":
		if at := e.find(name, ""); at >= 0 {
			e.count[name]--
			e.open = append(e.open[:at], e.open[at+1:]...)
		}
	case name == "p":
		e.close(name, "button")
	case name == "li":
		e.close(name, "ol ul")
	case t&special != 0:
		e.close(name, "")
	default:
		e.popAt(e.innermost(name, func(el *element) bool { return el.trait&special != 0 }))
	}
}

// endFormatting closes a formatting element. If special elements began in it,
// it ends inside each in turn, up to the eighth: these stay open, and the
// contents of the last of them are closed.
func (e *elements) endFormatting(name string) {
	at := e.find(name, "")
	if at < 0 {
		return
	}
	e.count[name]--
	kept, behind, specials := at, at+1, 0
	for i := at + 1; i < len(e.open) && specials < 8; i++ {
		if e.open[i].trait&special == 0 {
			continue
		}
		for _, el := range e.open[behind : i+1] {
			if el.trait&(special|formatting) != 0 {
				e.open[kept] = el
				kept++
			} else {
				e.count[el.name]--
			}
		}
		behind = i + 1
		specials++
	}
	if specials < 8 {
		e.pop(behind)
	}
	e.open = append(e.open[:kept], e.open[behind:]...)
}
