package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/sqlite"
	"github.com/fieldprof/fieldprof/collect/store/storetest"
)

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := openStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

func openStore(ctx context.Context, path string) (*sqlite.Store, error) {
	return sqlite.Open(ctx, path, store.DefaultRetention())
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, filepath.Join(t.TempDir(), "it's a %20 store?.db")) })
}
