package filelock

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A file is locked until it is closed.
func TestTry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File { return must.Get(os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600))(t) }
	first, second := open(), open()
	defer second.Close()
	must.Equal(t, []bool{Try(first), Try(second)}, []bool{true, false})
	must.Do(t, first.Close())
	must.Equal(t, Try(second), true)
}
