// Package service lets programs in other languages instrument trees of files:
// it answers requests over a pair of byte streams. `instrument service` serves
// its standard streams, for build plugins in JavaScript; npm/wasm serves a page
// or a worker.
//
//	err := service.Serve(ctx, os.Stdin, os.Stdout)
//
// # Frames
//
// Each direction is a sequence of frames: the length of the head and the length of the
// body, four bytes each, little-endian; the head, a JSON object; and the body, raw
// bytes of files (frame.go). Lengths are bounded, and announced data takes memory only
// as it arrives.
//
// # Messages
//
// Both sides begin with a hello that names the protocol and the release, and go
// on only if both agree. This first frame is the same in all versions:
//
//	{"kind":"hello","protocol":1,"version":"0.1.0"}
//
// Then the client sends requests with ids of its own, up to MaxRequests at a time, and
// may cancel them:
//
//	{"kind":"instrument","id":1,"options":{…},"files":[…],"forget":[…]}
//	{"kind":"write","id":3,"options":{…},"files":[…],"forget":[…],"into":"/app/dist","base":"/app"}
//	{"kind":"salt","id":2,"options":{…}}
//	{"kind":"cancel","id":1}
//
// Each request but cancel gets one answer with its id, in any order:
//
//	{"kind":"instrumented","id":1,"files":[…],"forget":[…],"warnings":[…],"report":{…}}
//	{"kind":"written","id":3,"files":[{"path":"app.js","size":5120},…],"warnings":[…],"report":{…}}
//	{"kind":"salted","id":2,"salt":"…"}
//	{"kind":"error","id":1,"text":"…","option":"preset"}
//
// An error without an id says why the service ends; one with "writing":true means that
// a tree was made but could not be written. Options are those of the command line, in
// camel case (options.go).
//
// A write request instruments, and puts the tree into a folder instead of the answer:
// builds are large, and a client that would only write them need not see them. Files
// take their names once all are complete, and unchanged files are not written again.
// With "careful":true nothing is written if there are warnings.
//
// A tree without scripts and pages stays as it is: it has no use for the runtime.
//
// # Files
//
// The sender of a file gives its contents a number, and refers to them by that number
// until it tells the other side to forget it (stock.go). So both directions of a
// rebuild carry only what has changed:
//
//	{"path":"app.js","content":7,"size":5120}    its bytes are in the body
//	{"path":"vendor.js","content":3}             as before
//	{"path":"logo.png","input":2}                in answers: file 2 of the request, untouched
//
// # The end
//
// The service ends with its input, so that it does not outlive its parent. Requests in
// progress are abandoned. An invalid frame also ends it, after an error that says what
// was wrong.
package service
