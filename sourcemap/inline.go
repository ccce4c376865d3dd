package sourcemap

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// URL returns what the last sourceMappingURL comment of a script says, "" when
// there is none. As in browsers, nothing but comments and blank lines may stand
// behind it; code may stand before it on its line.
func URL(code []byte) string {
	for rest := code; len(rest) > 0; {
		start := bytes.LastIndexAny(bytes.TrimRight(rest, "\r\n"), "\r\n") + 1
		line := bytes.TrimSpace(rest[start:])
		rest = rest[:start]
		if u, ok := urlOf(line); ok {
			return u
		}
		if len(line) > 0 && !bytes.HasPrefix(line, []byte("//")) {
			return ""
		}
	}
	return ""
}

// urlOf finds the comment in one line.
func urlOf(line []byte) (string, bool) {
	const name = " sourceMappingURL="
	i := bytes.LastIndex(line, []byte(name))
	if i < 3 || string(line[i-3:i-1]) != "//" || line[i-1] != '#' && line[i-1] != '@' {
		return "", false
	}
	u := string(line[i+len(name):])
	return u, !strings.ContainsAny(u, "\"'`\\ \t") // else it stands in a string
}

// Inline returns the JSON of the map that a script carries in a data URL. It is
// nil, without an error, when the script has no such map.
func Inline(code []byte) ([]byte, error) {
	data, ok := strings.CutPrefix(URL(code), "data:")
	if !ok {
		return nil, nil
	}
	head, body, ok := strings.Cut(data, ",")
	if !ok {
		return nil, errors.New("source map: inline: the data URL has no comma")
	}
	if strings.HasSuffix(head, ";base64") {
		json, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			json, err = base64.RawStdEncoding.DecodeString(body)
		}
		if err != nil {
			return nil, fmt.Errorf("source map: inline: %w", err)
		}
		return json, nil
	}
	json, err := url.PathUnescape(body)
	if err != nil {
		return nil, fmt.Errorf("source map: inline: %w", err)
	}
	return []byte(json), nil
}
