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
// It works at the end of a build, on all outputs at once (package builddir, in
// memory), and so sees final code, whatever languages and plugins were involved. Scripts get their checks, source maps follow, a function table is
// written next to each script, and the folder fieldprof/ in the output holds the
// runtime. The result is, byte for byte, what `instrument dist/` makes of the
// outputs of the same build.
//
//	api.BuildResult      OutputFiles are the instrumented ones, Write or not; the
//	                     files added for the checks follow esbuild's own
//	Metafile             has their sizes, the added files, and what modules
//	                     import of those
//	Context              Rebuild, Watch and Serve work; files that have not changed
//	                     since the last build are not made again
//	[hash] in names      identifies the content: a banner names the release and the
//	                     options, so that hashes differ from the clean build's
//	pages                esbuild writes none, so the entry points of builds for
//	                     browsers bring the runtime themselves (Options.Embed)
//
// # Trouble
//
// A script that cannot be instrumented is left unchanged, with a located esbuild
// warning. If none can be, the build is the same as without the plugin. Options.Strict
// turns such warnings into errors. Invalid options are always an error, and so is an output in
// the place of a source, as with esbuild, unless BuildOptions.AllowOverwrite is set.
//
// # Other plugins
//
// At the end of a build, plugins before this one in BuildOptions.Plugins see clean
// outputs, and nothing on disk; those after it see the instrumented outputs, written.
//
// # Limits
//
// Files are written when everything is done, each in one step; a crash between two of
// them leaves some old and some new, as with esbuild. A build to standard output
// has no place for the runtime, and stays clean. Options.Stage Source is for
// comparison with tools that work on sources; see there.
package esbuildplugin
