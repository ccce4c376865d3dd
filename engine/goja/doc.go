// Package goja profiles a program in goja, the JavaScript engine written in Go.
//
// Run bundles the entry file and all it imports into one script (esbuild: ES
// modules, CommonJS, TypeScript, JSX, node_modules), puts checks into it
// (transform), starts a coordinator, and runs it on an event loop with timers,
// promises and a console (goja_nodejs). Positions in profiles and in errors
// refer to the original sources.
//
// # Limits
//
// goja has no import() of a computed name, no async generators (they are rewritten), no
// Intl and no WebAssembly, and of Node's modules only buffer, console, process, url and
// util. Of process there are argv, cwd, env, exit, exitCode, hrtime, nextTick, platform, stderr,
// stdout, version and versions; the streams can only write, and nobody can listen to events.
//
// The console shows primitives, plain objects, lists, maps, sets, functions, classes, errors and
// dates as Node's does, and of other objects, such as promises, their class and properties.
// console.trace prints no stack.
//
// The call stack is limited to MaxDepth frames, about as many as Node allows, and a program cannot
// catch the error of a deeper call. A long-running
// built-in (one huge regular expression) cannot be interrupted; a run stops when it returns.
package goja
