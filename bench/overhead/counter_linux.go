package overhead

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openCounter opens a counter of the instructions that a child will execute in user
// mode, all its threads together. The caller must start the child from the same thread, to
// which it is locked then, since the child inherits the counter; close it afterwards.
func openCounter() (*os.File, error) {
	return openEvent(unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS)
}

// openEvent opens a counter that counts in children from when they execute their program.
func openEvent(kind uint32, event uint64) (*os.File, error) {
	runtime.LockOSThread()
	attributes := unix.PerfEventAttr{
		Type: kind, Config: event, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits: unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	descriptor, err := unix.PerfEventOpen(&attributes, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("the kernel grants no counter: %w", err)
	}
	return os.NewFile(uintptr(descriptor), "counter"), nil
}

// closeCounter ends what openCounter began.
func closeCounter(counter *os.File) {
	if counter != nil {
		_ = counter.Close()
		runtime.UnlockOSThread()
	}
}

// readCounter reads a counter that was inherited.
func readCounter(counter *os.File) (uint64, error) {
	var value [8]byte
	if _, err := counter.Read(value[:]); err != nil {
		return 0, err
	}
	return binary.NativeEndian.Uint64(value[:]), nil
}

// threadTime is the processor time of this thread in nanoseconds, to which the caller is
// locked.
func threadTime() float64 {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &usage) != nil {
		return 0
	}
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}
