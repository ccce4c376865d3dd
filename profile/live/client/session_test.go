package client

import (
	"os"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/livetest"
	"github.com/fieldprof/fieldprof/profile/live"
)

// The session that docs/live.md shows is what the client and a server say, byte for byte.
func TestSession(t *testing.T) {
	server := livetest.New(t)
	orders := make(chan string)
	c := Dial(Options{
		URL: server.URL,
		Hello: live.Hello{ID: "9f86d081884c7d65", What: "page", Name: "Shop", URL: "http://localhost:8080/",
			Engine: "Mozilla/5.0", Clocks: []string{"shared", "poll"}, Origin: 1795000000000},
		Start: func(live.Start) { orders <- "start" },
		Stop:  func() { orders <- "stop" },
		Lost:  func(err error) { t.Error(err) },
	})
	expect := func(order string) {
		t.Helper()
		if got := <-orders; got != order {
			t.Fatalf("the order is %s, not %s", got, order)
		}
	}
	acknowledged := func(n int64) {
		server.Await("a batch", func(s *livetest.Source) bool { return s.Acked == n })
	}
	expect("stop") // it is not to record yet
	server.Change(func(s *livetest.Server) {
		s.Wants = live.Start{Type: live.TypeStart, Profile: 1, Interval: 10, Clock: "poll"}
	})
	expect("start")
	c.Send(&live.Batch{Profile: 1, Began: &live.Began{Time: 1795000002500, Interval: 10, Clock: "poll"},
		Records: []live.Record{{ID: 2, Name: "work", File: "http://localhost:8080/app.js"}, {ID: 3, Name: "each", File: "http://localhost:8080/app.js"}, {ID: 4, Name: "sort"}},
		Stacks:  []int32{-1, 2, 2, 14, 0, 3, 9, 5, 1, 4, 0, 0},
		Samples: live.Samples{Delta: []int64{10020, 9985, 20110}, Stack: []int32{0, 1, -1}, Weight: []int32{1, 1, 2}, Kind: []int8{1, 0, 3}, Skid: []int64{20, 5, 0}},
		Account: live.Account{Raised: 4, Taken: 2, Idle: 2}})
	acknowledged(1)
	c.Send(&live.Batch{Profile: 1, Stacks: []int32{0, 2, 3, 7},
		Samples: live.Samples{Delta: []int64{250090}, Stack: []int32{3}, Weight: []int32{1}, Kind: []int8{2}, Skid: []int64{90}},
		Marks:   []live.Mark{{Time: 240000, Duration: 112000, What: "interaction", Name: "click"}},
		Account: live.Account{Raised: 25, Taken: 3, Idle: 22}, Dropped: live.Dropped{Batches: 1, Ticks: 20}})
	acknowledged(2)
	server.Change(func(s *livetest.Server) { s.Stopped = true })
	expect("stop")
	c.Send(&live.Batch{Profile: 1, Ended: true, Account: live.Account{Raised: 25, Taken: 3, Idle: 22}})
	acknowledged(3)
	c.Close(t.Context())

	var said []string
	server.Change(func(s *livetest.Server) { said = s.Sources[0].Conversation() })
	text, err := os.ReadFile("../../../docs/live.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for line := range strings.Lines(string(text)) {
		if line := strings.TrimSpace(line); strings.HasPrefix(line, "< {") || strings.HasPrefix(line, "> {") {
			documented = append(documented, line)
		}
	}
	if strings.Join(said, "\n") != strings.Join(documented, "\n") {
		t.Errorf("they say\n%s\nand docs/live.md\n%s", strings.Join(said, "\n"), strings.Join(documented, "\n"))
	}
}
