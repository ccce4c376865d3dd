package record

import (
	"bytes"
	"encoding/gob"

	"github.com/fieldprof/fieldprof/profile"
)

// Encode writes a chunk for the spool, Decode reads it.
func Encode(c *Chunk) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(c); err != nil {
		panic(err) // a chunk holds nothing that gob cannot write
	}
	return b.Bytes()
}

// Decode is the inverse of Encode.
func Decode(data []byte) (*Chunk, error) {
	var c Chunk
	return &c, gob.NewDecoder(bytes.NewReader(data)).Decode(&c)
}

// EncodeProfile writes a profile, with its times and marks, compressed.
func EncodeProfile(p *profile.Profile) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(p); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// DecodeProfile is the inverse of EncodeProfile. The profile is valid.
func DecodeProfile(data []byte) (*profile.Profile, error) {
	var p profile.Profile
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&p); err != nil {
		return nil, err
	}
	return &p, p.CheckValid()
}
