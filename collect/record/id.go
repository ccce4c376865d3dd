package record

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// ID identifies a chunk, a view, a slice or a batch.
type ID [16]byte

// IDOf derives an ID from texts. Different lists of texts have different IDs.
func IDOf(texts ...string) ID {
	h := sha256.New()
	var length [8]byte
	for _, text := range texts {
		binary.LittleEndian.PutUint64(length[:], uint64(len(text)))
		h.Write(length[:])
		h.Write([]byte(text))
	}
	return ID(h.Sum(nil)[:16])
}

// IsZero reports whether an ID is unknown.
func (id ID) IsZero() bool { return id == ID{} }

// String is the ID in 32 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// ParseID is the inverse of String.
func ParseID(text string) (ID, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(ID{}) {
		return ID{}, errors.New("an id is 32 hexadecimal digits")
	}
	return ID(b), nil
}
