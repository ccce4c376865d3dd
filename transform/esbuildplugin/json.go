package esbuildplugin

import (
	"errors"
	"strings"
)

var errNoJSON = errors.New("it is no JSON object")

// eachMember walks the JSON object at an offset of a text. The function gets each
// key, with its quotes, and where its value starts, and returns where that ends;
// eachMember returns where the object ends.
func eachMember(text string, at int, member func(key string, start int) (end int, err error)) (int, error) {
	at = skipSpace(text, at)
	if at == len(text) || text[at] != '{' {
		return 0, errNoJSON
	}
	for at++; ; {
		at = skipSpace(text, at)
		if at == len(text) {
			return 0, errNoJSON
		}
		switch text[at] {
		case '}':
			return at + 1, nil
		case ',':
			at++
			continue
		case '"':
		default:
			return 0, errNoJSON
		}
		end, err := skipString(text, at)
		if err != nil {
			return 0, err
		}
		value := skipSpace(text, end)
		if value == len(text) || text[value] != ':' {
			return 0, errNoJSON
		}
		if at, err = member(text[at:end], skipSpace(text, value+1)); err != nil {
			return 0, err
		}
	}
}

// skipValue returns where the JSON value at an offset ends.
func skipValue(text string, at int) (int, error) {
	for depth := 0; at < len(text); {
		switch text[at] {
		case '"':
			end, err := skipString(text, at)
			if err != nil || depth == 0 {
				return end, err
			}
			at = end
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // of what holds a number or a word
				return at, nil
			}
			if depth--; depth == 0 {
				return at + 1, nil
			}
		case ',':
			if depth == 0 {
				return at, nil
			}
		}
		at++
	}
	return 0, errNoJSON
}

// skipString returns where the JSON string at an offset ends.
func skipString(text string, at int) (int, error) {
	for from := at + 1; ; {
		quote := strings.IndexByte(text[from:], '"')
		if quote < 0 {
			return 0, errNoJSON
		}
		from += quote + 1
		slashes := 0
		for text[from-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return from, nil
		}
	}
}

// space is JSON's.
const space = " \t\r\n"

func skipSpace(text string, at int) int {
	for at < len(text) && strings.IndexByte(space, text[at]) >= 0 {
		at++
	}
	return at
}
