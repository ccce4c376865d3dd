// Package builddir instruments what a bundler wrote: a directory of scripts,
// pages, workers and maps becomes a profiled copy that behaves the same.
//
//	report, err := builddir.Run(ctx, builddir.Options{Input: "dist"})
//
// Files does the same to a tree in memory, as bundlers' plugins have it.
//
// # What it does with a file
//
//	scripts    .js .mjs .cjs: checks go in (package transform), the source map
//	           follows, and a function table is written next to each
//	           (X.js.functions.json)
//	pages      .html .htm: inline scripts likewise; the runtime's tag (tag.go) goes before
//	           the first script; integrity attributes and the hashes of a
//	           Content-Security-Policy in a meta element follow the new contents
//	           (scripts for browsers without modules stay as they are)
//	sw.js      the lists of Workbox and Angular's ngsw.json have the runtime too,
//	           and these and others the revisions of what changed
//	manifests  JSON, templates, headers: digests of what changed follow (manifests.go)
//	.gz .br    compressed siblings of anything that changed are made again
//	the rest   is copied, with its permissions and times; an added file has the
//	           permissions of the one it belongs to (modes.go)
//
// Nothing is removed from a script: deleting the insertions gives it back, except for the
// digests of changed files that it holds, which are renewed (digests.go). A script
// that cannot be read is copied unchanged, with a warning that says where.
//
// # The runtime
//
// The folder fieldprof/ in the output holds the runtime. A page loads it with a script
// element, an ES module with its first import, which its page preloads (ahead.go), a
// CommonJS file with require, and a script that no page names with importScripts, if
// it finds itself in a worker. Without the runtime, everything but modules runs on,
// with inert checks. A script for pages that are not in the tree may carry the runtime
// (Options.Embed, embed.go).
//
// # Sampling
//
// With Options.Sample the output is the clean site, whose pages choose the
// profiled variant next to it for a share of sessions (sample.go). How to deploy
// that, and other ways, is in docs/deploying.md.
//
// # All or nothing
//
// The copy is made in a temporary folder next to its place and takes its name
// when it is complete. A run that fails or is interrupted leaves nothing behind; the
// next run removes what a killed one left (claim.go). An earlier output is replaced as
// far as it is ours (ours.go). Reading and writing go through os.Root (input.go,
// output.go): no link, map or URL in the tree leads out of it. A tree in memory
// (memory.go) has no outside.
//
// # Limits
//
// Inline event handlers, javascript: URLs and scripts in SVG are left alone. Pages are HTML: where
// one is served as XML, an inline script with checks must be in a CDATA section, because of &&.
// Browsers must know globalThis (package transform).
// File names keep the hashes their bundler gave them, though contents differ:
// deploy a profiled copy under another path, or before the clean one was cached.
// Pages name their scripts by URL; a script that no page names, and whose text has no
// import or export, is taken for a classic one, unless a script starts it as a module
// worker by a URL in the call itself. Service workers other than Workbox's and
// Angular's do not keep the runtime for offline use.
package builddir
