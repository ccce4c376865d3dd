//go:build unix

package certificate

import "io/fs"

// private reports whether only the owner can read a file.
func private(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0
}
