// Package viewers tests that existing viewers read the files of profile/format as
// we do: speedscope's importers and schema, DevTools' trace
// model, the rules of Sentry's SDK, all from npm and run offline. The readings of a
// .cpuprofile by DevTools, and of pprof by its own tool, are tested with those
// formats.
package viewers
