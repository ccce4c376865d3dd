//go:build linux || darwin

package intake

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A file for which there is no room has no part of a record, and goes on when there is.
func TestAsideWithoutRoom(t *testing.T) {
	a := &aside{path: filepath.Join(t.TempDir(), "refused.jsonl")}
	odd := errors.New("odd")
	must.Do(t, a.write([]byte("first"), odd))
	release := must.NoRoom(t, 150)
	err := a.write(bytes.Repeat([]byte("second"), 100), odd)
	release()
	if !errors.Is(err, syscall.EFBIG) {
		t.Fatal(err)
	}
	must.Do(t, a.write([]byte("third"), odd))
	var got []string
	for line := range bytes.Lines(must.Get(os.ReadFile(a.path))(t)) {
		var r refusedRecord
		must.Do(t, json.Unmarshal(line, &r))
		got = append(got, string(r.Data))
	}
	must.Equal(t, got, []string{"first", "third"})
}
