package site

import (
	"cmp"
	"container/list"
	"crypto/sha256"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
)

// passed is a script or page that has passed the proxy.
type passed struct {
	of        made
	code      []byte // nil for a page
	table     *functable.Table
	json      []byte // its map
	mapTarget string // under which that is served

	served uint64 // grows with each time that it is

	parse sync.Once
	m     *sourcemap.Map
}

// made is what a script was made from.
type made struct {
	sum    [sha256.Size]byte
	goal   transform.Goal
	loader string
}

func (s *passed) sourceMap() *sourcemap.Map {
	s.parse.Do(func() {
		if s.json != nil {
			s.m, _ = sourcemap.Parse(s.json) // it is from Transform
		}
	})
	return s.m
}

// size is about what it takes in memory.
func (s *passed) size() int {
	n := 1000 + len(s.code) + len(s.json)
	if s.table != nil {
		n += 100 * len(s.table.Functions)
	}
	return n
}

// capacity is how much the memory holds, in bytes.
const capacity = 256 << 20

// memory knows what has passed most recently, by path and query. The zero memory is empty.
type memory struct {
	mu     sync.Mutex
	byURL  map[string]*list.Element
	byMap  map[string]*passed
	byPath map[string]*passed // the latest for WebKit, whose stacks have no queries
	recent list.List          // of *remembered, the latest in front
	size   int
	misses map[string]bool
	times  uint64
}

type remembered struct {
	target string
	*passed
}

func (m *memory) get(target string) *passed {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.byURL[target]
	if e == nil {
		return nil
	}
	m.recent.MoveToFront(e)
	return e.Value.(*remembered).passed
}

// keep remembers what is served under a path and query.
func (m *memory) keep(target string, s *passed, toWebKit bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.times++
	s.served = m.times
	if m.byURL == nil {
		m.byURL, m.byMap, m.byPath = map[string]*list.Element{}, map[string]*passed{}, map[string]*passed{}
	}
	m.forget(m.byURL[target])
	m.byURL[target] = m.recent.PushFront(&remembered{target, s})
	if toWebKit {
		m.byPath[pathOf(target)] = s
	}
	if s.mapTarget != "" {
		m.byMap[s.mapTarget] = s
	}
	m.size += s.size() + len(target)
	for m.size > capacity && m.recent.Len() > 1 {
		m.forget(m.recent.Back())
	}
}

func (m *memory) forget(e *list.Element) {
	if e == nil {
		return
	}
	r := m.recent.Remove(e).(*remembered)
	delete(m.byURL, r.target)
	if m.byMap[r.mapTarget] == r.passed {
		delete(m.byMap, r.mapTarget)
	}
	if m.byPath[pathOf(r.target)] == r.passed {
		delete(m.byPath, pathOf(r.target))
	}
	m.size -= r.size() + len(r.target)
}

func pathOf(target string) string {
	p, _, _ := strings.Cut(target, "?")
	return p
}

// find returns what a URL on a stack means.
func (m *memory) find(target string) *passed {
	exact := m.get(target)
	m.mu.Lock()
	defer m.mu.Unlock()
	if latest := m.byPath[target]; latest != nil && (exact == nil || latest.served > exact.served) {
		return latest
	}
	return exact
}

// sourceMap returns the map that is served under a path and query, or nil.
func (m *memory) sourceMap(target string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.byMap[target]; s != nil {
		return s.json
	}
	return nil
}

// miss notes that nothing is known of a path and query, and reports whether that is new.
func (m *memory) miss(target string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.misses[target] {
		return false
	}
	if m.misses == nil || len(m.misses) > 10_000 {
		m.misses = map[string]bool{}
	}
	m.misses[target] = true
	return true
}

// text returns the text of an original source, as it was served last.
func (m *memory) text(file string) (string, bool) {
	m.mu.Lock()
	var all []*passed
	for e := m.recent.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(*remembered).passed)
	}
	slices.SortFunc(all, func(x, y *passed) int { return cmp.Compare(y.served, x.served) })
	m.mu.Unlock()
	for _, s := range all {
		if sources := s.sourceMap(); sources != nil {
			if text, ok := sources.Content(file); ok {
				return text, true
			}
		}
	}
	return "", false
}

// has is true: a dev server has no builds.
func (p *proxy) has(string) bool { return true }

func (p *proxy) script(_ string, u *url.URL) (profile.Script, bool) {
	s := p.memory.find(u.RequestURI())
	if s == nil {
		p.again(u)
		s = p.memory.find(u.RequestURI())
	}
	if s == nil || s.table == nil {
		return profile.Script{}, false
	}
	return profile.Script{Table: s.table, Map: s.sourceMap()}, true
}

func (p *proxy) text(file string) (string, bool) { return p.memory.text(file) }
