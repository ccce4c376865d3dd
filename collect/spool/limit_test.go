//go:build linux || darwin

package spool

import (
	"context"
	"errors"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Real files that cannot grow, as on a disk that is full.
func TestRealFilesWithoutRoom(t *testing.T) {
	s := must.Get(Open(Options{Dir: t.TempDir()}))(t)
	release := must.NoRoom(t, 20_000)
	var want []string
	var err error
	for n := 0; err == nil; n++ {
		if err = s.Append(context.Background(), numbered(n)); err == nil {
			want = append(want, string(numbered(n)))
		}
	}
	if !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	release()
	must.Do(t, s.Append(context.Background(), []byte("after")))
	must.Equal(t, texts(t, s, 4000), append(want, "after"))
	if stats := s.Stats(); stats.Damaged > 0 {
		t.Errorf("%+v", stats)
	}
	must.Do(t, s.Close())
}
