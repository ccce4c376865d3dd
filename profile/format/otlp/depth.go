package otlp

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The values of attributes may hold lists of values, and unmarshalling recurses into
// each level: a file of nothing but levels would exhaust the stack and end the process.

// maxDepth is how deep messages may nest, as in other readers of protobuf.
const maxDepth = 100

// nests lists, for each kind of message, the fields with messages that lead to values,
// and the kinds of those.
var nests = map[string]map[uint64]string{
	"":          {1: "resources", 2: "tables"},
	"resources": {1: "resource", 2: "scopes"},
	"resource":  {1: "attribute"},
	"scopes":    {1: "scope"},
	"scope":     {3: "attribute"},
	"tables":    {6: "attribute"},
	"attribute": {2: "value"},
	"value":     {5: "list", 6: "map"},
	"list":      {1: "value"},
	"map":       {1: "attribute"},
}

// checkDepth rejects a file whose values nest too deep, or whose depth is unclear.
func checkDepth(data []byte) error {
	type message struct {
		kind string
		left []byte
	}
	open := []message{{"", data}}
	for len(open) > 0 {
		m := &open[len(open)-1]
		if len(m.left) == 0 {
			open = open[:len(open)-1]
			continue
		}
		field, body, n := nextField(m.left)
		if n <= 0 {
			return errors.New("a broken field, or one of a type that OTLP does not have")
		}
		m.left = m.left[n:]
		if kind, ok := nests[m.kind][field]; ok && body != nil {
			if len(open) == maxDepth {
				return fmt.Errorf("its values nest more than %d messages deep", maxDepth)
			}
			open = append(open, message{kind, body})
		}
	}
	return nil
}

// nextField is the number of the field that a message begins with, the message in
// it, nil where it holds something else, and its length; 0 where it is broken.
func nextField(data []byte) (field uint64, body []byte, n int) {
	tag, n := binary.Uvarint(data)
	if n <= 0 {
		return 0, nil, 0
	}
	field = tag >> 3
	switch tag & 7 {
	case 0:
		_, size := binary.Uvarint(data[n:])
		if size <= 0 {
			return 0, nil, 0
		}
		return field, nil, n + size
	case 1:
		n += 8
	case 5:
		n += 4
	case 2:
		length, size := binary.Uvarint(data[n:])
		if size <= 0 || length > uint64(len(data)-n-size) {
			return 0, nil, 0
		}
		start := n + size
		n = start + int(length)
		return field, data[start:n:n], n
	default: // groups, which are obsolete
		return 0, nil, 0
	}
	if n > len(data) {
		return 0, nil, 0
	}
	return field, nil, n
}
