// Package transform puts checks into JavaScript.
//
// Transform takes the bytes of one script and returns them with insertions: a
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
// goja (the flag is a Go value). edit collects insertions and applies them.
//
// For the web there are two forms. Inline tests the flag in place and costs
// less time; Compact calls the runtime and costs half the bytes or fewer:
//
//	function f(a){var r=(f[1]=f[0])&&c(0); … return r=(g(a)),(f[1]=f[0])&&c(2),r}
//	function f(a){e(); … return x(g(a))}
//
// Both do nothing where there is no runtime; Options.Loader and Require fetch it
// there.
//
// # Names
//
// The names that are inserted are nowhere in the source as a whole name, be it in a
// string or spelled with escapes. A module or CommonJS body has its names for itself:
// $f, $c, $r. The names of a classic script are globals of the page, where scripts that
// nobody instrumented may declare what they like: they begin as no one writes, __fpf.
// The classic scripts of a page share one scope: give them the same names, chosen by
// Names from all of them (a let of one script would make the var of another an error).
//
// # Texts
//
// Function.prototype.toString, which the runtime replaces, gives the source's text
// (runtime/src/text.ts). For that the inserted strings are a closed set, each of which
// can be told from the source's own text: what closes something that was opened carries
// a comment or an argument with a name in it. Functions that are there for their text
// alone are left as they are (taken.go), so that nothing depends on the runtime there.
//
// # Safety
//
// A source that cannot be read comes back unchanged. So does one whose result, read
// again, has not the same functions, exits, loops and statements (verify.go).
//
// # Selection
//
// The preset or its overrides choose functions by size; Options.Keep by
// original source; Options.MaxGzip by what they are worth, so that the result
// keeps to a size. Result.Reasons says for each function why it is checked or
// not.
//
// # What a check means
//
// A check before a loop's next turn, or at an exit, sees a tick that fell into
// the function itself. A check at entry sees one that fell into the caller.
// Functions without checks are counted in their nearest checked caller; that is
// the promise, and N (Options.MinStatements) is the knob. Exits are checked
// after the value to return has been computed (or before where that is no
// work: a name, a literal, a function), and yield and await count as exits. See
// profile.Attribute.
//
// # Limits
//
// Left alone, with all inside: "use asm" functions, functions inside a with
// statement, those by whose text Node finds the names a CommonJS module exports,
// functions whose text is plainly taken, and what a comment excludes:
// /* fieldprof: off */ (the next function) and /* fieldprof: off file */. Class field initialisers and static blocks get no checks.
//
// Engines that guess names for functions without one from the text around them
// may show an inserted name ($r) in stacks; positions are right, and the
// function table has no such names.
//
// In a realm without the runtime, Function.prototype.toString shows the insertions
// (docs/deploying.md). A generator's entry check runs at its first next. Target web does not see exits by exception; the next
// check does. A bare return of an async generator that stands alone as the body
// of an if is not checked. Sources larger than 1 GiB, and sources jsscan cannot
// read, come back unchanged with a warning.
package transform
