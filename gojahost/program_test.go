package gojahost

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes programs that nobody would write, of functions that each call the ones
// after them. The Go functions that they call are the world's (generated_test.go).
type generator struct {
	*rand.Rand
	plain     bool // nothing that ends a function between its checks, nor empties the recording
	runtimes  int
	functions []string
}

// tenants are the tags of tasks.
var tenants = []string{"", "a", "b", "c"}

// program returns the text of a program that begins with f0.
func (g *generator) program() string {
	g.function(4)
	return strings.Join(g.functions, "")
}

// function writes a function, with those that it calls, and returns its name.
func (g *generator) function(depth int) string {
	n := len(g.functions)
	name, async := fmt.Sprint("f", n), ""
	g.functions = append(g.functions, "") // its place
	if !g.plain && g.IntN(8) == 0 {
		async = "async "
	}
	var body strings.Builder
	for range 1 + g.IntN(4) {
		fmt.Fprintf(&body, "  %s;\n", g.statement(name, depth))
		if async != "" && g.IntN(2) == 0 {
			body.WriteString("  await null;\n")
		}
	}
	g.functions[n] = fmt.Sprintf("%sfunction %s() {\n%s}\n", async, name, &body)
	return name
}

// statement writes one of a function.
func (g *generator) statement(name string, depth int) string {
	steps := 1 + g.IntN(40)
	if depth == 0 || g.IntN(3) == 0 {
		return g.leaf(name, steps)
	}
	callee := func() string { return g.function(depth - 1) }
	switch g.IntN(10) {
	case 0:
		return callee() + "()"
	case 1:
		return fmt.Sprintf("for (let i = 0; i < %d; i++) { pass(%d, '%s'); %s() }", 1+g.IntN(3), steps, name, callee())
	case 2:
		return fmt.Sprintf("try { %s(); fail() } catch (e) { pass(%d, '%s') } finally { pass(1, '%s') }", callee(), steps, name, name)
	case 3:
		return fmt.Sprintf("[1, 2].forEach(%s)", callee())
	case 4, 5:
		return fmt.Sprintf("task('%s', %s)", tenants[g.IntN(len(tenants))], callee())
	case 6:
		return fmt.Sprintf("run(%s)", callee())
	case 7:
		return fmt.Sprintf("wait(%d, %s)", steps, callee())
	case 8:
		return fmt.Sprintf("wait(%d, () => task('%s', %s))", steps, tenants[g.IntN(len(tenants))], callee())
	default:
		return fmt.Sprintf("other(%d, '%s', '%s')", g.IntN(g.runtimes), tenants[g.IntN(len(tenants))], callee())
	}
}

// leaf writes one that calls no script.
func (g *generator) leaf(name string, steps int) string {
	passes := fmt.Sprintf("pass(%d, '%s')", steps, name)
	n := g.IntN(24)
	if g.plain {
		n = g.IntN(14)
	}
	switch n {
	case 0, 1:
		return fmt.Sprintf("work(%d)", steps)
	case 2:
		return fmt.Sprintf("wait(%d)", steps)
	case 3:
		return passes + "; fail()"
	case 4:
		return "clock()"
	case 5:
		return "join()"
	case 6:
		return "look()"
	case 14:
		return "drain()"
	case 15:
		return "reset()"
	case 16:
		return fmt.Sprintf("stop(%d); %s", g.IntN(g.runtimes), passes)
	case 17:
		return fmt.Sprintf("%s; close(%d); %s", passes, g.IntN(g.runtimes), passes)
	case 18:
		return fmt.Sprintf("outside(%d)", g.IntN(g.runtimes))
	default:
		return passes
	}
}
