// Package release has the version of fieldprof, for the command line, the service and every
// npm package.
package release

// Version is what `instrument --version` prints and what `make npm` writes into
// the packages. A service talks only to clients of the same version.
const Version = "0.1.0"
