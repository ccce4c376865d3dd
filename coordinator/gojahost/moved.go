// Package moved_to_gojahost has nothing in it: the package that was here is
// github.com/fieldprof/fieldprof/gojahost now. The compiler quotes the name of this one
// to a program that still imports it ("imported as moved_to_gojahost and not used").
//
// Deprecated: import github.com/fieldprof/fieldprof/gojahost.
package moved_to_gojahost
