//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package spool

import "os"

// syncFolder makes the entries of a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
