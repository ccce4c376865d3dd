package ingest

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean is a text as it may be stored: valid UTF-8 without control characters, of at most so
// many bytes.
func clean(text string, most int) string {
	if len(text) <= most && isClean(text) {
		return text
	}
	if len(text) > most {
		text = text[:most]
		for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
		if r, size := utf8.DecodeLastRuneInString(text); r == utf8.RuneError && size <= 1 && len(text) > 0 {
			text = text[:len(text)-1] // the beginning of a character
		}
	}
	text = strings.ToValidUTF8(text, "?")
	return strings.Map(func(r rune) rune {
		if isHidden(r) {
			return ' '
		}
		return r
	}, text)
}

// isHidden reports whether a character must not be shown: controls, and those that turn the
// direction of what follows.
func isHidden(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

func isClean(text string) bool {
	ascii := true
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf {
			ascii = false
			break
		} else if c < ' ' || c == 0x7f {
			return false
		}
	}
	return ascii || utf8.ValidString(text) && !strings.ContainsFunc(text, isHidden)
}

// cleanURL is a URL without query, fragment and user info, as our own sender sends it. Other
// texts that name a script stay as they are.
func cleanURL(text string) string {
	if strings.HasPrefix(text, "data:") {
		kind, _, _ := strings.Cut(text, ",")
		return kind
	}
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		text = text[:i]
	}
	if i := strings.Index(text, "://"); i >= 0 {
		host, path, slash := strings.Cut(text[i+3:], "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = host[at+1:]
		}
		text = text[:i+3] + host
		if slash {
			text += "/" + path
		}
	}
	return text
}

// originOf is the origin of a page, "" if it has none.
func originOf(page string) string {
	u, err := url.Parse(page)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host)
}

// most segments and bytes of a path that are kept of a route.
const mostSegments, longestSegment = 8, 40

// ids are segments of paths that differ from user to user, or from thing to thing.
var ids = regexp.MustCompile(`^(?i:[\d._,-]*\d[\d._,-]*|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{20,}|[\w-]*\d[\w-]{15,}|[\w-]{15,}\d[\w-]*|.*@.*)$`)

// routeOfPath is routeOf for what should be a path. Other texts stay as they are.
func routeOfPath(path string) string {
	if strings.HasPrefix(path, "/") {
		return routeOf("https://page.invalid" + path)
	}
	return cmp.Or(routeOf(path), path)
}

// routeOf is the path of a page, with :id in place of what names one thing of many:
// "/orders/123" is /orders/:id.
func routeOf(page string) string {
	u, err := url.Parse(page)
	if err != nil || u.Host == "" {
		return ""
	}
	segments := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	if len(segments) > mostSegments {
		segments = append(segments[:mostSegments], "…")
	}
	for i, s := range segments {
		if len(s) > longestSegment || ids.MatchString(s) {
			segments[i] = ":id"
		}
	}
	return "/" + strings.Join(segments, "/")
}
