package folded

import (
	"bytes"
	"strings"
)

// Sniff wants a first line that ends in a number, if the line ends within head.
func Sniff(head []byte) string {
	if len(head) >= longHead && bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, ';') > 0 && !looksLikeJSON(string(head)) && bytes.IndexByte(head, 0) < 0 {
		return "it starts with a long stack"
	}
	for line := range strings.Lines(string(head)) {
		line = strings.TrimSpace(line)
		if line == "" || isComment(line) {
			continue
		}
		i := strings.LastIndexAny(line, " \t")
		if i > 0 && !looksLikeJSON(line) && isNumber(line[i+1:]) {
			return "its first line is a stack and a number"
		}
		return ""
	}
	return ""
}

// looksLikeJSON reports whether a text begins as JSON does, and not with a name such as [unknown].
func looksLikeJSON(text string) bool {
	if text[0] == '[' {
		after := strings.TrimLeft(text[1:], " \t\r\n")
		return after == "" || strings.IndexByte("{[]\"-0123456789tfn", after[0]) >= 0 && !strings.Contains(text, "];")
	}
	return text[0] == '{'
}

// longHead is how much of a file package format shows to Sniff.
const longHead = 4096
