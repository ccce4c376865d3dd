package ingest

import (
	"fmt"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"
)

// shape says which fields of a protobuf message are messages. A message of two bytes becomes
// some hundred in memory, so they are counted before they are decoded.
type shape map[protowire.Number]shape

var (
	pprofShape = shape{1: {}, 2: {3: {}}, 3: {}, 4: {4: {}}, 5: {}, 6: nil}
	attributes = shape{1: nil, 2: values}
	values     = shape{5: {}, 6: {}}
	otlpShape  = shape{ // ProfilesData: resources and the dictionary
		1: {1: {1: attributes}, 2: {1: {3: attributes}, 2: {2: {}, 9: nil}}},
		2: {1: {}, 2: {3: {}}, 3: {}, 4: {}, 5: nil, 6: {}, 7: {}},
	}
)

func init() { // values hold values
	values[5][1] = values
	values[6][1] = attributes
}

// deepestValues is how deep they may be nested.
const deepestValues = 100

// mostBinary bounds a body in bytes: each may be a number of eight.
const mostBinary = 8 << 20

// mostPerFrame is how many messages and texts a request may have for each frame that it may have.
const mostPerFrame = 8

// checkSize refuses a body of too many messages.
func checkSize(req *request, s shape) error {
	left := mostPerFrame * req.app.limits.Frames
	if len(req.body) > mostBinary {
		return tooLarge(mostBinary)
	}
	if !count(req.body, s, &left, 0) {
		return refused(http.StatusBadRequest, "format", "not in protobuf")
	}
	if left < 0 {
		return refused(http.StatusRequestEntityTooLarge, "frames", fmt.Sprintf("more than %d samples, locations, functions and texts", mostPerFrame*req.app.limits.Frames))
	}
	return nil
}

func count(data []byte, s shape, left *int, depth int) (valid bool) {
	if depth > deepestValues {
		return false
	}
	for len(data) > 0 && *left >= 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return false
		}
		data = data[n:]
		inner, known := s[number]
		if known || kind == protowire.BytesType {
			*left--
		}
		if kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(number, kind, data); n < 0 {
				return false
			}
			data = data[n:]
			continue
		}
		content, n := protowire.ConsumeBytes(data)
		if n < 0 {
			return false
		}
		data = data[n:]
		if inner != nil && !count(content, inner, left, depth+1) {
			return false
		}
	}
	return true
}
