package intake

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/sqlite"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

const childFolder = "FIELDPROF_TEST_COLLECTOR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childFolder); dir != "" {
		if err := child(dir, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child is a small collector: it accepts the chunks whose numbers it reads, and reports each.
func child(dir string, orders io.Reader, answers io.Writer) error {
	ctx := context.Background()
	s, err := openDatabase(ctx, dir)
	if err != nil {
		return err
	}
	defer s.Close()
	i, err := Open(Options{Dir: filepath.Join(dir, "spool"), Store: s, Every: 5 * time.Millisecond})
	if err != nil {
		return err
	}
	var mu sync.Mutex
	answer := func(text string, n int) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(answers, text, n)
	}
	answer("ready", 0)
	var all sync.WaitGroup
	for lines := bufio.NewScanner(orders); lines.Scan(); {
		var n int
		var at int64
		if _, err := fmt.Sscan(lines.Text(), &n, &at); err != nil {
			return err
		}
		all.Go(func() {
			if err := i.Accept(ctx, []*record.Chunk{marked(n, time.Unix(at, 0))}); err != nil {
				answer(err.Error(), n)
			} else {
				answer("ok", n)
			}
		})
	}
	all.Wait()
	return i.Close(ctx)
}

func openDatabase(ctx context.Context, dir string) (store.Store, error) {
	return sqlite.Open(ctx, filepath.Join(dir, "store.db"), store.DefaultRetention())
}

// marked is a chunk with a function that no other has.
func marked(n int, at time.Time) *record.Chunk {
	var b profile.Builder
	b.Add(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: fmt.Sprint("f", n)}), 1, 1))}, ticksIn(n))
	return &record.Chunk{ID: record.IDOf("marked", fmt.Sprint(n)), Series: record.Series{App: "shop", Rate: 1, Interval: 10 * time.Millisecond}, At: at, Profile: b.Profile()}
}

func ticksIn(n int) int64 { return int64(1 + n%5) }

// senders are the clients of a collector that is killed again and again.
type senders struct {
	t       *testing.T
	random  *rand.Rand
	dir     string
	at      time.Time // when all chunks began, in a minute that no retention has removed
	next    int
	waiting []int // to be sent again
	acked   map[int]bool
}

// live starts a collector, sends to it, and kills it when it has acknowledged so many chunks.
func (s *senders) live(kill int) {
	collector := exec.Command(must.Get(os.Executable())(s.t))
	collector.Env = append(os.Environ(), childFolder+"="+s.dir)
	collector.Stderr = os.Stderr
	orders, answers := must.Get(collector.StdinPipe())(s.t), must.Get(collector.StdoutPipe())(s.t)
	must.Do(s.t, collector.Start())
	flying := map[int]bool{}
	send := func() {
		n := s.next
		switch {
		case len(s.waiting) > 0 && s.random.IntN(2) == 0:
			n, s.waiting = s.waiting[0], s.waiting[1:]
		case s.next > 0 && s.random.IntN(10) == 0:
			n = s.random.IntN(s.next) // a duplicate
		default:
			s.next++
		}
		flying[n] = true
		fmt.Fprintln(orders, n, s.at.Unix()) // it may be dead already
	}
	acks := -1
	for lines := bufio.NewScanner(answers); acks < kill && lines.Scan(); {
		var n int
		text, _, _ := strings.Cut(lines.Text(), " ")
		fmt.Sscan(lines.Text()[len(text):], &n)
		acks++
		switch {
		case text == "ready":
			for range 8 {
				send()
			}
			continue
		case text != "ok":
			s.t.Fatal(lines.Text())
		}
		s.acked[n] = true
		delete(flying, n)
		for n := s.random.IntN(3); n > 0 || len(flying) == 0; n-- {
			send()
		}
	}
	time.Sleep(rand.N(3 * time.Millisecond)) // anything may be half done now
	must.Do(s.t, collector.Process.Kill())
	_ = collector.Wait()
	for n := range flying {
		if s.random.IntN(4) > 0 && !s.acked[n] {
			s.waiting = append(s.waiting, n)
		}
	}
}

// A collector that is killed a hundred times while clients send, also the same again: chunks
// that were acknowledged are in the store once, and others at most once.
func TestKills(t *testing.T) {
	now := time.Now()
	s := &senders{t: t, random: rand.New(rand.NewPCG(uint64(now.UnixNano()), 0)), dir: t.TempDir(), at: now.Add(-time.Hour).Truncate(time.Minute), acked: map[int]bool{}}
	for range 100 {
		s.live(s.random.IntN(60) - 1)
	}
	ctx := context.Background()
	db := must.Get(openDatabase(ctx, s.dir))(t)
	defer db.Close()
	last := must.Get(Open(Options{Dir: filepath.Join(s.dir, "spool"), Store: db}))(t)
	must.Do(t, last.Flush(ctx))
	if stats := last.Stats(); stats.Waiting > 0 || stats.Damaged > 0 {
		t.Errorf("%+v", stats)
	}
	must.Do(t, last.Close(ctx))
	s.compare(db)
}

func (s *senders) compare(db store.Store) {
	ctx, everything := context.Background(), store.Selection{App: "shop", From: s.at, To: s.at.Add(time.Minute)}
	ticks := must.Get(db.Ticks(ctx, everything, store.Grouping{}, 1<<20))(s.t)
	var hashes []store.Hash
	sums := map[store.Hash]int64{}
	for _, sum := range ticks.Sums {
		hashes = append(hashes, sum.Site)
		sums[sum.Site] += sum.Ticks
	}
	stored := map[string]int64{}
	for _, site := range must.Get(db.Sites(ctx, "shop", hashes))(s.t) {
		stored[site.Frames[0].Function.Name] = sums[site.Hash]
	}
	unsure := 0
	for n := range s.next {
		switch got := stored[fmt.Sprint("f", n)]; {
		case got == ticksIn(n) && !s.acked[n]:
			unsure++
		case got == 0 && !s.acked[n]:
		case got != ticksIn(n):
			s.t.Errorf("chunk %d (acknowledged: %v) has %d ticks of %d", n, s.acked[n], got, ticksIn(n))
		}
	}
	totals := must.Get(db.Totals(ctx, everything, store.Grouping{}))(s.t)
	if want := int64(len(s.acked) + unsure); len(totals) != 1 || totals[0].Chunks != want {
		s.t.Errorf("%d chunks are acknowledged and %d are not; totals are %+v", len(s.acked), unsure, totals)
	}
	s.t.Logf("%d sent, %d acknowledged, %d others stored", s.next, len(s.acked), unsure)
}
