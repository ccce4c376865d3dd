package address

import (
	"errors"

	"golang.org/x/sys/windows"
)

// taken reports whether another program has the port.
func taken(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}
