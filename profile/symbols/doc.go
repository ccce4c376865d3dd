// Package symbols finds the way from deployed code back to its sources, for
// profiles that were recorded elsewhere: source maps and function tables, in files
// and directories as builds and deployments leave them.
//
// A profile names scripts as its engine knew them, usually by URL. A file belongs to
// a script if the ends of their paths agree: https://shop.example/assets/app.js
// is assets/app.js, or app.js, of a directory; the longer match wins. Its map is the
// one that its comment names (inline, or in the same directory), else the .map
// next to it, else the one with the same debug id anywhere in the directories. Its
// function table is the .functions.json next to it. The script itself may be
// missing.
//
// Nothing in a profile, a script or a map is trusted. All files are opened within
// the directories that the user named (os.Root), so neither a name nor a symbolic
// link leads out of them; sources are never opened. Names of sources lose any
// prefix that leads up or to a root: ../../etc/passwd is called etc/passwd in the
// result. Sizes and numbers of files are bounded.
package symbols
