package live

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Limits bound what a source may send and what is kept of it. A field that is 0 has its
// default. A source keeps to them: it cuts texts, leaves samples without a stack and
// drops batches. A message that exceeds one is an error.
type Limits struct {
	Bytes   int // of a message: 4 MiB
	Text    int // bytes of a name, file, URL, title, detail or note: 4096
	Texts   int // bytes of all names and files of a source, and of all marks kept: 32 MiB each
	Records int // of a source: 2^17
	Stacks  int // of a source: 2^18
	Depth   int // of a stack: 4096
	Samples int // kept of a source, of which the oldest are forgotten: 2^20
	Marks   int // of a message, and kept of a source: 2^14
	Sources int // named in a message: 1024
}

func (l Limits) orDefaults() Limits {
	return Limits{
		Bytes:   cmp.Or(l.Bytes, 4<<20),
		Text:    cmp.Or(l.Text, 4096),
		Texts:   cmp.Or(l.Texts, 32<<20),
		Records: cmp.Or(l.Records, 1<<17),
		Stacks:  cmp.Or(l.Stacks, 1<<18),
		Depth:   cmp.Or(l.Depth, 4096),
		Samples: cmp.Or(l.Samples, 1<<20),
		Marks:   cmp.Or(l.Marks, 1<<14),
		Sources: cmp.Or(l.Sources, 1024),
	}
}

// Decode reads a message: a *Hello, *Welcome, *Start, *Stop (also of type clear), *Batch,
// *Ack, *Refused, *Watch or *Sources. It refuses fields that the protocol does not have,
// and values that cannot be, except those that depend on earlier messages: Recording.Add
// checks these. The memory that it takes is proportional to the limits.
func (l Limits) Decode(data []byte) (any, error) {
	l = l.orDefaults()
	if len(data) > l.Bytes {
		return nil, fmt.Errorf("live: a message of %d bytes, of at most %d", len(data), l.Bytes)
	}
	if !utf8.Valid(data) {
		return nil, errors.New("live: the message is not UTF-8")
	}
	// Objects in text are small and large in memory.
	if n := objects(data); n > l.Records+l.Marks+8 {
		return nil, fmt.Errorf("live: a message of %d objects", n)
	}
	var head struct {
		Type    string   `json:"type"`
		Version *float64 `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	if head.Version != nil && *head.Version != Version {
		return nil, fmt.Errorf("live: version %v of the protocol; this program knows version %d", *head.Version, Version)
	}
	message := messageOf(head.Type)
	if message == nil {
		return nil, fmt.Errorf("live: no message has the type %.40q", head.Type)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(message); err != nil {
		return nil, fmt.Errorf("live: %s: %w", head.Type, err)
	}
	if err := message.check(&l); err != nil {
		return nil, fmt.Errorf("live: %s: %w", head.Type, err)
	}
	return message, nil
}

// checked is a message that can say whether its values can be.
type checked interface{ check(*Limits) error }

func messageOf(kind string) checked {
	switch kind {
	case TypeHello:
		return new(Hello)
	case TypeWelcome:
		return new(Welcome)
	case TypeStart:
		return new(Start)
	case TypeStop, TypeClear:
		return new(Stop)
	case TypeBatch:
		return new(Batch)
	case TypeAck:
		return new(Ack)
	case TypeRefused:
		return new(Refused)
	case TypeWatch:
		return new(Watch)
	case TypeSources:
		return new(Sources)
	}
	return nil
}

// objects counts those of a JSON text, by the braces outside of its strings.
func objects(text []byte) (n int) {
	within := false // a string
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			within = !within
		case within && c == '\\':
			i++
		case !within && c == '{':
			n++
		}
	}
	return n
}
