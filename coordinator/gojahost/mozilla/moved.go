// Package moved_to_gojahost_mozilla has nothing in it: the package that was here is
// github.com/fieldprof/fieldprof/gojahost/mozilla now.
//
// Deprecated: import github.com/fieldprof/fieldprof/gojahost/mozilla.
package moved_to_gojahost_mozilla
