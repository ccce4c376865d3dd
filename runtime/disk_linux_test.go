package runtime_test

import (
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Continuous profiles on a disk that is really full.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("SKIPPED: no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { must.Do(t, syscall.Unmount(disk, 0)) })
	runNode(t, bundle(t, "testdata/node/disk.ts"), disk)
}
