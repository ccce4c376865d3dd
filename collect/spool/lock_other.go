//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package spool

import "os"

// tryLock does nothing: files cannot be locked here.
func tryLock(*os.File) bool { return true }

// syncFolder does nothing: folders cannot be opened here.
func syncFolder(string) error { return nil }
