package truth

import (
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// outsideAvailable reports whether goja's types are as they are read.
func outsideAvailable() error {
	if gojaLayout.missing != "" {
		return fmt.Errorf("this version of goja has no %s: install the one that the bench was written for", gojaLayout.missing)
	}
	return nil
}

// memory is the memory of another process.
type memory struct{ pid int }

func memoryOf(pid int) memory { return memory{pid} }

// read reads some bytes, or returns nil if nothing is there.
func (m memory) read(address, n uint64) []byte {
	into := make([]byte, n)
	local := []unix.Iovec{{Base: unsafe.SliceData(into)}}
	local[0].SetLen(int(n))
	got, err := unix.ProcessVMReadv(m.pid, local, []unix.RemoteIovec{{Base: uintptr(address), Len: int(n)}}, 0)
	if err != nil || got != int(n) {
		return nil
	}
	return into
}

// sleep is the system's own: no timer of Go's runtime is in it.
func sleep(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil) // a signal may end it early
}
