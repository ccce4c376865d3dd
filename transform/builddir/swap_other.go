//go:build !linux

package builddir

func swap(temp, place string) (string, error) { return swapByNames(temp, place) }
