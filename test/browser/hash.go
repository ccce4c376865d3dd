package browser

import (
	"crypto/sha256"
	"encoding/base64"
)

// Hash is the hash of a script as policies and integrity attributes have it.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
