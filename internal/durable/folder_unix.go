//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package durable

import "os"

func folder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
