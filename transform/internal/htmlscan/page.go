// Package htmlscan finds what an instrumenter needs in the bytes of an HTML page: the
// scripts, the links that preload scripts, the content security policies, the base URL,
// the character set and the place for a first script. Everything it finds has byte
// offsets, so that a page can be edited in place and keeps every other byte.
//
// The bytes are cut into tags, comments and text as the tokenizer of the HTML
// standard cuts them (tokens.go, scriptdata.go); the stack of open elements
// (elements.go, foreign.go) is kept only as far as it decides how the next
// bytes are read: in svg and math, in templates, in framesets. There is no tree, and no
// page is refused: in odd pages less is found. Time is linear in the length of the page.
//
// Pages are read as a browser with scripting reads them, so the content of
// noscript is text, and scripts in it do not exist. Nor do those in comments,
// textarea, title, style, iframe, xmp, noembed and noframes. The srcdoc attribute of
// iframe and text that a script writes are not scanned.
//
// The tokens are not read by github.com/tdewolff/parse/v2/html, because too little of
// it could be used: it takes a whole svg or math element for one
// token, looks for tags in noscript, noembed and noframes, ends a script at
// </script-name>, leaves the escape that <!--> is in one only at a later -->,
// as it does a comment <!-->, and makes one attribute of two with a slash
// between.
package htmlscan

// Page is the result of a scan. Offsets are bytes from the start of the source;
// ranges are half open.
type Page struct {
	Scripts  []Script // in the order of their start tags
	Links    []Link
	Policies []Policy
	Base     *Attribute // href of the first base element that has one, nil without
	BaseAt   int        // where the tag of that element starts
	Charset  Charset

	// Handlers counts what runs script from an attribute: event handlers
	// (onclick and the like) and javascript: URLs.
	Handlers int

	// HeadStart is where an element can be inserted to come first in the head:
	// after the head tag, else after the html tag, the doctype or the byte
	// order mark, whichever comes last.
	HeadStart int

	// IsPart reports whether the file looks like a part that pages insert rather than a page: it begins
	// with content, before any doctype and any element of a head, and has no html, head or body tag.
	IsPart bool
}

// Kind says what a browser does with a script element.
type Kind uint8

// The kinds of script. Data is any type that browsers do not know, such as
// JSON, templates and languages to compile.
const (
	Classic Kind = iota + 1
	Module
	ImportMap
	SpeculationRules
	Data
)

var kindNames = [...]string{"", "classic", "module", "import map", "speculation rules", "data"}

// String returns the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// Script is a script element.
type Script struct {
	Start, End               int // the element, from < up to the end of </script>
	ContentStart, ContentEnd int
	Closed                   bool // it has an end tag; without one it does not run

	// Before is where an element of the document can be inserted to come right before it: Start, or, if it is in
	// declarative shadow roots, where the outermost of them begins.
	Before int

	Type string // the type attribute in lower case and without white space around, "" without one
	Kind Kind

	// Attributes; nil when absent. A script with Src does not run its content,
	// even if Src is empty. In svg, Src is href or xlink:href.
	Src, Integrity, Nonce, CrossOrigin *Attribute

	Async, Defer, NoModule bool

	// Foreign says that the element is in svg or math, where entities in the
	// content are decoded and elements and comments may be in it.
	// Foreign scripts can contain other scripts; no other can.
	Foreign bool

	// Inert says that it does not run when the page loads, since it is in a
	// template, in math, or for another event.
	Inert bool
}

// Link is a link element with a rel attribute.
type Link struct {
	Start, End int // the tag
	Rel        []string
	// Attributes; nil when absent.
	Href, Integrity, As, Nonce, CrossOrigin *Attribute

	Inert bool // in a template
}

// Policy is a <meta http-equiv="Content-Security-Policy">. Its text is
// CSP(Content.Value).
type Policy struct {
	Start, End int // the tag
	Content    Attribute
	Inert      bool // in a template
}

// Charset is the character set that the page declares.
type Charset struct {
	Label string     // in lower case as declared, or that of the byte order mark; "" without
	BOM   int        // length of the byte order mark
	Meta  *Attribute // the charset or content attribute of the meta element, nil without
}
