package tenants

import (
	"strconv"

	"github.com/dop251/goja"
)

// script is what all tenants run. A turn calls tiny functions in a loop, compares in a sort,
// recurses, and spends time in what goja brings. A task waits in the middle of its turns.
const script = `
function leaf(x) { return (x * 31 + 7) % 65521 }
function sum(n) { let s = 1; for (let i = 0; i < n; i++) s = leaf(s + i); return s }
function order(n) {
  const list = [];
  for (let i = 0; i < n; i++) list.push((i * 7919) % 97);
  return list.sort((a, b) => a - b)[0];
}
function tree(depth) { return depth ? tree(depth - 1) + tree(depth - 1) : 1 }
const text = JSON.stringify(Array.from({ length: 40 }, (_, i) => ({ id: i, name: 'article ' + i })));
function read() { return JSON.parse(text).length }
function turn() { return sum(400) + order(40) + tree(6) + read() }
function work(turns) { let s = 0; for (let i = 0; i < turns; i++) s += turn(); return s }
function task(turns, ms) { return work(turns >> 1) + fetch(ms) + work(turns - (turns >> 1)) }
`

// The tenants, who are numbered from 0, and what a task of each takes.
const (
	tenants  = 20
	fewest   = 2   // turns of the first tenant's tasks; those of the second have one more
	shortest = 0.5 // milliseconds that the last tenant's tasks wait; those of the one before, twice that
)

func turnsOf(tenant int) int { return fewest + tenant }

func waitOf(tenant int) float64 { return shortest * float64(tenants-tenant) }

// name is a tenant's tag.
func name(tenant int) string { return "tenant-" + strconv.Itoa(tenant) }

// meant are the tenants' turns, which are their shares of the work by construction.
func meant() []float64 {
	all := make([]float64, tenants)
	for tenant := range all {
		all[tenant] = float64(turnsOf(tenant))
	}
	return all
}

// arguments of a tenant's tasks.
func arguments(vm *goja.Runtime, tenant int) []goja.Value {
	return []goja.Value{vm.ToValue(turnsOf(tenant)), vm.ToValue(waitOf(tenant))}
}
