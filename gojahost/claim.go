package gojahost

import (
	"runtime"
	"sync"
	"weak"

	"github.com/dop251/goja"
)

// claimed are the runtimes that have a host, by weak.Pointer. It keeps none of them.
var claimed sync.Map

// claim notes that a runtime has a host, and fails if it had one.
func claim(vm *goja.Runtime) bool {
	key := weak.Make(vm)
	if _, has := claimed.LoadOrStore(key, true); has {
		return false
	}
	runtime.AddCleanup(vm, func(key weak.Pointer[goja.Runtime]) { claimed.Delete(key) }, key)
	return true
}

// disclaim notes that it has none any more.
func disclaim(vm *goja.Runtime) { claimed.Delete(weak.Make(vm)) }
