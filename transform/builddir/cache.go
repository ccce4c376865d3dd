package builddir

import (
	"bytes"
	"cmp"
	"sync"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

// Cache keeps what became of each script for the next run over almost the same
// tree, as bundlers that watch have them: only what changed is done again. What
// comes of a script depends on its own bytes and map, and on what its
// circumstances are in the tree; with those the same, so is the result. Of a script
// that changed, what is as it was is not scanned again.
//
// It serves one run at a time, in memory (Files), all with the same options. It
// holds the contents of the latest run, and forgets what that had no more. The
// zero Cache is empty.
type Cache struct {
	mu      sync.Mutex
	facts   generation[cachedFacts]
	scripts generation[cachedScript]
}

// generation holds values by path: those of this run and those of the last.
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

// circumstances are all that the result depends on, but for the options of the
// run.
type circumstances struct {
	path           string
	src, sourceMap []byte
	circumstancesInTree
}

// circumstancesInTree are what the tree says of a script.
type circumstancesInTree struct {
	goal                                 transform.Goal
	checksModule, loader, require, embed string
	entry                                bool
	bindings                             runtime.Bindings
	source                               mapPlace
	listAt                               int // where the runtime goes on a service worker's list
	list                                 string
}

func circumstancesOf(s *scriptFile, src []byte, o *transform.Options, listAt int, list string) circumstances {
	return circumstances{s.path, src, o.SourceMap, circumstancesInTree{
		o.Goal, o.ChecksModule, o.Loader, o.Require, o.Embed, o.Entry, *o.Bindings, s.source, listAt, list,
	}}
}

func (c *circumstances) equal(other *circumstances) bool {
	return c.circumstancesInTree == other.circumstancesInTree && bytes.Equal(c.src, other.src) && bytes.Equal(c.sourceMap, other.sourceMap)
}

// begin makes what the last run learned that of a run before.
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

// factsOf are the facts of a script, known or found.
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

// made is what became of a script in these circumstances, known or now made, with
// what is remembered of the script as it was.
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
