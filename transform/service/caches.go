package service

import "github.com/fieldprof/fieldprof/transform/builddir"

// caches are what the service remembers of trees, so that a rebuild of one costs
// what has changed. Builds that take turns have one each.
type caches struct {
	trees []*tree // the one used latest is the last
}

// maxTrees is how many trees are remembered.
const maxTrees = 4

// tree is what is remembered of one, and of how it was instrumented.
type tree struct {
	options string
	paths   map[string]bool
	cache   *builddir.Cache
}

// take finds the tree that a request is most like, and takes it out: a cache is
// for one run at a time.
func (c *caches) take(options string, files []builddir.File) *tree {
	found, most := -1, 0
	for i, t := range c.trees {
		if alike := t.alike(files); t.options == options && alike > most {
			found, most = i, alike
		}
	}
	t := &tree{options: options, cache: &builddir.Cache{}}
	if found >= 0 {
		t = c.trees[found]
		c.trees = append(c.trees[:found], c.trees[found+1:]...)
	}
	t.paths = make(map[string]bool, len(files))
	for _, f := range files {
		t.paths[f.Path] = true
	}
	return t
}

// alike counts the files that a tree has had.
func (t *tree) alike(files []builddir.File) (n int) {
	for _, f := range files {
		if t.paths[f.Path] {
			n++
		}
	}
	return n
}

// give puts a tree back, and forgets the oldest where there are too many.
func (c *caches) give(t *tree) {
	if c.trees = append(c.trees, t); len(c.trees) > maxTrees {
		c.trees = append([]*tree(nil), c.trees[1:]...)
	}
}
