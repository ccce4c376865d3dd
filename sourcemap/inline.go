package sourcemap

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Inline returns the JSON of the map that a script carries in a data URL. It is
// nil, without an error, if the script has no such map.
func Inline(code []byte) ([]byte, error) {
	data, ok := strings.CutPrefix(URL(code), "data:")
	if !ok {
		return nil, nil
	}
	head, body, ok := strings.Cut(data, ",")
	if !ok {
		return nil, errors.New("source map: inline: the data URL has no comma")
	}
	if base64Head(head) {
		if strings.Contains(body, "%") { // = and + may be escaped
			unescaped, err := url.PathUnescape(body)
			if err != nil {
				return nil, fmt.Errorf("source map: inline: %w", err)
			}
			body = unescaped
		}
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

func base64Head(head string) bool {
	i := strings.LastIndexByte(head, ';')
	return i >= 0 && strings.EqualFold(strings.TrimSpace(head[i+1:]), "base64")
}

// InlineURL returns a data URL that holds the JSON of a map.
func InlineURL(json []byte) string {
	const head = "data:application/json;base64,"
	b := make([]byte, 0, len(head)+base64.StdEncoding.EncodedLen(len(json)))
	return string(base64.StdEncoding.AppendEncode(append(b, head...), json))
}
