// Package jsprofile serves the profiles of goja and sobek runtimes over HTTP, next to Go's
// /debug/pprof, and their state as metrics:
//
//	http.Handle("/debug/jsprofile", jsprofile.Handler(pool, jsprofile.Options{}))
//	jsprofile.Publish("jsprofile", pool)              // in /debug/vars, by expvar
//
// A recording goes on all the time, and a request shows a part of it:
//
//	go tool pprof 'http://localhost:8080/debug/jsprofile?seconds=10'
//	curl -o now.html 'http://localhost:8080/debug/jsprofile?last=60&format=html'
//
// The parameters are
//
//	seconds=10     from now on, so long: the answer comes after that. It is the default.
//	last=60        instead, what was recorded in so many seconds before now, at once
//	format=pprof   or cpuprofile, or html: the report
//	idle=1         with the time in which no script ran
//	go=1           with seconds: also what Go functions did that scripts called, as Go's own
//	               CPU profiler finds it, of which a process has one at a time
//
// While a request waits, the coordinator's clock runs, even if nothing has started it.
// The names and values of tags are pprof's labels: pprof -tagfocus tenant=acme.
//
// Profiles show a program's functions, and the names of its tenants, so only requests from
// this machine are answered unless Options.Allow says otherwise.
package jsprofile
