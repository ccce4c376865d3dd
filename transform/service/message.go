package service

import (
	"encoding/json"

	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Protocol is the version of what both sides say after their hellos.
const Protocol = 1

// The kinds of messages.
const (
	kindHello        = "hello"
	kindInstrument   = "instrument"
	kindWrite        = "write"
	kindSalt         = "salt"
	kindCancel       = "cancel"
	kindInstrumented = "instrumented"
	kindWritten      = "written"
	kindSalted       = "salted"
	kindError        = "error"
)

// hello is the first message either way.
type hello struct {
	Kind     string `json:"kind"`
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
}

// request is what a client says after its hello.
type request struct {
	Kind    string          `json:"kind"`
	ID      uint64          `json:"id"`
	Options json.RawMessage `json:"options"`
	Files   []namedFile     `json:"files"`
	Forget  []uint64        `json:"forget"`
	// To write, the folder to write to and that from which messages name files.
	// Careful ones write nothing where there are warnings.
	Into    string `json:"into"`
	Base    string `json:"base"`
	Careful bool   `json:"careful"`
}

// namedFile is a file of a message: its path, and which contents it has.
type namedFile struct {
	Path string `json:"path"`
	// Content is the number of the contents; Size, where the body has them, is how
	// long they are.
	Content uint64 `json:"content,omitempty"`
	Size    *int   `json:"size,omitempty"`
	// Input, in an answer, is the file of the request that has the same contents.
	Input *int `json:"input,omitempty"`
}

// instrumented answers a request to instrument.
type instrumented struct {
	Kind     string           `json:"kind"`
	ID       uint64           `json:"id"`
	Files    []namedFile      `json:"files"`
	Forget   []uint64         `json:"forget,omitempty"`
	Warnings []message        `json:"warnings"`
	Report   *builddir.Report `json:"report"`
}

// writtenTree answers a request to write.
type writtenTree struct {
	Kind     string           `json:"kind"`
	ID       uint64           `json:"id"`
	Files    []sized          `json:"files"` // the whole tree
	Warnings []message        `json:"warnings"`
	Report   *builddir.Report `json:"report"`
}

// sized is a file of which only the size is reported.
type sized struct {
	Path string `json:"path"`
	Size int    `json:"size"`
}

// salted answers a request for the salt.
type salted struct {
	Kind string `json:"kind"`
	ID   uint64 `json:"id"`
	Salt string `json:"salt"`
}

// failed answers a request that failed; without an id it ends the service.
type failed struct {
	Kind   string `json:"kind"`
	ID     uint64 `json:"id,omitempty"`
	Text   string `json:"text"`
	Option string `json:"option,omitempty"` // the option that is wrong
	// Writing: the tree was made, and could not be written.
	Writing bool `json:"writing,omitempty"`
}
