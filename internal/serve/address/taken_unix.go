//go:build unix

package address

import (
	"errors"
	"syscall"
)

// taken reports whether another program has the port.
func taken(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }
