package builddir

import (
	"bytes"
	"cmp"
	"sync"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

// Cache keeps the result for each script for the next run over almost the same tree,
// as when a bundler watches: only changed scripts are done again. The result for a script
// depends on its own bytes and map, and on its circumstances in the tree; if those are
// the same, so is the result. In a script that changed, unchanged parts are not
// scanned again.
//
// A Cache serves one run of Files at a time, always with the same options. It holds
// the contents of the latest run only. The zero Cache is empty.
type Cache struct {
	mu      sync.Mutex
	facts   generation[cachedFacts]
	scripts generation[cachedScript]
}

// generation holds values by path: this run's and the last run's.
type generation[V any] struct{ last, now map[string]V }

type cachedFacts struct {
	src []byte
	*facts
}

type cachedScript struct {
	of circumstances
	*made
	memory *transform.Memory
}

// circumstances are everything that the result depends on, except for the options of
// the run.
type circumstances struct {
	path           string
	src, sourceMap []byte
	circumstancesInTree
}

// circumstancesInTree are what the tree determines about a script.
type circumstancesInTree struct {
	goal                                 transform.Goal
	checksModule, loader, require, embed string
	entry, preloaded, acyclic            bool
	bindings                             runtime.Bindings
	source                               mapPlace
	build                                string // whose sites are counted
	listAt                               int    // where the runtime goes on a service worker's list
	list                                 string
}

func circumstancesOf(s *scriptFile, src []byte, o *transform.Options, listAt int, list string) circumstances {
	return circumstances{s.path, src, o.SourceMap, circumstancesInTree{
		o.Goal, o.ChecksModule, o.Loader, o.Require, o.Embed, o.Entry, o.Preloaded, o.Acyclic, *o.Bindings, s.source, o.Build, listAt, list,
	}}
}

func (c *circumstances) equal(other *circumstances) bool {
	return c.circumstancesInTree == other.circumstancesInTree && bytes.Equal(c.src, other.src) && bytes.Equal(c.sourceMap, other.sourceMap)
}

// begin turns what the last run learned into the past.
func (c *Cache) begin() {
	if c == nil {
		return
	}
	c.facts.begin()
	c.scripts.begin()
}

func (g *generation[V]) begin() { g.last, g.now = g.now, map[string]V{} }

// end forgets what this run did not use.
func (c *Cache) end() {
	if c == nil {
		return
	}
	c.facts.last, c.scripts.last = nil, nil
}

// factsOf returns the facts of a script, from the cache or computed.
func (c *Cache) factsOf(p string, src []byte) *facts {
	if c == nil {
		return factsOf(src)
	}
	c.mu.Lock()
	cached := c.facts.last[p]
	c.mu.Unlock()
	if cached.facts == nil || !bytes.Equal(cached.src, src) {
		cached = cachedFacts{src, factsOf(src)}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.facts.now[p] = cached
	return cached.facts
}

// made returns the result for a script in these circumstances, from the cache or
// computed, with the memory of its earlier version.
func (c *Cache) made(of circumstances, make func(*transform.Memory) (*made, error)) (*made, error) {
	if c == nil {
		return make(nil)
	}
	c.mu.Lock()
	cached := c.scripts.last[of.path]
	c.mu.Unlock()
	if cached.made == nil || !cached.of.equal(&of) {
		memory := cmp.Or(cached.memory, &transform.Memory{})
		m, err := make(memory)
		if err != nil {
			return nil, err
		}
		cached = cachedScript{of, m, memory}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scripts.now[of.path] = cached
	return cached.made, nil
}
