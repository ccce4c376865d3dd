//go:build !unix

package certificate

import "io/fs"

// private goes by the cache directory: a mode says nothing about access here.
func private(info fs.FileInfo) bool { return info.Mode().IsRegular() }
