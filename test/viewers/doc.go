// Package viewers tests that existing viewers read the files of profile/format as
// we do: speedscope's importers and schema, DevTools' trace
// model, the rules of Sentry's SDK, all from npm and run offline. What DevTools
// makes of a .cpuprofile, and go tool pprof of its format, is tested with those
// formats.
package viewers
