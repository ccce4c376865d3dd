// Package viewers tests that the field's viewers make of the files of
// profile/format what we do: speedscope's importers and schema, DevTools' trace
// model, the rules of Sentry's SDK, all from npm and run offline. What DevTools
// makes of a .cpuprofile, and go tool pprof of its format, is tested with those
// formats.
package viewers
