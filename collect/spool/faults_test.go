package spool

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// world is what a test knows of the records of a spool over all its lives.
type world struct {
	t       *testing.T
	random  *rand.Rand
	disk    *disk
	next    int
	acked   map[string]bool
	sent    map[string]bool
	batches map[[48]byte]string // records by batch
	read    map[string][48]byte // the batch that a record was in
}

// A machine that stops at any moment, with unsynchronized data in any state, and a disk that
// fails in any way meanwhile: acknowledged records are read, and each record is in one batch.
func TestFaults(t *testing.T) {
	rounds := uint64(300)
	if os.Getenv("FIELDPROF_FULL") != "" {
		rounds = 15_000
	}
	for seed := range rounds {
		random := rand.New(rand.NewPCG(seed, 11))
		w := &world{t: t, random: random, disk: newDisk(random), acked: map[string]bool{}, sent: map[string]bool{},
			batches: map[[48]byte]string{}, read: map[string][48]byte{}}
		for range 6 {
			w.live()
			w.disk = w.disk.restart()
		}
		w.finish()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func (w *world) open() (*Spool, error) {
	return Open(Options{Files: w.disk, Segment: 600, Bytes: 1 << 20})
}

// live is the time between two restarts.
func (w *world) live() {
	faulty := w.random.IntN(3) == 0
	w.disk.left = w.random.IntN(150)
	s, err := w.open()
	if err != nil {
		return // it was too short
	}
	defer s.Close()
	if faulty {
		w.disk.mu.Lock()
		w.disk.fault = func(string) error {
			if w.random.IntN(8) == 0 {
				return errNoSpace
			}
			return nil
		}
		w.disk.mu.Unlock()
	}
	for range w.random.IntN(40) {
		if w.disk.pick(3) == 0 {
			w.consume(s)
		} else {
			w.append(s)
		}
	}
}

// pick draws a number; the disk's faults draw from the same source at the same time.
func (d *disk) pick(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.random.IntN(n)
}

// append appends records from several goroutines.
func (w *world) append(s *Spool) {
	var all sync.WaitGroup
	var mu sync.Mutex
	for range 1 + w.disk.pick(4) {
		text := fmt.Sprintf("%d %s", w.next, strings.Repeat("y", w.disk.pick(700)))
		w.next++
		w.sent[text] = true
		all.Go(func() {
			if s.Append(context.Background(), []byte(text)) == nil {
				mu.Lock()
				w.acked[text] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
}

// consume reads a batch and consumes it, or not.
func (w *world) consume(s *Spool) (more bool) {
	b, err := s.Next(int64(w.disk.pick(2000)))
	if err != nil || b == nil {
		return false // not planned: another may come
	}
	w.see(b)
	return w.disk.pick(4) > 0 && s.Done(b) == nil
}

func (w *world) see(b *Batch) {
	var all strings.Builder
	for _, r := range b.Records {
		text := string(r)
		fmt.Fprintln(&all, text)
		if !w.sent[text] {
			w.t.Errorf("%q was never sent", text)
		}
		if other, again := w.read[text]; again && other != b.ID {
			w.t.Errorf("%.10q is in two batches", text)
		}
		w.read[text] = b.ID
	}
	if before, again := w.batches[b.ID]; again && before != all.String() {
		w.t.Errorf("a batch had %d bytes and has %d", len(before), all.Len())
	}
	w.batches[b.ID] = all.String()
}

// finish reads the rest and compares.
func (w *world) finish() {
	s := must.Get(w.open())(w.t)
	for {
		b := must.Get(s.Next(1000))(w.t)
		if b == nil {
			break
		}
		w.see(b)
		must.Do(w.t, s.Done(b))
	}
	must.Do(w.t, s.Close())
	for text := range w.acked {
		if _, read := w.read[text]; !read {
			w.t.Errorf("%.10q was acknowledged and is lost", text)
		}
	}
}

// A disk without room: the spool reports it, and goes on when there is room.
func TestNoRoom(t *testing.T) {
	d := newDisk(anything())
	s := must.Get(Open(Options{Files: d, Segment: 1000}))(t)
	ctx, isFull := context.Background(), false
	d.fault = func(op string) error {
		if isFull && (op == "write" || op == "create") {
			return errNoSpace
		}
		return nil
	}
	set := func(full bool) {
		d.mu.Lock()
		defer d.mu.Unlock()
		isFull = full
	}
	var want []string
	for n := range 60 {
		set(n/10%2 == 1)
		if ready := s.Ready() == nil; ready == isFull && n%20 != 10 { // else it does not know yet
			t.Errorf("record %d: it is ready: %t", n, ready)
		}
		err := s.Append(ctx, numbered(n))
		if isFull != errors.Is(err, ErrFull) {
			t.Fatalf("record %d: %v", n, err)
		}
		if err == nil {
			want = append(want, string(numbered(n)))
		}
	}
	set(false)
	must.Equal(t, texts(t, s, 500), want)
	if stats := s.Stats(); stats.Damaged > 0 || stats.Failures != 30 {
		t.Errorf("%+v", stats)
	}
	must.Do(t, s.Close())
}

// After a failed synchronization the content of a file is unknown: the next record is in another.
func TestFailedSync(t *testing.T) {
	d := newDisk(anything())
	s := must.Get(Open(Options{Files: d}))(t)
	ctx, fails := context.Background(), false
	d.fault = func(op string) error {
		if fails && op == "sync" {
			fails = false
			return errors.New("the disk is broken")
		}
		return nil
	}
	must.Do(t, s.Append(ctx, []byte("a")))
	fails = true
	if s.Append(ctx, []byte("b")) == nil {
		t.Fatal("the failure is not told")
	}
	must.Do(t, s.Append(ctx, []byte("c")))
	if n := s.Stats().Segments; n != 2 {
		t.Errorf("%d segments", n)
	}
	must.Do(t, s.Close())
	s = must.Get(Open(Options{Files: d}))(t)
	must.Equal(t, texts(t, s, 500), []string{"a", "c"})
	must.Do(t, s.Close())
}
