package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
)

// The first start is the first one that succeeds: it makes the keys.
func TestKeysOfAStartThatFails(t *testing.T) {
	data := t.TempDir()
	keys := filepath.Join(data, config.KeysFile)
	open := func() (*Server, error) {
		return Open(t.Context(), &config.Config{Data: data}, Options{AddKeys: true, Store: memory.New()})
	}
	must.Do(t, os.WriteFile(filepath.Join(data, "spool"), nil, 0o600))
	if _, err := open(); err == nil || !strings.Contains(err.Error(), "spool") || must.Exists(keys) {
		t.Errorf("%v, and there are keys: %v", err, must.Exists(keys))
	}
	must.Do(t, os.Remove(filepath.Join(data, "spool")))
	for _, made := range []bool{true, false} {
		s := must.Get(open())(t)
		must.Equal(t, s.MadeKeys(), made)
		must.Do(t, s.Close())
	}
	must.Do(t, os.Remove(keys))
	must.Do(t, os.WriteFile(keys, []byte("apps: ["), 0o600))
	must.Refuse(open())(t, "the keys: ")
	must.Equal(t, string(must.Get(os.ReadFile(keys))(t)), "apps: [") // it is not the collector's to remove
}
