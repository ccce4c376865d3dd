package view

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

var update = flag.Bool("update", false, "write the golden files again")

// golden compares with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	must.Equal(t, got, string(want), path)
}

// randomProfile has recursion, pseudo-functions, samples without a stack, and one
// function at several positions.
func randomProfile(r *rand.Rand) *profile.Profile {
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	for i := range 60 {
		stack := profile.NoStack
		for range r.IntN(9) {
			stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: string(rune('a' + r.IntN(4)))}), r.Int32N(2), 0))
		}
		if r.IntN(5) == 0 {
			stack = b.Pseudo(stack, profile.NameGC)
		}
		b.Sample(profile.Sample{Time: int64(i), Stack: stack, Weight: 1 + r.Int32N(3)})
	}
	return b.Profile()
}

type times struct{ self, total int64 }

func flatTimes(p *profile.Profile) map[profile.FunctionID]times {
	out := map[profile.FunctionID]times{}
	for _, r := range Flat(p) {
		out[r.Function] = times{r.Self, r.Total}
	}
	return out
}

// TestTopDownSumsToFlat: self times of a function's nodes add up to its own, and
// total times of its outermost nodes to its total.
func TestTopDownSumsToFlat(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		p := randomProfile(r)
		got := map[profile.FunctionID]times{}
		var path []profile.FunctionID
		NewTree(p, TopDown, TreeOptions{}).Walk(func(n *Node, depth int) {
			path = append(path[:depth], n.Function)
			sum := n.Self
			for _, c := range n.Children {
				sum += c.Total
			}
			must.Equal(t, sum, n.Total, n.Name)
			was := got[n.Function]
			was.self += n.Self
			if !slices.Contains(path[:depth], n.Function) {
				was.total += n.Total
			}
			got[n.Function] = was
		})
		must.Equal(t, got, flatTimes(p))
	}
}

// TestBottomUpAgreesWithFlat: the roots are the flat view, and the time of a node is the
// time of its callers, but for the part that had no caller.
func TestBottomUpAgreesWithFlat(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	everything := func(profile.Function) bool { return true }
	for range 200 {
		p := randomProfile(r)
		want := flatTimes(p)
		got := map[profile.FunctionID]times{}
		for _, n := range NewTree(p, BottomUp, TreeOptions{Focus: everything}).Roots {
			got[n.Function] = times{n.Self, n.Total}
		}
		must.Equal(t, got, want)
		tree := NewTree(p, BottomUp, TreeOptions{})
		var self int64
		for _, n := range tree.Roots {
			self += n.Self
			must.Equal(t, want[n.Function], (times{n.Self, n.Total}), n.Name, n)
		}
		must.Equal(t, self, stacked(p), "roots have")
		tree.Walk(func(n *Node, _ int) {
			var sum times
			for _, c := range n.Children {
				sum.self += c.Self
				sum.total += c.Total
			}
			if n.Self > n.Total || sum.self > n.Self || sum.total > n.Total {
				t.Fatalf("%s: %+v, its callers %+v", n.Name, n, sum)
			}
		})
	}
}

// TestBottomUpAgainstWalk compares every node with counting samples by hand.
func TestBottomUpAgainstWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 100 {
		p := randomProfile(r)
		want := map[string]times{}
		for i, s := range p.Samples.Stack {
			w := int64(p.Samples.Weight[i])
			seen := map[profile.FunctionID]bool{}
			for at, top := s, true; at != profile.NoStack; at, top = p.Stacks.Parent[at], false {
				f := p.Frames.Function[p.Stacks.Frame[at]]
				if seen[f] {
					continue // an inner one counts
				}
				seen[f] = true
				key := ""
				for from := at; from != profile.NoStack; from = p.Stacks.Parent[from] {
					key += p.DisplayName(p.Frames.Function[p.Stacks.Frame[from]]) + "<"
					was := want[key]
					was.total += w
					if top {
						was.self += w
					}
					want[key] = was
				}
			}
		}
		got := map[string]times{}
		var path []string
		NewTree(p, BottomUp, TreeOptions{Focus: func(profile.Function) bool { return true }}).Walk(func(n *Node, depth int) {
			path = append(path[:depth], n.Name+"<")
			got[strings.Join(path, "")] = times{n.Self, n.Total}
		})
		must.Equal(t, got, want)
	}
}

// TestTreesOfPartsAddUp: ranges of time partition a profile's trees.
func TestTreesOfPartsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 50 {
		p := randomProfile(r)
		cut := time.Duration(r.IntN(61))
		sums := map[string]times{}
		paths := func(p *profile.Profile, sign int64) {
			var path []string
			NewTree(p, TopDown, TreeOptions{}).Walk(func(n *Node, depth int) {
				path = append(path[:depth], n.Name)
				key := strings.Join(path, ";")
				was := sums[key]
				sums[key] = times{was.self + sign*n.Self, was.total + sign*n.Total}
			})
		}
		paths(p, 1)
		paths(profile.Between(p, 0, cut), -1)
		paths(profile.Between(p, cut, p.Extent()), -1)
		for key, left := range sums {
			must.Equal(t, left, (times{}), key)
		}
	}
}

// TestTreeHidesAndSays: nodes that depth and share leave out are summed up where they were.
func TestTreeHidesAndSays(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 100 {
		p := randomProfile(r)
		for _, o := range []TreeOptions{{Depth: 2}, {MinPercent: 5}, {Depth: 3, MinPercent: 2}} {
			for _, d := range []Direction{TopDown, BottomUp} {
				tree := NewTree(p, d, o)
				sum := tree.Hidden.Self
				if d == TopDown {
					sum = tree.Hidden.Total
				}
				for _, n := range tree.Roots {
					if d == TopDown {
						sum += n.Total
					} else {
						sum += n.Self
					}
				}
				must.Equal(t, sum, stacked(p), d, o)
				tree.Walk(func(n *Node, depth int) {
					if o.Depth > 0 && depth >= o.Depth {
						t.Fatalf("%v: a node at depth %d", o, depth)
					}
					if d != TopDown {
						return
					}
					inside := n.Self + n.Hidden.Total
					for _, c := range n.Children {
						inside += c.Total
					}
					must.Equal(t, inside, n.Total, n.Name)
				})
			}
		}
	}
}

func TestTopDownFocusBeginsAtTheOutermost(t *testing.T) {
	p := recursive()
	tree := NewTree(p, TopDown, TreeOptions{Focus: func(f profile.Function) bool { return f.Name == "walk" }})
	if len(tree.Roots) != 1 || tree.Roots[0].Total != 6 || tree.Roots[0].Self != 1 || tree.Ticks != 8 {
		t.Errorf("%+v", tree.Roots[0])
	}
}

// Stacks deeper than any recursion could go, in both directions and all forms.
func TestDeepTrees(t *testing.T) {
	var b profile.Builder
	stack := profile.NoStack
	for i := range 20_000 {
		f := b.Frame(b.Function(profile.Function{Name: string(rune('f' + i%2))}), 1, 1)
		stack = b.Stack(stack, f)
		if i%20 == 0 {
			b.Sample(profile.Sample{Time: int64(i), Stack: stack, Weight: 1})
		}
	}
	b.Sample(profile.Sample{Time: 1e9, Stack: stack, Weight: 1})
	p := b.Profile()
	for _, d := range []Direction{TopDown, BottomUp} {
		if testing.Short() && d == BottomUp {
			continue // it takes as long as any bottom-up tree may
		}
		tree := NewTree(p, d, TreeOptions{})
		var text, data bytes.Buffer
		must.Do(t, WriteTree(&text, tree, 80))
		must.Do(t, WriteTreeJSON(&data, p, tree))
		if lines := strings.Count(text.String(), "\n"); lines < 1000 || d == BottomUp && !tree.Cut {
			t.Errorf("%v: %d lines, cut %v", d, lines, tree.Cut)
		}
		var list TreeList
		must.Do(t, json.Unmarshal(data.Bytes(), &list))
	}
}

// stacked is the ticks of the samples that have a stack.
func stacked(p *profile.Profile) (all int64) {
	for i, s := range p.Samples.Stack {
		if s != profile.NoStack {
			all += int64(p.Samples.Weight[i])
		}
	}
	return all
}

// shop is a small program with several ways to the same functions.
func shop() *profile.Profile {
	var b profile.Builder
	b.Meta = profile.Meta{Duration: 400 * time.Millisecond, Interval: time.Millisecond, Program: "shop.ts", Engine: "node"}
	at := map[string]profile.FrameID{}
	for i, name := range []string{"main", "render", "list", "item", "price", "checkout", "format"} {
		f := b.Function(profile.Function{Name: name, File: "src/" + map[bool]string{true: "cart/", false: "ui/"}[i > 3] + name + ".ts", Line: int32(3 + 7*i), Column: 10})
		at[name] = b.Frame(f, int32(4+7*i), 3)
	}
	clock := int64(0)
	take := func(ticks int32, names ...string) {
		stack := profile.NoStack
		for _, name := range names {
			if frame, ok := at[name]; ok {
				stack = b.Stack(stack, frame)
			} else {
				stack = b.Pseudo(stack, name)
			}
		}
		for range ticks {
			b.Sample(profile.Sample{Time: clock, Stack: stack, Weight: 1, Kind: profile.KindOfPseudo(names[len(names)-1])})
			clock += 1e6
		}
	}
	take(12, "main")
	take(50, "main", "render")
	take(20, "main", "render", "list")
	take(61, "main", "render", "list", "item")
	take(40, "main", "render", "list", "item", "price")
	take(18, "main", "render", "list", "item", "price", "format")
	take(16, profile.NameGC)
	take(84, "main", "checkout", "price")
	take(2, "main", "checkout")
	take(9, "main", "checkout", "format")
	take(88, profile.NameIdle)
	return b.Profile()
}

func TestTreeText(t *testing.T) {
	p := shop()
	for name, c := range map[string]struct {
		direction Direction
		options   TreeOptions
		columns   int
	}{
		"topdown":   {TopDown, TreeOptions{}, 0},
		"narrow":    {TopDown, TreeOptions{}, 64},
		"min":       {TopDown, TreeOptions{MinPercent: 5}, 100},
		"bottomup":  {BottomUp, TreeOptions{Depth: 3}, 100},
		"focus":     {TopDown, TreeOptions{Focus: func(f profile.Function) bool { return f.Name == "item" }}, 100},
		"sandwich":  {BottomUp, TreeOptions{Focus: func(f profile.Function) bool { return f.Name == "item" }}, 100},
		"recursive": {TopDown, TreeOptions{}, 100},
	} {
		t.Run(name, func(t *testing.T) {
			from := p
			if name == "recursive" {
				from = recursive()
				from.Meta.Interval = 0
			}
			var out bytes.Buffer
			must.Do(t, WriteTree(&out, NewTree(from, c.direction, c.options), c.columns))
			for line := range strings.Lines(out.String()) {
				if w := width(strings.TrimSuffix(line, "\n")); c.columns > 0 && w > c.columns {
					t.Errorf("%d columns wide: %s", w, line)
				}
			}
			golden(t, "tree-"+name+".txt", out.String())
		})
	}
}

func TestTreeJSON(t *testing.T) {
	p := shop()
	var out bytes.Buffer
	must.Do(t, WriteTreeJSON(&out, p, NewTree(p, TopDown, TreeOptions{Depth: 2})))
	golden(t, "tree.json", out.String())
	var list TreeList
	must.Do(t, json.Unmarshal(out.Bytes(), &list))
	for i, n := range list.Nodes {
		if n.Parent >= i || (n.Parent < 0) != (n.Depth == 0) || n.Parent >= 0 && list.Nodes[n.Parent].Depth != n.Depth-1 {
			t.Errorf("node %d: %+v", i, n)
		}
	}
}

func TestTreeOfHostileNames(t *testing.T) {
	var b profile.Builder
	stack := profile.NoStack
	for i := range 3 * len(hostile) {
		name := hostile[i%len(hostile)]
		stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: name, File: name, Line: int32(i)}), 0, 0))
		b.Sample(profile.Sample{Time: int64(i), Stack: stack, Weight: 1})
	}
	p := b.Profile()
	for _, d := range []Direction{TopDown, BottomUp} {
		for _, columns := range []int{0, 1, 80} {
			var text, data bytes.Buffer
			tree := NewTree(p, d, TreeOptions{})
			must.Do(t, WriteTree(&text, tree, columns))
			must.Do(t, WriteTreeJSON(&data, p, tree))
			for line := range strings.Lines(text.String()) {
				line = strings.TrimSuffix(line, "\n")
				if w := width(line); columns >= 80 && w > columns {
					t.Errorf("%d columns: %d wide: %s", columns, w, line)
				}
			}
			for _, r := range strings.ReplaceAll(text.String()+data.String(), "\n", "") {
				if !unicode.IsPrint(r) {
					t.Fatalf("%U is written as it is", r)
				}
			}
		}
	}
}
