//go:build linux || darwin

package must

import (
	"os/signal"
	"sync"
	"syscall"
	"testing"
)

// NoRoom keeps the files of this process from growing beyond a size in bytes, as a full disk
// does (writes return EFBIG), until release is called or the test ends. Tests that use it
// must not run in parallel with others.
func NoRoom(t testing.TB, beyond uint64) (release func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var before syscall.Rlimit
	Do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	limited := before
	limited.Cur = beyond
	Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited))
	release = sync.OnceFunc(func() {
		Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
		signal.Reset(syscall.SIGXFSZ)
	})
	t.Cleanup(release)
	return release
}
