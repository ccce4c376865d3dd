// Package moved_to_gojahost is empty: the package is now
// github.com/fieldprof/fieldprof/gojahost. A program that still imports this path does
// not compile, and the compiler's message quotes this package's name.
//
// Deprecated: import github.com/fieldprof/fieldprof/gojahost.
package moved_to_gojahost
