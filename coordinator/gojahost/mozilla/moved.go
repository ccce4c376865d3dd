// Package moved_to_gojahost_mozilla is empty: the package is now
// github.com/fieldprof/fieldprof/gojahost/mozilla.
//
// Deprecated: import github.com/fieldprof/fieldprof/gojahost/mozilla.
package moved_to_gojahost_mozilla
