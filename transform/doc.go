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
// jsscan reads the structure of the script; plan.go decides where checks go;
// checks.go knows what they look like, one function for each form, for the two
// targets: web (browsers and Node, the flag is a word of shared memory) and
// goja (the flag is a Go value). edit collects insertions and applies them.
//
// # What a check means
//
// A check before a loop's next turn, or at an exit, sees a tick that fell into
// the function itself. A check at entry sees one that fell into the caller.
// Functions without checks are counted in their nearest checked caller; that is
// the promise, and N (Options.MinStatements) is the knob. Exits are checked
// after the value to return has been computed, and yield and await count as
// exits. See profile.Attribute.
//
// # Limits
//
// Left alone, with all inside: "use asm" functions, functions inside a with
// statement, and what a comment excludes: /* fieldprof: off */ (the next
// function) and /* fieldprof: off file */. Use it for functions whose text is
// sent elsewhere (a worker, page.evaluate): there the bindings do not exist.
// Class field initialisers and static blocks get no checks.
//
// Function.prototype.toString shows the insertions. A generator's entry check
// runs at its first next. Target web does not see exits by exception; the next
// check does. A bare return of an async generator that stands alone as the body
// of an if is not checked. Sources larger than 1 GiB, and sources jsscan cannot
// read, come back unchanged with a warning.
package transform
