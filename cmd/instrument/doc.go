// Instrument profiles JavaScript where it runs.
//
// # Usage
//
//	instrument run [flags] app.js [-- args]
//	instrument top [flags] PROFILE
//
// # instrument run
//
// Run bundles the entry file and all it imports, puts checks into its
// functions, runs it in goja and samples it from a coordinator on another
// thread. The program's own output goes where it would without a profiler; a
// table of its hottest functions, in original positions, goes to standard
// error, with a line on the health of the recording.
//
//	--preset NAME          classic, balanced (default), fine or precise
//	--min-statements N     check loop-free functions from N statements on
//	--checks LIST          site kinds to check: entry,loop,exit
//	--interval DURATION    gap between ticks, 1ms unless told
//	-o, --output FILE      write the profile; the extension names the format:
//	                       .cpuprofile, .pprof, .pb.gz, .folded
//	--top N                rows of the table, 20 unless told; 0 for none
//	--timeout DURATION     stop the program after this long
//	--seed N               seed of the clock's jitter
//	--json                 print the table and the health as JSON to standard
//	                       output; the program's output goes to standard error
//
// # instrument top
//
// Top prints the same table from a profile file.
//
// # Exit codes
//
// 0 all went well, --timeout included; 1 the program failed, or its sources
// have an error; 2 the command line is wrong; 130 interrupted by Ctrl-C. A
// program that calls process.exit chooses the code itself. The profile is
// written in every case but a wrong source or command line.
package main
