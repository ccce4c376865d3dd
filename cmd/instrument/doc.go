// Instrument profiles JavaScript where it runs. This is its manual; `instrument COMMAND -h`
// lists the flags of a command with examples.
//
// # Usage
//
//	instrument [flags] DIR
//	instrument run [flags] app.js [-- args]
//	instrument top [flags] PROFILE
//	instrument tree [flags] PROFILE
//	instrument merge -o OUT [flags] PROFILE…
//	instrument diff [flags] BEFORE[,…] AFTER[,…]
//	instrument budget [flags] budgets.yaml PROFILE…
//	instrument convert [flags] IN OUT
//	instrument report [flags] -o FILE PROFILE
//	instrument slices [flags] FILE…
//	instrument serve [flags] DIR
//	instrument collect
//	instrument collect backup [flags] TO
//	instrument collect restore [flags] FROM
//	instrument collect check
//	instrument query [flags] [WHAT [ID]]
//	instrument upload [flags] DIR
//	instrument service
//	instrument help [COMMAND]
//	instrument --version
//
// # instrument DIR
//
// With a directory that a bundler wrote, instrument makes a profiled copy, DIR-profiled, which
// behaves the same. Package transform/builddir says what happens to each kind of file.
//
//	-o, --output DIR       where to write; the place must be free or have an earlier output
//	--in-place             replace the directory itself, in one step at the end
//	--preset NAME          classic, balanced, fine or precise (default balanced)
//	--min-statements N     check loop-free functions of at least N statements
//	--checks LIST          kinds of checks to insert: entry,loop,exit
//	--form FORM            inline or compact (default inline); compact checks are calls:
//	                       half the bytes, slower
//	--max-gzip SHARE       let no script grow by more than this after gzip, such as 3%
//	--train                write a counting build, DIR-counting, whose runs write counts.json
//	                       (docs/training.md); the preset is then precise if none is named
//	--counts FILE          check what is worth most by the executions in FILE, which runs of
//	                       a counting build of the same directory and preset wrote
//	--max-overhead SHARE   with --counts: checks may take this share of the time that was
//	                       counted, such as 2%
//	--profile PROFILE      with --counts: a function's checks are worth the time that this
//	                       profile shows in it
//	--include, --exclude GLOB
//	                       choose files by deployed path or original source. * stays within
//	                       a folder, ** crosses folders. A pattern matches the end of a path
//	                       from any folder on, or the whole path if it begins with a slash.
//	                       May be repeated; exclude wins
//	--embed GLOB           scripts that carry the runtime in front of themselves, for pages
//	                       that are not in DIR; may be repeated
//	--public-path URL      where the directory is served, if pages name it with a host
//	--sample SHARE         write the clean and the profiled variant, and a chooser in each
//	                       page that gives this share of sessions the profiled one
//	--clock NAME           the clock in pages: shared (a worker raises ticks in shared
//	                       memory), poll (checks read the time), or auto, which is shared
//	                       where the page allows it (default auto)
//	--prefer NAME          the Profiler in browsers that have one: native, theirs if the
//	                       document may use it, or polyfill, always fieldprof's
//	                       (default native)
//	--base TIME            sample intervals of pages are multiples of this time (default
//	                       10ms)
//	--max-recording SHARE  a profile of a page ends itself if recording takes more than this
//	                       share of the time that the page is busy, such as 5%
//	--obey-policy          pages get no Profiler where the browser refuses its own for lack
//	                       of a Document-Policy
//	--wrap-workers         wrap the page's Worker, so that workers from blob: and data:
//	                       URLs have a Profiler
//	--tables NAME          when profiled pages fetch function tables: early (with the first
//	                       samples), late (when a trace is made), or none, which leaves
//	                       names to those who read traces with --tables (default early)
//	--list                 write nothing; list every function, in or out, and why
//	--no-sizes             do not measure compressed sizes
//	--strict               exit with 1 when there is a warning
//	--json                 print the report as JSON
//	--workers N            files to work on at a time
//	--version              print the version
//
// # instrument run
//
// Run bundles the entry file and everything it imports, inserts checks, runs the result in an
// engine and samples it from a coordinator on another thread. The program's own output goes
// where it would without a profiler. A table of its hottest functions, in original positions,
// goes to standard error, with a line about the health of the recording.
//
//	--engine NAME          goja, which is embedded, or an installed node, chromium, firefox
//	                       or webkit (WebKitGTK) (default goja)
//	--clock NAME           the clock in Node and browsers: shared, poll or auto, as above
//	                       (default auto)
//	--preset, --min-statements, --checks
//	                       as above (default balanced)
//	--interval DURATION    time between ticks (default 1ms)
//	-o, --output FILE      write the profile, in the format that the extension names (see
//	                       Formats); .html is a report
//	--top N                rows of the table, 0 for none (default 20)
//	--timeout DURATION     stop the program after this long, including the engine's start
//	--seed N               seed of the clock's jitter
//	--live URL             show the run while it goes on, in goja or Node, in the panel of
//	                       the instrument serve at URL; a server that is not there, or
//	                       goes away, is a warning
//	--json                 print the table and the health line as JSON to standard output,
//	                       and the program's output to standard error
//
// In Node the program has Node's modules and streams; __filename and import.meta.url are the
// entry file's in every module. A browser runs the program in an empty page without a window,
// with process.argv, process.exit and a console as in Node, until nothing that it started is
// pending: see packages engine/node and engine/browser. A program that is killed with SIGKILL,
// or that is inside a builtin for seconds when it is to stop, loses its profile, and instrument
// says so.
//
// # instrument top
//
// Top prints the same table from a profile file.
//
//	--top N                rows of the table, 0 for all (default 20)
//	--from, --to, --focus  see Part of a profile
//	--maps, --tables, --fold, --keep-ignored, --any-size
//	                       see Sources of a profile
//	--json                 print JSON
//
// # instrument tree
//
// Tree prints the calls of a profile as a tree.
//
//	--top-down             from callers to callees, the default direction
//	--bottom-up            from the functions that took the time to their callers
//	--depth N              levels of the tree, 0 for all
//	--min PERCENT          leave out calls with less of the ticks (default 1)
//	--from, --to, --focus  see Part of a profile
//	--maps, --tables, --fold, --keep-ignored, --any-size
//	                       see Sources of a profile
//	--json                 print JSON
//
// # instrument merge
//
// Merge joins profiles of one interval into one file, or adds up counts of one build.
//
//	-o, --output FILE      write the profile, in the format that the extension names, or the
//	                       counts
//	--maps, --tables, --fold, --keep-ignored, --any-size
//	                       see Sources of a profile
//
// # instrument diff
//
// Diff compares two profiles function by function, normalised, and marks changes that are more
// than chance; package profile/view says how. Several runs per side, separated by commas, find
// smaller changes.
//
//	--top N                rows of the table, 0 for all; changed functions are always shown
//	                       (default 20)
//	--same-work            compare times instead of shares, because both runs did the same
//	                       work on a quiet machine
//	--noise PERCENT        standard deviation of a function's time between identical runs;
//	                       with several runs per side it is measured, and this is the
//	                       minimum (default 1)
//	--exit-code            exit with 1 when something changed beyond chance, and with 2
//	                       when a file cannot be read
//	--maps, --tables, --fold, --keep-ignored, --any-size
//	                       see Sources of a profile
//	--json                 print JSON
//
// # instrument budget
//
// Budget checks profiles against the limits in a file, whose format package profile/budget
// describes. It exits with 1 when a limit is broken, and with 2 when a file cannot be read.
//
//	--markdown             print Markdown, for a build's summary
//	--maps, --tables, --fold, --keep-ignored, --any-size
//	                       see Sources of a profile
//	--json                 print JSON
//
// # instrument convert
//
// Convert reads a profile in any known format, gzipped or not, and writes it in another; - is
// standard input or output. On standard error it says which format it takes IN for and why, and
// what the new format cannot hold. OUT is written completely or not at all, unless it is a device or
// a pipe, and gzipped if its name ends in .gz.
//
//	--from, --to NAME      the formats, where first bytes and extension do not identify them
//	--self-time RULE       how long samples of another tool's .cpuprofile last: hits, that
//	                       many times the mean interval, as in DevTools, or next, until the
//	                       next sample, as in VS Code and xsbug (default hits)
//	--focus RE             see Part of a profile
//	--maps, --tables, --fold, --keep-ignored, --any-size
//	                       see Sources of a profile
//	--json                 print a summary to standard output
//
// # instrument report
//
// Report writes a profile as one HTML page that needs nothing else: see package profile/report.
//
//	-o, --output FILE      the page; - is standard output
//	--before PROFILE       compare with this profile
//	--sources DIR          read lines of code from sources below DIR, never from other
//	                       files, from what begins with a dot, or from outside
//	--title TEXT           heading of the page
//	--from, --to, --focus  see Part of a profile
//	--maps, --tables, --fold, --keep-ignored, --any-size
//	                       see Sources of a profile; maps that contain sources give lines
//
// # instrument slices
//
// Slices lists what was slow in profiles, or in envelopes that pages sent, worst first, each with
// its cause; and a summary for each kind of interaction. FILE may be a directory. A file
// without marks does not say what was slow, and a directory's files that are not profiles give
// warnings. Code in the maps' ignore lists is not folded: its time is listed as a framework's.
// docs/slices.md says how the cause is found.
//
//	--what KIND            only slices of this kind: interaction, long-frame, long-task, load,
//	                       navigation or mark; may be repeated. Without it, slices that
//	                       are parts of others are left out, such as the long task of an
//	                       interaction
//	--over DURATION        slices that last this or longer, instead of the runtime's thresholds:
//	                       200 ms; 2.5 s for loads, 1 s for navigations, none for marks
//	--top N                rows of each table, 0 for all (default 20)
//	--save N               write slice N of the list as a profile
//	-o, --output FILE      with --save: the file, in the format that the extension names
//	--page URL             the page, for profiles that do not say: scripts of other origins are
//	                       third parties'
//	--first-party HOST     scripts of this host and its subdomains are the page's own; may be
//	                       repeated
//	--maps, --tables, --fold, --any-size
//	                       see Sources of a profile
//	--json                 print JSON
//
// # instrument serve
//
// Serve serves a built directory, or what a dev server sends, and shows the profile of every
// page that is open there while it runs. It prints the addresses of the site and the panel,
// and ends with Ctrl-C. docs/serving.md has the whole of it.
//
//	--host NAME            the name or address to listen on; 0.0.0.0 is every address, for
//	                       other machines, and then a terminal shows a QR code
//	                       (default localhost)
//	--port N               the port; without it 8080, or the next one that is free
//	--https                answer over HTTPS, with a certificate of this machine's own
//	--cert, --key FILE     the certificate and its key to use instead, in PEM
//	--proxy URL            serve what the dev server at this URL sends, instead of DIR
//	--isolated             make pages cross-origin isolated, which the shared clock needs
//	                       (default true)
//	--spa                  answer a navigation to what does not exist with index.html
//	                       (default true)
//	--overlay              show a button in each page that starts and stops its profile
//	--open                 open the panel in the browser
//	--interval DURATION    time between ticks, until the panel chooses another (default 10ms)
//	--before PROFILE       compare with this profile
//	--keep DIR             keep what is recorded in DIR, and show what is there
//	--preset, --min-statements, --checks, --form, --max-gzip, --include, --exclude
//	                       as above (default balanced) (default inline)
//	--json                 print the addresses as JSON
//
// # instrument collect
//
// Collect receives the profiles that pages of real users send, adds them up in a store, and
// shows them. It prints where the dashboard is and what pages call to send; at the first start
// it makes the keys. SIGTERM and Ctrl-C end it in order; the exit code is 0 if all that had begun
// was finished, else 1. docs/collect.md has the settings of a file and how to run it for long.
//
//	--listen ADDRESS       where to listen, HOST:PORT; :8090 without it
//	--config FILE          settings in YAML; flags win over them
//	--data DIR             everything that is kept; fieldprof-data without it
//	--store URL            sqlite:PATH, a file in the data without it, or a ClickHouse:
//	                       clickhouse://USER:PASSWORD@HOST:9000/DATABASE
//	--cert, --key FILE     the certificate and its key, in PEM, for HTTPS; they are read again
//	                       when they change
//	--trust-proxy          a proxy is in front, whose X-Forwarded-For names the sender
//	--metrics ADDRESS      serve /metrics, the health checks and Go's profiles here too; at the
//	                       collector's own address /metrics needs a token
//	--memory SIZE          what the process should get along with; 448MiB without it
//	--url URL              the address under which others know the collector
//	--json                 print the addresses as JSON
//
// # instrument collect backup
//
// Backup copies the SQLite store and the generated keys into a new directory, also while the
// collector runs.
//
//	--config, --data, --store
//	                       see instrument collect
//
// # instrument collect restore
//
// Restore makes a new directory of data from a backup.
//
//	--config, --data, --store
//	                       see instrument collect
//
// # instrument collect check
//
// Check reads the settings, looks at the store, and says what a collector would do. It changes nothing.
//
//	--config, --data, --store
//	                       see instrument collect
//
// # instrument query
//
// Query asks a collector about the profiles of an app. WHAT is overview (the default), functions,
// slices, slice, diff, trend, examples, example, profile, values, budgets, files or apps.
// Figures are estimates for all sessions; docs/asking.md explains them.
//
//	--from, --to MOMENT    the time: 2026-11-23T09:00:00Z, now, now-90m or now-7d; the last 24
//	                       hours without them
//	--where LABEL:VALUE    only these sessions, such as route:/cart; may be repeated
//	--slow                 the time of slow moments instead of all time
//	--by LIST              overview: the labels that rows are for; route,release without it
//	--top N                rows of each table, the latest of a trend, 0 for as many as the
//	                       collector sends; changed functions are always shown (default 20)
//	--before, --after LABEL:VALUE
//	                       diff: the two sides
//	--before-from, --before-to MOMENT
//	                       diff: compare with another time
//	--name NAME            trend: the function; slices: the event, such as click
//	--file FILE            trend: the function's file, if several have its name
//	--line N               trend: its line
//	--step TIME            trend: the time between points
//	--what KIND            slices: only interaction, long-frame, long-task, load, navigation or
//	                       mark
//	--target NAME          slices: only those of this element
//	--release NAME         files: only those of this release
//	--keep-ignored         do not fold code in the maps' ignore lists
//	--deployed             keep deployed positions
//	-o, --output FILE      save the profile of the selection, a slice or an example in the format
//	                       that the extension names; a comparison as .html
//	--url, --token-file, --app
//	                       see Access to a collector
//	--json                 print the collector's answer as JSON
//
// # instrument upload
//
// Upload sends the source maps and function tables of a built directory to a collector, for a
// release. It skips files that the collector already has. docs/api.md says which files it accepts.
//
//	--release NAME         the release, as pages send it; required, because a wrong guess would
//	                       leave profiles without names
//	--url, --token-file, --app
//	                       see Access to a collector
//	--dry-run              send nothing; list what would be sent
//	--json                 print the outcome for each file as JSON
//
// # instrument service
//
// Service instruments trees in memory for build plugins, over standard input and output. The
// npm packages start it; package transform/service describes the protocol.
//
// # Part of a profile
//
//	--from, --to MOMENT    a range of time: since the start, such as 1.5s, or in percent,
//	                       such as 20%
//	--focus RE             samples with a function on the stack whose name matches
//
// # Sources of a profile
//
//	--maps PATH            source maps of the deployed files, a file or a directory; may be
//	                       repeated, like the next two
//	--tables PATH          function tables, X.js.functions.json
//	--fold GLOB            count code in these files in its callers; none folds nothing, not
//	                       even the files in the maps' ignore lists
//	--keep-ignored         do not fold the files in the maps' ignore lists
//	--any-size             read gzipped profiles of any unpacked size
//
// # Access to a collector
//
//	--url URL              the collector; $FIELDPROF_URL, or http://localhost:8090 without it
//	--token-file FILE      a file that holds the token; without it $FIELDPROF_TOKEN is the token
//	--app NAME             the app; needed if the token admits to several
//
// # Formats
//
// The extension of an output names its format; the first bytes of an input identify it. All may
// be gzipped, and - is standard input. docs/formats.md says which tools open each format, and what
// it keeps.
//
//	cpuprofile        .cpuprofile
//	pprof             .pprof .pb.gz .pb
//	folded            .folded .collapsed .txt
//	speedscope        .speedscope.json .speedscope
//	chrometrace       .trace.json .chrome.json .trace
//	otlp              .otlp
//	sentry            .sentry.json
//	firefox           .firefox.json .json
//	gecko             .gecko.json
//	gecko5            .gecko5.json
//	wicg              .wicg.json
//	wicg1             .wicg1.json
//	mozilla           .mozilla.json
//	mozilla-samples   .mozilla-samples.json
//	xs                .xs.cpuprofile
//
// # Exit codes
//
//	0      success, also when --timeout stopped the program, and when collect ended in order
//	1      the program failed, or its sources have an error; --strict, --exit-code or a
//	       broken budget; a collector refuses, or cannot be reached; an answer cannot be written
//	2      the command line is wrong; for budget and diff --exit-code, a file cannot be read
//	130    interrupted by Ctrl-C or SIGTERM, which is how serve ends
//	141    nobody reads the output any more, as in "instrument run app.js | head", which
//	       ends a program in goja or a browser (Node tells the program, and chooses the
//	       code); the profile has what ran until then
//
// A program that calls process.exit chooses the code itself. The profile is written in every
// case but three: a wrong source, a wrong command line, and a program that cannot be stopped
// (see instrument run).
package main
