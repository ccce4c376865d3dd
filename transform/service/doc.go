// Package service lets programs in other languages instrument trees of files:
// it answers requests over a pair of byte streams. `instrument service` serves
// its standard streams, for build plugins in JavaScript; npm/wasm serves a page
// or a worker.
//
//	err := service.Serve(ctx, os.Stdin, os.Stdout)
//
// # Frames
//
// What goes either way is a sequence of frames: the length of the head and the
// length of the body, four bytes each, the least first; the head, a JSON object;
// and the body, bytes of files as they are (frame.go). Lengths are bounded, and
// what has been announced takes memory only as it arrives.
//
// # Messages
//
// Both sides begin with a hello that names the protocol and the release, and go
// on only if both agree. This first frame stays as it is in all versions:
//
//	{"kind":"hello","protocol":1,"version":"0.1.0"}
//
// Then the client asks, with an id of its own, as many things at a time as it
// likes up to MaxRequests, and may take a request back:
//
//	{"kind":"instrument","id":1,"options":{…},"files":[…],"forget":[…]}
//	{"kind":"write","id":3,"options":{…},"files":[…],"forget":[…],"into":"/app/dist","base":"/app"}
//	{"kind":"salt","id":2,"options":{…}}
//	{"kind":"cancel","id":1}
//
// Each request but cancel has one answer with its id, in whatever order they are
// ready:
//
//	{"kind":"instrumented","id":1,"files":[…],"forget":[…],"warnings":[…],"report":{…}}
//	{"kind":"written","id":3,"files":[{"path":"app.js","size":5120},…],"warnings":[…],"report":{…}}
//	{"kind":"salted","id":2,"salt":"…"}
//	{"kind":"error","id":1,"text":"…","option":"preset"}
//
// An error without an id says why the service ends; one with "writing":true that
// a tree was made and could not be written. Options are those of the command
// line, in camel case (options.go).
//
// To write is to instrument, and to put the tree into a folder instead of the
// answer: builds are large, and a client that would only write them need not see
// them. Each file takes its name when it is complete, none before all are, and
// none that is there already. With "careful":true nothing is written where there
// are warnings.
//
// # Files
//
// Who sends a file gives its contents a number, and names it by that number from
// then on, until it tells the other side to forget it (stock.go). So a rebuild
// sends what has changed, and hears what has changed:
//
//	{"path":"app.js","content":7,"size":5120}    its bytes are in the body
//	{"path":"vendor.js","content":3}             as before
//	{"path":"logo.png","input":2}                in answers: file 2 of the request, untouched
//
// # The end
//
// The service ends with its input: a process whose parent died does not stay.
// What is being worked on then is given up. A frame that makes no sense ends it,
// too, after an error that says what was wrong.
package service
