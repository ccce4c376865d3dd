// Package plugins holds the npm packages of build plugins to what bundlers do.
//
// It packs them, puts them beside esbuild, Vite, Rollup, Rolldown, webpack and
// Rspack, and
//
//   - runs testdata/*.test.mjs, which build in every way that a bundler knows;
//   - builds the projects of npm/examples as they are, compares the profiled output
//     with what `instrument dist/` makes of the clean one, and lets both run: pages
//     in three browsers, programs in Node. Profiles of them must lead to the
//     original sources through the maps that were written.
//
// One folder serves all tests: see workshop.
package plugins
