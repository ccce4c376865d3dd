//go:build !linux

package builddir

func swap(temp, place string) error { return swapByNames(temp, place) }
