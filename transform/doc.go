// Package transform puts checks into JavaScript.
//
// Transform takes one script and returns it with insertions: a
// check at the entry, in the loops and at the exits of each function that the
// preset selects, all on the lines they were on. Deleting the insertions gives
// the source back byte for byte. With the code come its source map, shifted,
// and a function table that says where each function is and what it is called.
//
//	result, err := transform.Transform(src, transform.Options{File: "app.js"})
//
// # How
//
// jsscan reads the structure of the script; plan.go decides where checks go,
// and budget.go which of them there is room for; checks.go puts them there, one
// function for each place; dialect.go and prologue.go word them, for the two
// targets: web (browsers and Node, the flag is a word of shared memory) and
// goja (the flag is a Go value). The package edit collects and applies insertions.
//
// For the web there are two forms. Inline tests the flag in place and costs
// less time; Compact calls the runtime and costs half the bytes or fewer:
//
//	function f(a){var r=(f[1]=f[0])&&c(0); … return r=(g(a)),(f[1]=f[0])&&c(2),r}
//	function f(a){e(); … return x(g(a))}
//
// Both do nothing without a runtime; Options.Loader and Require load it.
//
// # Names
//
// The inserted names do not occur in the source as whole names, not even in a string
// or spelled with escapes. A module or CommonJS body has its own scope and uses short
// names: $f, $c, $r. The names of a classic script are globals of the page, where
// uninstrumented scripts may declare anything, so they have an unusual prefix: _$f.
// The classic scripts of a page share one scope: give them the same names, chosen by
// Names from all of them (a let of one script would make the var of another an error).
//
// # Texts
//
// The runtime replaces Function.prototype.toString with one that returns the source's
// text (runtime/src/core/text.ts). To make that possible, the inserted strings are a closed
// set, each distinguishable from the source's own text: an insertion that closes
// another carries a comment or an argument with one of the names. Functions that exist
// only for their text are left alone (taken.go), so they do not depend on the runtime.
//
// # Safety
//
// A source that cannot be read comes back unchanged. So does one whose result, when
// read again, does not have the same functions, exits, loops and statements
// (verify.go).
//
// # Selection
//
// The preset or its overrides choose functions by size; Options.Keep by original
// source; MaxGzip by their worth, so that the result stays within a size.
// Result.Reasons says for each function why it is checked or not.
//
// # What a check means
//
// A check before a loop's next iteration, or at an exit, sees a tick that occurred
// in the function itself. A check at entry sees one that occurred in the caller.
// Functions without checks are counted in their nearest checked caller; that is
// the promise, and N (Selection.MinStatements) is the knob. Functions that loop, and those
// that the event loop enters, are checked below N, too. Exits are checked
// after the return value has been computed (or before, if computing it takes no
// work: a name, a literal, a function), and yield and await count as exits. See
// profile.Attribute.
//
// # Limits
//
// Left alone, with everything inside them: "use asm" functions, functions inside a
// with statement (the function around it has no checks either), functions in whose text Node finds the names that a CommonJS module
// exports, functions whose text is plainly taken, and those that a comment excludes:
// /* fieldprof: off */ (the next function) and /* fieldprof: off file */. Class field
// initialisers and static blocks get no checks.
//
// Engines that infer names of anonymous functions from the surrounding text
// may show an inserted name ($r) in stacks; positions are right, and the
// function table has no such names.
//
// The insertions for the web are modern JavaScript: globalThis, arrow functions, patterns,
// and catch without a parameter. An engine without them does not run the script.
//
// In a realm without the runtime, Function.prototype.toString shows the insertions
// (docs/deploying.md). A generator's entry check runs at its first next. For target
// web, an exit by exception is not checked; the next check takes the tick. A bare
// return of an async generator that is the whole body of an if is not checked. Sources larger than 1 GiB, and sources jsscan cannot
// read, come back unchanged with a warning.
package transform
