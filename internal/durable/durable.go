// Package durable brings to the disk what must outlast a crash of the machine.
package durable

import "os"

// File brings a file's content to the disk. Windows does so only for those who may write it.
func File(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// Folder brings a folder's entries to the disk: files that are new there, or have other names. It does nothing on
// Windows, which writes an entry with its file, and where folders cannot be opened.
func Folder(path string) error { return folder(path) }
