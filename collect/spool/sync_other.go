//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package spool

// syncFolder does nothing: Windows writes entries of a folder with the file, and elsewhere folders cannot be opened.
func syncFolder(string) error { return nil }
