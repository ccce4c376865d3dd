// Package urlerror takes addresses out of errors: an address may hold a secret, and errors go to logs.
package urlerror

import (
	"errors"
	"net/url"
)

// Cause returns the reason of an http.Client's error, without the address that was asked.
func Cause(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
