package hub

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
)

// newToken returns 32 random bytes as text.
func newToken() string {
	var token [32]byte
	rand.Read(token[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(token[:])
}

// same compares tokens in a time that does not depend on where they differ.
func same(given, token string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}

// minToken is the length of a token as text.
const minToken = 43
