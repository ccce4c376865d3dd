// Package runtime holds what instrumented code needs at run time: the names it is bound to
// and, for pages, the scripts that ship with them.
//
// The scripts are written in TypeScript (src), built by `go generate` (build) and embedded
// (dist). In src/entry are the files that are built; test/house says which of the other
// folders may import which. The core is a kilobyte that every instrumented page and worker
// has: one object per realm, globalThis.__fieldprof, with the flag, the function that
// captures, and a recorder, null while nothing profiles. The first script makes it; every
// other one, even of another build, uses it. If it cannot be made (a frozen global object, a
// name that is taken) checks find a flag that never rises.
package runtime

import (
	"embed"
	"io/fs"
)

//go:generate go run ./build

//go:embed dist
var dist embed.FS

// MozillaForGoja is a CommonJS module for goja runtimes: its makeProfiler takes an engine
// (src/mozilla/engine.ts) and returns the class Profiler of Mozilla's API.
//
//go:embed goja/mozilla.js
var MozillaForGoja string

// Files are the scripts that are deployed with instrumented code:
//
//	runtime.js   the classic script, which a page loads before its own and a
//	             classic worker by importScripts
//	checks.js    the ES module that modules import their bindings from
//	module.js    the same and Profiler, for module workers of trees without pages
//	performance.js  the module of performance.profile, the earlier interface
//	checks.mjs   the same as checks.js, under the name that Node knows as a module
//	checks.cjs   the same for require
//	trace.js     the ES module that is loaded when a profile is made: reads stacks
//	             and makes traces
//	mozilla.js   Mozilla's Profiler, an ES module (docs/mozilla.md)
//	send.js      sends profiles, an ES module (docs/sending.md)
//	interactions.js  finds what is slow in a page, an ES module (docs/interactions.md)
//	live.js      streams profiles to instrument serve, a classic script or a module
//	coordinator.js  the worker that raises the flag, for pages whose policy
//	             forbids starting one from text
func Files() fs.FS { return within(dist, "dist") }

func within(embedded embed.FS, folder string) fs.FS {
	files, err := fs.Sub(embedded, folder)
	if err != nil {
		panic(err) // the folder is embedded
	}
	return files
}

// The code that Configure adds to scripts and few pages want.
//
//go:embed additions
var additions embed.FS

// Counting is the script that takes the place of runtime.js and of the modules of checks in a
// counting build (src/entry/counting.ts): it counts the executions of sites, and writes them when
// a process in Node ends, or gives them to a page.
//
//go:embed counting/counting.js
var Counting []byte

//go:embed runners
var runners embed.FS

// Runners are the scripts with which `instrument run` runs a program, and records it in other
// engines than goja:
//
//	node.cjs     the script for node; its argument is the name of a file with an order
//	page.js      the classic script that a page loads first
//	console.cjs  the methods of a console, for goja
//
// Orders and reports are declared in src/run/modes.ts.
func Runners() fs.FS { return within(runners, "runners") }

// Bindings are the names that inserted text uses, all absent from the source.
type Bindings struct {
	// Flag, Capture and Value are local: the flag, the function that captures
	// a sample in goja, and a variable that holds a value while an exit check runs.
	Flag, Capture, Value string
	// Entry, Loop and Exit are the functions that the compact form calls.
	Entry, Loop, Exit string
	// GlobalFlag and GlobalCapture are the properties of the global object
	// that a goja host provides and the locals are declared from.
	GlobalFlag, GlobalCapture string
}

// Global is the property of the global object where the web runtime keeps
// {flag, entry, loop, exit} for instrumented classic scripts.
const Global = "__fieldprof"

// ChecksModule is the module an instrumented ES module imports its bindings
// from, under the same four names.
const ChecksModule = "@fieldprof/runtime/checks"
