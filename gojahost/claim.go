package gojahost

import (
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/dop251/goja"
)

// claimed are the runtimes that have, or had, a host, by weak.Pointer. It keeps none of them.
var claimed sync.Map

// claim is what is known of a runtime from one host to the next.
type claim struct {
	held    atomic.Bool           // by a host, to which the rest belongs
	sources weak.Pointer[sources] // which the runtime keeps
}

// claimFor is the claim to a runtime, or nil if the runtime has a host.
func claimFor(vm *goja.Runtime) *claim {
	key := weak.Make(vm)
	known, had := claimed.LoadOrStore(key, &claim{})
	if !had {
		runtime.AddCleanup(vm, func(key weak.Pointer[goja.Runtime]) { claimed.Delete(key) }, key)
	}
	if c := known.(*claim); c.held.CompareAndSwap(false, true) {
		return c
	}
	return nil
}
