package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
)

// childVariable makes this binary the child process of TestKill.
const childVariable = "FIELDPROF_TEST_STORE"

func TestMain(m *testing.M) {
	path := os.Getenv(childVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	if err := child(context.Background(), path); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// killChunks is batch n: in some hours of some days, all of which are soon rolled up.
func killChunks(shop *shop, n int) (chunks []*record.Chunk) {
	shop.Rand = rand.New(rand.NewPCG(uint64(n), 1))
	for i := range 40 {
		c := shop.chunk(n*40+i, time.Unix(0, 0).Add(time.Duration(shop.IntN(60*60))*time.Minute))
		for name := range c.Labels {
			if name != record.Route && name != record.Browser {
				delete(c.Labels, name)
			}
		}
		chunks = append(chunks, c)
	}
	return chunks
}

// child reads numbers of batches, writes these, and says when it has. After each it maintains the
// store, at a time at which there is more to be rolled up and removed.
func child(ctx context.Context, path string) error {
	s, err := openStore(ctx, path)
	if err != nil {
		return err
	}
	shop := newShop(10)
	for {
		var n int
		if _, err := fmt.Scan(&n); err != nil {
			return err
		}
		if _, err := s.Write(ctx, record.ID{}, killChunks(shop, n)); err != nil {
			return err
		}
		fmt.Println("written", n)
		if err := s.Maintain(ctx, time.Unix(0, 0).Add(time.Duration(n*5)*time.Hour)); err != nil {
			return err
		}
	}
}

// TestKill kills a process that writes, rolls up and removes, wherever it is, and writes what it has not
// acknowledged again. FIELDPROF_FULL=1 does so often.
func TestKill(t *testing.T) {
	kills := 8
	if testing.Short() {
		kills = 2 // the race detector slows the child, and does not see what a kill does
	}
	if os.Getenv("FIELDPROF_FULL") != "" {
		kills = 100
	}
	path := filepath.Join(t.TempDir(), "store.db")
	next := 0
	for kill := range kills {
		next = killOnce(t, path, next, 1+kill%4, time.Duration(kill%8)*3*time.Millisecond)
	}
	s, model, shop := open(t, path), memory.New(), newShop(10)
	if _, err := s.Write(t.Context(), record.ID{}, killChunks(shop, next)); err != nil { // which may be there already
		t.Fatal(err)
	}
	for n := range next + 1 {
		if _, err := model.Write(t.Context(), record.ID{}, killChunks(shop, n)); err != nil {
			t.Fatal(err)
		}
	}
	for _, now := range []time.Duration{0, 200 * time.Hour, 50 * 24 * time.Hour} {
		if err := s.Maintain(t.Context(), time.Unix(0, 0).Add(now)); err != nil {
			t.Fatal(err)
		}
		for _, by := range []store.Grouping{{By: []string{record.Route}, Step: 24 * time.Hour}, {By: []string{record.Browser}}, {By: []string{record.Browser, record.Route}}} {
			got, want := answerTexts(t, s, by), answerTexts(t, model, by)
			for group, text := range want {
				if got[group] != text {
					t.Fatalf("after %d kills and maintenance at %v, by %v: %s is\n%v, want\n%v", kills, now, by.By, group, got[group], text)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("after %d kills and maintenance at %v, by %v: there are %d sums, want %d", kills, now, by.By, len(got), len(want))
			}
		}
	}
}

// killOnce has a child write from batch next on, and kills it some time after some
// acknowledgements. It returns the first batch that was not acknowledged.
func killOnce(t *testing.T, path string, next, batches int, later time.Duration) int {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), childVariable+"="+path)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for range batches {
		if _, err := fmt.Fprintln(in, next); err != nil {
			t.Error(err)
		}
		if line, err := lines.ReadString('\n'); err != nil || line != fmt.Sprintln("written", next) {
			t.Errorf("the child says %q, %v", line, err)
		}
		next++
	}
	_, _ = fmt.Fprintln(in, next)
	time.Sleep(later) // to kill it elsewhere each time; no result depends on it
	_ = command.Process.Kill()
	if rest, _ := io.ReadAll(lines); string(rest) == fmt.Sprintln("written", next) {
		next++
	} else if len(rest) > 0 {
		t.Errorf("the child says %q", rest)
	}
	_ = command.Wait()
	return next
}

// answerTexts are totals and ticks by group.
func answerTexts(t *testing.T, s store.Store, by store.Grouping) map[string]string {
	t.Helper()
	all := store.Selection{App: "shop", From: time.Unix(0, 0), To: time.Unix(0, 0).Add(30 * 24 * time.Hour)}
	texts := map[string]string{}
	totals, err := s.Totals(t.Context(), all, by)
	if err != nil {
		t.Fatal(err)
	}
	for _, total := range totals {
		key := fmt.Sprint(total.Group.Values, total.Group.At.Unix(), total.Group.Rate, total.Group.Interval)
		total.Group = store.Group{}
		texts[key] = fmt.Sprintf("%+v", total)
	}
	ticks, err := s.Ticks(t.Context(), all, by, 1e9)
	if err != nil {
		t.Fatal(err)
	}
	sites := map[int]int64{}
	for _, sum := range ticks.Sums {
		sites[sum.Group] += sum.Ticks * int64(sum.Site>>32)
	}
	for i, g := range ticks.Groups {
		texts[fmt.Sprint("ticks", g.Values, g.At.Unix(), g.Rate, g.Interval)] = fmt.Sprint(sites[i])
	}
	return texts
}
