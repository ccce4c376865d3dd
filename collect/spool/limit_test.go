//go:build linux || darwin

package spool

import (
	"context"
	"errors"
	"os/signal"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Real files that cannot grow, as on a disk that is full.
func TestRealFilesWithoutRoom(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var before syscall.Rlimit
	must.Do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	defer func() { must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) }()
	s := must.Get(Open(Options{Dir: t.TempDir()}))(t)
	limited := before
	limited.Cur = 20_000
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited))
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
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
	must.Do(t, s.Append(context.Background(), []byte("after")))
	must.Equal(t, texts(t, s, 4000), append(want, "after"))
	if stats := s.Stats(); stats.Damaged > 0 {
		t.Errorf("%+v", stats)
	}
	must.Do(t, s.Close())
}
