// Package esbuildplugin puts checks into what esbuild writes, as a plugin for
// esbuild's Go API:
//
//	api.Build(api.BuildOptions{
//		EntryPoints: []string{"app.ts"},
//		Bundle:      true,
//		Outdir:      "dist",
//		Write:       true,
//		Plugins:     []api.Plugin{esbuildplugin.New(esbuildplugin.Options{})},
//	})
//
// # What it does
//
// It works when a build ends, on all outputs at once (package builddir, in
// memory): whatever languages and other plugins were at work before, it sees
// final code. Scripts get their checks, source maps follow, a function table is
// written next to each script, and the folder fieldprof/ in the output holds the
// runtime. The result is, byte for byte, what `instrument dist/` makes of the
// outputs of the same build.
//
//	api.BuildResult      OutputFiles are the instrumented ones, Write or not; what
//	                     came with the checks is after esbuild's own
//	Metafile             has their sizes, the files that came, and what modules
//	                     import of those
//	Context              Rebuild, Watch and Serve work; what did not change since
//	                     the last build is not done again
//	[hash] in names      identifies the content: a banner names the release and the
//	                     options, so that hashes are others than the clean build's
//	pages                esbuild writes none, so the entry points of builds for
//	                     browsers bring the runtime themselves (Options.Embed)
//
// # Trouble
//
// A script that cannot be instrumented is left as it is, with a warning of
// esbuild's kind that says where. If nothing can be, the build is as without the
// plugin. Options.Strict makes errors of such warnings. Options that are wrong are
// an error always.
//
// # Other plugins
//
// Those before this one in BuildOptions.Plugins see clean outputs when a build
// ends, and nothing on disk; those after it see instrumented ones, written.
//
// # Limits
//
// Files are written when all is done, each in one step; a crash between two of
// them leaves some old and some new, as with esbuild. A build to standard output
// has no place for the runtime, and stays clean. Options.Stage Source is for
// comparison with tools that work on sources; see there.
package esbuildplugin
