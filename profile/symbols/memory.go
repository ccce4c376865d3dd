package symbols

import (
	"container/list"
	"sync"
)

// Memory keeps parsed maps and tables of Files, up to a number of bytes; the least recently
// used go first. It may be used by several goroutines.
type Memory struct {
	mu    sync.Mutex
	room  int64
	known map[string]*list.Element
	order list.List // of *entry, the latest use first
}

type entry struct {
	key    string
	parsed any
	size   int64
}

// NewMemory makes a memory for some bytes.
func NewMemory(bytes int64) *Memory {
	return &Memory{room: bytes, known: map[string]*list.Element{}}
}

// get returns what was parsed of a file, or nil.
func (m *Memory) get(at location) any {
	if m == nil || at.tree.other == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.known[at.tree.keys[at.path]]
	if e == nil {
		return nil
	}
	m.order.MoveToFront(e)
	return e.Value.(*entry).parsed
}

// put keeps what was parsed of a file.
func (m *Memory) put(at location, parsed any) {
	if m == nil || at.tree.other == nil {
		return
	}
	key, size := at.tree.keys[at.path], sizeOf(parsed)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known[key] != nil {
		return
	}
	m.known[key] = m.order.PushFront(&entry{key, parsed, size})
	for m.room -= size; m.room < 0 && m.order.Len() > 0; {
		last := m.order.Remove(m.order.Back()).(*entry)
		delete(m.known, last.key)
		m.room += last.size
	}
}

// sizeOf is about how many bytes something parsed takes.
func sizeOf(parsed any) int64 {
	size := 1024
	switch p := parsed.(type) {
	case *sourceMap:
		if p == nil {
			break
		}
		for source, name := range p.others {
			size += 48 + len(source) + len(name)
		}
		for i := range p.Lines() {
			size += 4 + 20*len(p.Line(i))
		}
		for _, list := range [][]string{p.Sources, p.Names} {
			for _, text := range list {
				size += 16 + len(text)
			}
		}
		for _, text := range p.SourcesContent {
			if text != nil {
				size += 24 + len(*text)
			}
		}
	case *sourceTable:
		for i := range p.Functions {
			size += 256 + len(p.Functions[i].Name) + len(p.Functions[i].Inferred) + 16 + len(p.sources[i])
		}
	}
	return int64(size)
}
