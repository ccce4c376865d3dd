package service

import (
	"encoding/json"
	"io"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// client is the other side of a service, as the npm package is.
type client struct {
	t        *testing.T
	in       io.WriteCloser
	out      io.Reader
	ended    chan error
	sent     sent
	received received
}

// answer is any that a service gives.
type answer struct {
	Kind, Text, Option, Salt, Version string
	ID                                uint64
	Writing                           bool
	Files                             []namedFile
	Forget                            []uint64
	Warnings                          []message
	Report                            *builddir.Report
}

// open starts a service, without a word.
func open(t *testing.T) *client {
	t.Helper()
	inReader, in := io.Pipe()
	out, outWriter := io.Pipe()
	c := &client{t: t, in: in, out: out, ended: make(chan error, 1), received: received{}}
	go func() {
		err := Serve(t.Context(), inReader, outWriter)
		inReader.Close()
		outWriter.Close()
		c.ended <- err
	}()
	t.Cleanup(func() { in.Close() })
	return c
}

// connect starts a service and greets it.
func connect(t *testing.T) *client {
	t.Helper()
	c := open(t)
	c.say(hello{kindHello, Protocol, release.Version}, nil)
	if got, _ := c.hear(); got.Kind != kindHello || got.Version != release.Version {
		t.Fatalf("it said %+v", got)
	}
	return c
}

func (c *client) say(head any, body [][]byte) {
	c.t.Helper()
	must.Do(c.t, writeFrame(c.in, head, body))
}

func (c *client) hear() (answer, []byte) {
	c.t.Helper()
	head, body, err := readFrame(c.out, MaxHead, MaxBody)
	must.Do(c.t, err)
	var a answer
	must.Do(c.t, json.Unmarshal(head, &a))
	return a, body
}

// ask begins a request to instrument and tells how many bytes it sent.
func (c *client) ask(id uint64, options string, files []builddir.File) (bytes int) {
	c.t.Helper()
	return c.request(request{Kind: kindInstrument, ID: id, Options: json.RawMessage(options)}, files)
}

// request sends files with a request, and tells how many bytes they were.
func (c *client) request(r request, files []builddir.File) (bytes int) {
	c.t.Helper()
	var body [][]byte
	r.Files, r.Forget, body = c.sent.name(files, nil)
	c.say(r, body)
	for _, part := range body {
		bytes += len(part)
	}
	return bytes
}

// take reads the files of an answer.
func (c *client) take(a answer, body []byte, request []builddir.File) []builddir.File {
	c.t.Helper()
	files := make([]builddir.File, len(a.Files))
	var named []namedFile
	for _, n := range a.Files {
		if n.Input == nil {
			named = append(named, n)
		}
	}
	taken := must.Get(c.received.take(named, a.Forget, body))(c.t)
	for i, n := range a.Files {
		if n.Input != nil {
			files[i] = builddir.File{Path: n.Path, Data: request[*n.Input].Data}
		} else {
			files[i], taken = taken[0], taken[1:]
		}
	}
	return files
}

// end closes the input and gives what the service said to that.
func (c *client) end() error {
	c.in.Close()
	return <-c.ended
}
