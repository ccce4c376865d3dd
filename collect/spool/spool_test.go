package spool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

func anything() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// texts reads and consumes all that waits, in batches of so many bytes.
func texts(t *testing.T, s *Spool, bytes int64) (found []string) {
	t.Helper()
	for {
		b := must.Get(s.Next(bytes))(t)
		if b == nil {
			return found
		}
		for _, r := range b.Records {
			found = append(found, string(r))
		}
		must.Do(t, s.Done(b))
	}
}

func numbered(n int) []byte { return []byte(fmt.Sprintf("record %d %s", n, strings.Repeat("x", n%50))) }

func TestRecordsComeInOrder(t *testing.T) {
	ctx := context.Background()
	o := Options{Dir: t.TempDir(), Segment: 500}
	s := must.Get(Open(o))(t)
	var want []string
	for n := range 100 {
		must.Do(t, s.Append(ctx, numbered(2*n), numbered(2*n+1)))
		want = append(want, string(numbered(2*n)), string(numbered(2*n+1)))
	}
	if stats := s.Stats(); stats.Waiting < 5000 || stats.Segments < 10 || stats.Oldest.IsZero() {
		t.Errorf("%+v", stats)
	}
	must.Do(t, s.Close())
	s = must.Get(Open(o))(t)
	if s.Stats().Oldest.IsZero() {
		t.Error("the age is forgotten")
	}
	must.Equal(t, texts(t, s, 300), want)
	if stats := s.Stats(); stats.Waiting != 0 || stats.Segments != 0 || !stats.Oldest.IsZero() || stats.Damaged != 0 {
		t.Errorf("%+v", stats)
	}
	must.Do(t, s.Close())
	s = must.Get(Open(o))(t) // an empty folder does not begin again with the numbers of segments
	must.Do(t, s.Append(ctx, []byte("after")))
	must.Equal(t, texts(t, s, 300), []string{"after"})
	must.Do(t, s.Close())
}

func TestABatchStaysTheSame(t *testing.T) {
	ctx := context.Background()
	o := Options{Dir: t.TempDir(), Segment: 200}
	s := must.Get(Open(o))(t)
	for n := range 20 {
		must.Do(t, s.Append(ctx, numbered(n)))
	}
	first := must.Get(s.Next(400))(t)
	must.Do(t, s.Append(ctx, numbered(20)))
	second := must.Get(s.Next(1 << 20))(t)
	must.Do(t, s.Close())
	s = must.Get(Open(o))(t)
	third := must.Get(s.Next(1))(t)
	for _, b := range []*Batch{second, third} {
		if b.ID != first.ID || !slices.EqualFunc(b.Records, first.Records, bytes.Equal) {
			t.Errorf("it was %q and is %q", first.Records, b.Records)
		}
	}
	must.Do(t, s.Done(third))
	if next := must.Get(s.Next(1))(t); next.ID == first.ID || len(next.Records) != 1 {
		t.Errorf("then comes %q", next.Records)
	}
	must.Do(t, s.Close())
}

func TestBounds(t *testing.T) {
	ctx := context.Background()
	s := must.Get(Open(Options{Dir: t.TempDir(), Bytes: 10_000}))(t)
	var err error
	n := 0
	for ; err == nil; n++ {
		err = s.Append(ctx, make([]byte, 980))
	}
	if !errors.Is(err, ErrFull) || n != 11 {
		t.Errorf("after %d: %v", n, err)
	}
	must.Do(t, s.Done(must.Get(s.Next(1))(t)))
	must.Do(t, s.Append(ctx, make([]byte, 980)))
	if err := s.Append(ctx, make([]byte, MaxRecord+1)); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
	must.Do(t, s.Close())
	if err := s.Append(ctx, nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestOneProcess(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	s := must.Get(Open(o))(t)
	if _, err := Open(o); !errors.Is(err, ErrLocked) {
		t.Errorf("a second one: %v", err)
	}
	must.Do(t, s.Close())
	must.Do(t, must.Get(Open(o))(t).Close())
}

// While one group is synchronized, all others gather: 50 requests take two more.
func TestRequestsShareAGroup(t *testing.T) {
	d := newDisk(anything())
	s := must.Get(Open(Options{Files: d}))(t)
	syncs, entered, release := 0, make(chan struct{}), make(chan struct{})
	d.fault = func(op string) error {
		if op != "sync" {
			return nil
		}
		if syncs++; syncs == 1 {
			d.mu.Unlock()
			close(entered)
			<-release
			d.mu.Lock()
		}
		return nil
	}
	var all sync.WaitGroup
	send := func(n int) { all.Go(func() { must.Do(t, s.Append(context.Background(), numbered(n))) }) }
	send(0)
	<-entered
	for n := range 50 {
		send(n)
	}
	for waiting := 0; waiting < 50; {
		s.mu.Lock()
		waiting = len(s.requests)
		s.mu.Unlock()
		runtime.Gosched()
	}
	close(release)
	all.Wait()
	must.Do(t, s.Close())
	must.Equal(t, syncs, 2)
}

// Wherever the machine stops in a segment, the whole records are read and nothing else.
func TestTornAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	s := must.Get(Open(Options{Dir: dir}))(t)
	var ends []int64
	for n := range 6 {
		must.Do(t, s.Append(context.Background(), numbered(n)))
		ends = append(ends, s.End().Offset)
	}
	must.Do(t, s.Close())
	name := must.Get(filepath.Glob(filepath.Join(dir, "*.segment")))(t)[0]
	whole := must.Get(os.ReadFile(name))(t)
	for cut := range len(whole) + 1 {
		must.Do(t, os.WriteFile(name, whole[:cut], 0o600))
		s := must.Get(Open(Options{Dir: dir}))(t)
		b := must.Get(s.Next(1 << 20))(t)
		want := 0
		for want < len(ends) && ends[want] <= int64(cut) {
			want++
		}
		if b == nil && want > 0 || b != nil && (len(b.Records) != want || b.Damaged != 0) {
			t.Fatalf("cut at %d: %+v, want %d records", cut, b, want)
		}
		must.Do(t, s.Close())
		must.Do(t, os.Remove(filepath.Join(dir, positionName))) // with the plan
	}
}

// Whichever byte is damaged, the other records are read.
func TestDamageAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	s := must.Get(Open(Options{Dir: dir}))(t)
	for n := range 5 {
		must.Do(t, s.Append(context.Background(), numbered(n)))
	}
	must.Do(t, s.Close())
	name := must.Get(filepath.Glob(filepath.Join(dir, "*.segment")))(t)[0]
	whole := must.Get(os.ReadFile(name))(t)
	for i := headerSize; i < len(whole); i++ {
		damaged := slices.Clone(whole)
		damaged[i] ^= 0x40
		must.Do(t, os.WriteFile(name, damaged, 0o600))
		s := must.Get(Open(Options{Dir: dir}))(t)
		b := must.Get(s.Next(1 << 20))(t)
		if len(b.Records) != 4 {
			t.Fatalf("byte %d: %q", i, b.Records)
		}
		must.Do(t, s.Done(b))
		if isLast := string(b.Records[3]) == string(numbered(3)); s.Stats().Damaged == 0 && !isLast {
			t.Errorf("byte %d: no damage is counted", i)
		}
		must.Do(t, s.Close())
		must.Do(t, os.Remove(filepath.Join(dir, positionName)))
	}
}

// A sender knows no salt, so that bytes of a record do not pass for another.
func TestARecordWithinARecord(t *testing.T) {
	dir := t.TempDir()
	s := must.Get(Open(Options{Dir: dir}))(t)
	forged := (&segment{salt: 7}).appendRecord(nil, []byte("forged"), time.Now())
	must.Do(t, s.Append(context.Background(), append([]byte("outer"), forged...)))
	must.Do(t, s.Append(context.Background(), []byte("next")))
	must.Do(t, s.Close())
	name := must.Get(filepath.Glob(filepath.Join(dir, "*.segment")))(t)[0]
	damaged := must.Get(os.ReadFile(name))(t)
	damaged[headerSize+recordHead] ^= 1
	must.Do(t, os.WriteFile(name, damaged, 0o600))
	s = must.Get(Open(Options{Dir: dir}))(t)
	must.Equal(t, texts(t, s, 1<<20), []string{"next"})
	must.Do(t, s.Close())
}

func FuzzRestore(f *testing.F) {
	dir := f.TempDir()
	s, err := Open(Options{Dir: dir})
	if err != nil {
		f.Fatal(err)
	}
	for n := range 4 {
		if err := s.Append(context.Background(), numbered(n)); err != nil {
			f.Fatal(err)
		}
	}
	_ = s.Close()
	names, _ := filepath.Glob(filepath.Join(dir, "*.segment"))
	whole, _ := os.ReadFile(names[0])
	position, _ := os.ReadFile(filepath.Join(dir, positionName))
	f.Add(whole, position)
	f.Fuzz(func(t *testing.T, segment, position []byte) {
		d := newDisk(anything())
		d.names[filepath.Base(names[0])] = &inode{data: segment, durable: segment}
		d.names[positionName] = &inode{data: position, durable: position}
		s, err := Open(Options{Files: d})
		if err != nil {
			t.Fatal(err)
		}
		must.Do(t, s.Append(context.Background(), []byte("after")))
		if all := texts(t, s, 100); len(all) == 0 || all[len(all)-1] != "after" {
			t.Errorf("%q", all)
		}
		must.Do(t, s.Close())
	})
}
