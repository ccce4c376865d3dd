package codec

import (
	"bytes"
	"fmt"
)

// Because is why a file looks like a format: the reason if it does, "" if it does not.
func Because(is bool, reason string) string {
	if is {
		return reason
	}
	return ""
}

// HasKey says which of the keys the beginning of a JSON object contains.
func HasKey(head []byte, keys ...string) string {
	if !Begins(head, "{") {
		return ""
	}
	for _, key := range keys {
		if bytes.Contains(head, []byte(`"`+key+`"`)) {
			return fmt.Sprintf("it has the key %q", key)
		}
	}
	return ""
}

// Begins reports whether a text in JSON begins with a bracket, after white space.
func Begins(head []byte, bracket string) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte(bracket))
}
