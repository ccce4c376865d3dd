package otlp

import (
	"fmt"

	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// FromJSON translates a message in JSON, as OTLP/HTTP also allows it, to protocol buffers. It may
// have at most so many objects and arrays: an empty one is two bytes here, and a hundred in memory.
func FromJSON(data []byte, objects int64) ([]byte, error) {
	message, err := fromJSON(data, objects)
	if err != nil {
		return nil, fmt.Errorf("otlp: %w", err)
	}
	return message, nil
}

func fromJSON(data []byte, objects int64) ([]byte, error) {
	switch all, deepest := brackets(data); {
	case deepest > maxDepth:
		return nil, fmt.Errorf("its values nest more than %d deep", maxDepth)
	case all > objects:
		return nil, &codec.TooMany{What: "objects and arrays", Most: objects}
	}
	all, err := new(pprofile.JSONUnmarshaler).UnmarshalProfiles(data)
	if err != nil {
		return nil, err
	}
	return new(pprofile.ProtoMarshaler).MarshalProfiles(all)
}

// brackets counts objects and arrays, and how deep they nest: unmarshalling recurses into each
// level.
func brackets(data []byte) (all int64, deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			all++
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return all, deepest
}
