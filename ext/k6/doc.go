// Package k6 is an extension of k6 that records where the scripts of virtual users spend
// their time. A k6 that links it, such as cmd/k6 or one that xk6 builds, has another
// output:
//
//	k6 run --out fieldprof=checkout.pb.gz script.js
//	go tool pprof -http : checkout.pb.gz
//
// Without that output it does nothing.
//
// # How
//
// k6 has no hook for looking at a script before it is compiled. So the extension wraps k6's file
// system, its standard input and its HTTP client for modules (files.go, remote.go). The main
// script and the modules that it imports or requires get their checks when k6 reads them; files
// that open() reads by a literal name get none, because they are in no import (imports.go).
// Each script first imports the module k6/x/fieldprof, which makes the runtime of the virtual user
// observable (module.go). Where a script imports k6 it gets k6/x/fieldprof, too: it is the same
// module, but its sleep reports that it waits. The same is done with k6/metrics and k6/net/grpc,
// and with the objects that their constructors make (waiting.go, objects.go).
//
// All text goes in on the same line, and each script ends in a source map, which k6
// follows as it does those of bundlers: errors have the positions that they have without
// the extension (positions.go).
//
// # Whose time
//
// Samples have the tags vu, scenario and group, as k6 has them when they are taken. k6
// runs scripts from an event loop that the extension does not see. A virtual user that
// waits in sleep, in a function of k6/http or ws.connect, for an answer of gRPC, for a promise or
// for its next iteration is idle: the ticks of the wait belong to no function (Host.Rested of gojahost).
package k6
