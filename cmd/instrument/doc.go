// Instrument profiles JavaScript where it runs.
//
// # Usage
//
//	instrument [flags] DIR
//	instrument run [flags] app.js [-- args]
//	instrument top [flags] PROFILE
//	instrument convert [flags] IN OUT
//	instrument report [flags] -o FILE PROFILE
//	instrument tree [flags] PROFILE
//	instrument diff [flags] BEFORE[,…] AFTER[,…]
//	instrument merge -o OUT [flags] PROFILE…
//	instrument budget [flags] budgets.yaml PROFILE…
//	instrument --version
//
// # instrument DIR
//
// With a directory that a bundler wrote, instrument makes a profiled copy of
// it, DIR-profiled, which behaves the same: see package transform/builddir for
// what becomes of each kind of file.
//
//	-o, --output DIR       where to; there must be nothing or an earlier output
//	--in-place             replace the directory itself, in one step at the end
//	--preset, --min-statements, --checks
//	                       as for run
//	--form inline|compact  compact checks are calls: half the bytes, slower
//	--max-gzip SHARE       let no script grow by more after gzip, as in 3%
//	--include, --exclude GLOB
//	                       by deployed path or original source; * stays within a
//	                       folder, ** crosses folders; a pattern fits the end of
//	                       a path from any folder on, or, with a slash before it,
//	                       the whole; may be repeated, exclude wins
//	--embed GLOB           scripts that carry the runtime in front of themselves, for
//	                       pages that are not in DIR; may be repeated
//	--public-path URL      what the directory is served under, where pages name
//	                       it with a host
//	--sample SHARE         clean and profiled variants side by side, and a
//	                       chooser in each page
//	--list                 write nothing; list every function, in or out, and why
//	--no-sizes             do not measure compressed sizes
//	--strict               exit with 1 when there is a warning
//	--json                 print the report as JSON
//	--workers N            files to work on at a time
//
// # instrument run
//
// Run bundles the entry file and all it imports, puts checks into its
// functions, runs it in an engine and samples it from a coordinator on another
// thread. The program's own output goes where it would without a profiler; a
// table of its hottest functions, in original positions, goes to standard
// error, with a line on the health of the recording.
//
//	--engine NAME          goja (default, embedded), node, chromium, firefox or
//	                       webkit (WebKitGTK), which must be installed
//	--preset NAME          classic, balanced (default), fine or precise
//	--min-statements N     check loop-free functions from N statements on
//	--checks LIST          site kinds to check: entry,loop,exit
//	--interval DURATION    gap between ticks, 1ms unless told
//	-o, --output FILE      write the profile; the extension names the format:
//	                       .cpuprofile, .pb.gz, .folded, .speedscope.json and
//	                       more, see docs/formats.md; .html is a report
//	--top N                rows of the table, 20 unless told; 0 for none
//	--timeout DURATION     stop the program after this long; starting its engine
//	                       counts
//	--seed N               seed of the clock's jitter
//	--json                 print the table and the health as JSON to standard
//	                       output; the program's output goes to standard error
//
// In Node the program has Node's modules and streams; __filename and
// import.meta.url are the entry file's throughout. A browser runs it in an empty
// page of its own, without a window, with process.argv, exit and a console as in
// Node, until nothing that it started is pending: see packages engine/node and
// engine/browser. A program that is killed hard, or that is inside a built-in for
// seconds when it is to stop, loses its profile there, which is said.
//
// # instrument top
//
// Top prints the same table from a profile file. These flags choose a part of it,
// here and in instrument tree:
//
//	--from, --to MOMENT    a range of time: since the start (1.5s), or in percent
//	--focus RE             samples with a function on the stack whose name fits
//
// and these, which all commands that read profiles have, lead to its sources:
//
//	--maps PATH            source maps of what was deployed, a file or a directory;
//	                       may be repeated, like the next two
//	--tables PATH          function tables, X.js.functions.json
//	--fold GLOB            count code in these files in its callers; none: fold
//	                       nothing, not even what the maps' ignore lists name
//	--keep-ignored         do not fold what the maps' ignore lists name
//	--any-size             read gzipped profiles however much they hold
//
// # instrument tree
//
// Tree prints the calls of a profile, top down or bottom up (--top-down,
// --bottom-up), as deep as --depth, without what has less than --min percent.
//
// # instrument diff
//
// Diff compares two profiles function by function, normalised, and marks what is
// more than chance; package profile/view says how. --same-work compares times,
// --noise says how much runs differ by themselves, --exit-code exits with 1 when
// something changed. Several runs a side, with commas between, find smaller changes.
//
// # instrument merge
//
// Merge joins profiles of one interval into one file.
//
// # instrument budget
//
// Budget holds profiles to the limits of a file, whose format package
// profile/budget describes. It exits with 1 when one is broken, with 2 when
// anything cannot be read. --markdown is for the summary of a build.
//
// # instrument convert
//
// Convert reads a profile in any known format, gzipped or not, and writes it in
// another; - is standard input or output. It says on standard error what it takes
// IN for and why, and what of the profile the new format has no room for. OUT is
// written whole or not at all, and gzipped if its name ends in .gz.
//
//	--from, --to NAME      the formats, where first bytes and extension do not
//	                       tell: cpuprofile, pprof, folded, speedscope,
//	                       chrometrace, otlp, sentry
//	--focus, --maps, --tables, --fold, --keep-ignored, --any-size
//	                       as for top
//	--self-time hits|next  how long samples last in a .cpuprofile of others: hits
//	                       times the mean interval, as in DevTools, or to the next
//	                       sample, as in VS Code and xsbug
//	--json                 print a summary to standard output
//
// # instrument report
//
// Report writes a profile as one HTML page that needs nothing else: see package
// profile/report.
//
//	-o, --output FILE      the page; - is the standard output
//	--before PROFILE       compare with this one
//	--sources DIR          lines of code from files below DIR, never from outside
//	--title TEXT           heading of the page
//	--from, --to, --focus, --maps, --tables, --fold, --keep-ignored, --any-size
//	                       as for top and tree; maps that hold sources give lines
//
// # Exit codes
//
// 0 all went well, --timeout included; 1 the program failed, or its sources
// have an error; 2 the command line is wrong; 130 interrupted by Ctrl-C. A
// program that calls process.exit chooses the code itself. The profile is
// written in every case but a wrong source or command line.
package main
