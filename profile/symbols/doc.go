// Package symbols finds the way from deployed code back to its sources, for
// profiles that were recorded elsewhere: source maps and function tables, in files
// and directories as builds and deployments leave them.
//
// A profile names scripts as its engine knew them, usually by URL. A file belongs to
// a script if the ends of their paths agree: https://shop.example/assets/app.js
// is assets/app.js, or app.js, of a directory; the longer match wins. Its map is the
// one with the debug id that the profile has for it, anywhere in the directories; else
// the one that its comment names (inline, or in the same directory), or that has the
// debug id of its comment; else the .map next to it. Its function table is the
// .functions.json next to it. None of them may have another debug id than the profile:
// that is of another build. The script itself may be missing.
//
// Nothing in a profile, a script or a map is trusted. All files are opened within
// the directories that the user named (os.Root), so neither a name nor a symbolic
// link leads out of them; sources are never opened. Names of sources lose any
// prefix that leads up or to a root: ../../etc/passwd is called etc/passwd in the
// result. Sizes and numbers of files are bounded.
package symbols
