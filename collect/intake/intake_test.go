package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// chunk is one with some ticks.
func chunk(n int) *record.Chunk {
	var b profile.Builder
	f := b.Function(profile.Function{Name: fmt.Sprint("f", n%7), File: "https://shop.example/app.js", Line: 1, Column: int32(n % 7)})
	b.Add(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 2, 3))}, int64(1+n%5))
	return &record.Chunk{ID: record.IDOf("chunk", fmt.Sprint(n)), Series: record.Series{App: "shop", Rate: 1, Interval: 10 * time.Millisecond},
		Source: "trace", At: start, Profile: b.Profile()}
}

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// ticksOf are the ticks in a store.
func ticksOf(t *testing.T, s store.Store) (chunks, ticks int64) {
	t.Helper()
	for _, total := range must.Get(s.Totals(context.Background(), store.Selection{App: "shop", From: start, To: start.Add(time.Minute)}, store.Grouping{}))(t) {
		chunks, ticks = chunks+total.Chunks, ticks+total.Ticks
	}
	return chunks, ticks
}

// moody is a store that can be told to fail.
type moody struct {
	*memory.Store
	mu    sync.Mutex
	fails func(batch record.ID, chunks []*record.Chunk) error
	seen  map[record.ID]string // chunks by batch
	t     *testing.T
}

func newMoody(t *testing.T) *moody {
	return &moody{Store: memory.New(), seen: map[record.ID]string{}, t: t}
}

func (m *moody) set(fails func(record.ID, []*record.Chunk) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fails = fails
}

func (m *moody) Write(ctx context.Context, batch record.ID, chunks []*record.Chunk) (store.Written, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids strings.Builder
	for _, c := range chunks {
		ids.WriteString(c.ID.String())
	}
	if before, again := m.seen[batch]; again && before != ids.String() {
		m.t.Error("a batch was retried with other chunks")
	}
	m.seen[batch] = ids.String()
	if m.fails != nil {
		if err := m.fails(batch, chunks); err != nil {
			return store.Written{}, err
		}
	}
	return m.Store.Write(ctx, batch, chunks)
}

func options(t *testing.T, s store.Store) Options {
	return Options{Dir: t.TempDir(), Store: s, Every: time.Hour, Metrics: prometheus.NewRegistry(), retry: func(int, error) time.Duration { return time.Millisecond }}
}

func TestWhatIsAcceptedIsStoredOnce(t *testing.T) {
	ctx, s := context.Background(), newMoody(t)
	o := options(t, s)
	var accepted int
	o.Accepted = func(chunks []*record.Chunk) { accepted += len(chunks) }
	i := must.Get(Open(o))(t)
	for n := range 10 {
		must.Do(t, i.Accept(ctx, []*record.Chunk{chunk(n), chunk(n), chunk(n + 1)})) // retries
	}
	must.Do(t, i.Flush(ctx))
	chunks, ticks := ticksOf(t, s)
	if chunks != 11 || ticks != 1+2+3+4+5+1+2+3+4+5+1 {
		t.Errorf("%d chunks, %d ticks", chunks, ticks)
	}
	if accepted != 30 {
		t.Errorf("%d accepted", accepted)
	}
	must.Do(t, i.Close(ctx))
	if err := i.Accept(ctx, []*record.Chunk{chunk(1)}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	must.Do(t, i.Close(ctx))
}

func TestWhatTheStoreDidNotTakeIsTakenAfterARestart(t *testing.T) {
	ctx, s := context.Background(), newMoody(t)
	o := options(t, s)
	o.retry = func(int, error) time.Duration { return time.Hour }
	failing := make(chan struct{}, 1)
	s.set(func(record.ID, []*record.Chunk) error {
		failing <- struct{}{}
		return errors.New("not now")
	})
	i := must.Get(Open(o))(t)
	must.Do(t, i.Accept(ctx, []*record.Chunk{chunk(1), chunk(2)}))
	closing, cancel := context.WithCancel(ctx)
	go func() {
		<-failing
		cancel()
	}()
	if err := i.Close(closing); !errors.Is(err, context.Canceled) {
		t.Fatalf("Close says %v", err)
	}
	if chunks, _ := ticksOf(t, s); chunks != 0 {
		t.Fatalf("%d chunks", chunks)
	}
	s.set(nil)
	o.Metrics = prometheus.NewRegistry()
	i = must.Get(Open(o))(t)
	must.Do(t, i.Flush(ctx))
	must.Do(t, i.Close(ctx))
	if chunks, ticks := ticksOf(t, s); chunks != 2 || ticks != 5 {
		t.Errorf("%d chunks, %d ticks", chunks, ticks)
	}
}

func TestAnOutageFillsTheSpoolAndPasses(t *testing.T) {
	ctx, s := context.Background(), newMoody(t)
	o := options(t, s)
	o.Bytes = 20_000
	s.set(func(record.ID, []*record.Chunk) error { return errors.New("not now") })
	i := must.Get(Open(o))(t)
	sent := 0
	for ; ; sent++ {
		if err := i.Accept(ctx, []*record.Chunk{chunk(sent)}); errors.Is(err, ErrFull) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if sent > 1000 {
			t.Fatal("the spool has no bound")
		}
	}
	s.set(nil)
	must.Do(t, i.Flush(ctx))
	must.Do(t, i.Accept(ctx, []*record.Chunk{chunk(sent)}))
	must.Do(t, i.Close(ctx))
	if chunks, _ := ticksOf(t, s); chunks != int64(sent)+1 {
		t.Errorf("%d chunks of %d", chunks, sent+1)
	}
}

func TestAPoisonedChunkIsSetAside(t *testing.T) {
	ctx, s := context.Background(), newMoody(t)
	poison := chunk(5).ID
	s.set(func(_ record.ID, chunks []*record.Chunk) error {
		for _, c := range chunks {
			if c.ID == poison {
				return fmt.Errorf("too odd: %w", store.ErrRefused)
			}
		}
		return nil
	})
	o := options(t, s)
	i := must.Get(Open(o))(t)
	for n := range 20 {
		must.Do(t, i.Accept(ctx, []*record.Chunk{chunk(n)}))
	}
	must.Do(t, i.spool.Append(ctx, []byte("no chunk")))
	must.Do(t, i.Accept(ctx, []*record.Chunk{chunk(20)}))
	must.Do(t, i.Flush(ctx))
	must.Do(t, i.Close(ctx))
	if chunks, _ := ticksOf(t, s); chunks != 20 {
		t.Errorf("%d chunks", chunks)
	}
	lines := strings.Split(strings.TrimSpace(string(must.Get(os.ReadFile(i.aside.path))(t))), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], "too odd") {
		t.Errorf("set aside: %q", lines)
	}
}

func TestInvalidChunksAreNotAccepted(t *testing.T) {
	i := must.Get(Open(options(t, memory.New())))(t)
	c := chunk(1)
	c.Profile.Samples.Stack[0] = 99
	if err := i.Accept(context.Background(), []*record.Chunk{c}); err == nil {
		t.Error("it is accepted")
	}
	must.Do(t, i.Close(context.Background()))
}

func TestOneProcessPerFolder(t *testing.T) {
	o := options(t, memory.New())
	i := must.Get(Open(o))(t)
	if _, err := Open(o); err == nil {
		t.Error("a second one is admitted")
	}
	must.Do(t, i.Close(context.Background()))
}
