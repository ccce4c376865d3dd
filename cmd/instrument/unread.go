package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// errUnread ends a program whose output nobody reads any more, as in `instrument run -o x.cpuprofile app.js | head`.
// Most programs end by SIGPIPE at their next write then. This one has a profile to write.
var errUnread = errors.New("nobody reads the output any more")

// outlivePipes keeps SIGPIPE from ending this process until the returned function is called.
func outlivePipes() (done func()) {
	ignored := make(chan os.Signal, 1) // a write that fails says which stream it is
	signal.Notify(ignored, syscall.SIGPIPE)
	return func() { signal.Stop(ignored) }
}

// watched is a stream that says when nobody reads it any more.
type watched struct {
	io.Writer
	unread func(error)
}

func (w watched) Write(data []byte) (int, error) {
	n, err := w.Writer.Write(data)
	if errors.Is(err, syscall.EPIPE) {
		w.unread(errUnread)
	}
	return n, err
}
