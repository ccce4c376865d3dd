package service

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/fieldprof/fieldprof/transform/builddir"
)

// kept is for how many messages the sender of a file remembers its contents
// unnamed. It lets a few builds take turns.
const kept = 4

// sent is the sender's side of the stock: contents that the other side has.
type sent struct {
	last   uint64 // number
	turn   int
	byPath map[string][]*content
}

// content is what a file had in some message.
type content struct {
	number uint64
	data   []byte
	turn   int // when it was last named
}

// name says how a message names files, which numbers the other side may forget,
// and what the body has to be. Files of the request that is answered go by their
// place in it.
func (s *sent) name(files, request []builddir.File) (named []namedFile, forget []uint64, body [][]byte) {
	s.turn++
	if s.byPath == nil {
		s.byPath = map[string][]*content{}
	}
	inputs := make(map[*byte]int, len(request))
	for i, f := range request {
		inputs[unsafe.SliceData(f.Data)] = i
	}
	named = make([]namedFile, len(files))
	for i, f := range files {
		named[i].Path = f.Path
		if at, ok := inputs[unsafe.SliceData(f.Data)]; ok && len(f.Data) > 0 && len(f.Data) == len(request[at].Data) {
			named[i].Input = &at
			continue
		}
		c := s.find(f)
		if c == nil {
			s.last++
			c = &content{number: s.last, data: f.Data}
			s.byPath[f.Path] = append(s.byPath[f.Path], c)
			size := len(f.Data)
			named[i].Size = &size
			body = append(body, f.Data)
		}
		c.turn = s.turn
		named[i].Content = c.number
	}
	return named, s.forget(), body
}

// find looks for what the file has among what it had.
func (s *sent) find(f builddir.File) *content {
	for _, c := range s.byPath[f.Path] {
		if bytes.Equal(c.data, f.Data) {
			return c
		}
	}
	return nil
}

// forget drops what was not named for a while.
func (s *sent) forget() (numbers []uint64) {
	for path, contents := range s.byPath {
		left := contents[:0]
		for _, c := range contents {
			if s.turn-c.turn < kept {
				left = append(left, c)
			} else {
				numbers = append(numbers, c.number)
			}
		}
		clear(contents[len(left):])
		if s.byPath[path] = left; len(left) == 0 {
			delete(s.byPath, path)
		}
	}
	return numbers
}

// received is the receiver's side: contents by the sender's numbers.
type received map[uint64][]byte

// take gives the files that a message names, and keeps what is new.
func (r received) take(named []namedFile, forget []uint64, body []byte) ([]builddir.File, error) {
	files := make([]builddir.File, len(named))
	whole := len(body)
	for i, n := range named {
		data, known := r[n.Content]
		switch {
		case n.Content == 0:
			return nil, fmt.Errorf("%q has no number for its contents", n.Path)
		case n.Size == nil && !known:
			return nil, fmt.Errorf("%q has contents %d, which were never sent or are forgotten", n.Path, n.Content)
		case n.Size != nil && known:
			return nil, fmt.Errorf("%q has contents %d, which were sent before", n.Path, n.Content)
		case n.Size != nil && (*n.Size < 0 || *n.Size > len(body)):
			return nil, fmt.Errorf("%q has %d bytes, of which the body has %d", n.Path, *n.Size, len(body))
		case n.Size != nil:
			data = part(body[:*n.Size:*n.Size], whole)
			body = body[*n.Size:]
			r[n.Content] = data
		}
		files[i] = builddir.File{Path: n.Path, Data: data}
	}
	if len(body) > 0 {
		return nil, fmt.Errorf("%d bytes of the body belong to no file", len(body))
	}
	for _, number := range forget {
		if _, known := r[number]; !known {
			return nil, fmt.Errorf("contents %d are to be forgotten, which were never sent", number)
		}
		delete(r, number)
	}
	return files, nil
}

// part is a file of a body of so many bytes. A small one is copied, so that it does
// not keep a large body in memory.
func part(data []byte, whole int) []byte {
	if len(data) >= whole/largePart {
		return data
	}
	return bytes.Clone(data)
}

// largePart is the share of a body, one in so many, from which a file may keep it.
const largePart = 16
