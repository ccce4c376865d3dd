package clickhouse

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

var day1 = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func TestPieces(t *testing.T) {
	at := func(days, hours, minutes int) time.Time {
		return day1.AddDate(0, 0, days).Add(time.Duration(60*hours+minutes) * time.Minute)
	}
	rolled := kept{minutes: at(10, 0, 0), hours: at(5, 0, 0), days: at(0, 0, 0)}
	for _, test := range []struct {
		from, to time.Time
		step     time.Duration
		kept     kept
		want     string
	}{
		{at(0, 0, 0), at(2, 0, 0), 0, kept{}, "day 01 00:00-03 00:00"},
		{at(0, 0, 0), at(2, 0, 0), time.Hour, kept{}, "hour 01 00:00-03 00:00"},
		{at(0, 0, 0), at(0, 2, 0), time.Minute, kept{}, "minute 01 00:00-01 02:00"},
		{at(0, 22, 30), at(2, 1, 1), 0, kept{}, "day 02 00:00-03 00:00, hour 01 23:00-02 00:00, minute 01 22:30-01 23:00, hour 03 00:00-03 01:00, minute 03 01:00-03 01:01"},
		{at(0, 1, 5), at(0, 1, 5).Add(time.Second), 0, kept{}, "minute 01 01:05-01 01:06"},
		{at(7, 1, 5), at(7, 1, 6), 0, rolled, "hour 08 01:00-08 02:00"},
		{at(3, 1, 5), at(3, 1, 6), 0, rolled, "day 04 00:00-05 00:00"},
		{at(4, 12, 0), at(10, 0, 30), 0, rolled, "day 05 00:00-06 00:00, day 06 00:00-11 00:00, minute 11 00:00-11 00:30"},
		{at(-5, 0, 0), at(0, 0, 0), 0, rolled, ""},
		{at(1, 0, 0), at(0, 0, 0), 0, kept{}, ""},
	} {
		s := &selection{Selection: store.Selection{From: test.from, To: test.to}, by: store.Grouping{Step: test.step}, kept: test.kept}
		var got []string
		for _, p := range s.pieces() {
			name := map[time.Duration]string{time.Minute: "minute", time.Hour: "hour", 24 * time.Hour: "day"}[p.step]
			got = append(got, fmt.Sprintf("%s %s-%s", name, p.from.Format("02 15:04"), p.to.Format("02 15:04")))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%v to %v in steps of %v: %s\nwant %s", test.from, test.to, test.step, text, test.want)
		}
	}
}

// TestPiecesCover has each minute of random selections in one piece, in steps that are whole.
func TestPiecesCover(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 18))
	for range 300 {
		from := day1.Add(time.Duration(random.IntN(4*24*60)) * time.Minute)
		to := from.Add(time.Duration(random.IntN(3*24*60)) * time.Minute)
		step := []time.Duration{0, time.Minute, 90 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}[random.IntN(6)]
		s := &selection{Selection: store.Selection{From: from, To: to}, by: store.Grouping{Step: step}}
		covered := map[time.Time]int{}
		for _, p := range s.pieces() {
			if step%p.step != 0 || p.from.Truncate(p.step) != p.from || p.to.Truncate(p.step) != p.to {
				t.Errorf("in steps of %v there is %+v", step, p)
			}
			for at := p.from; at.Before(p.to); at = at.Add(time.Minute) {
				covered[at]++
			}
		}
		for at := from; at.Before(to); at = at.Add(time.Minute) {
			if covered[at] != 1 {
				t.Fatalf("%v is in %d pieces of %v to %v in steps of %v", at, covered[at], from, to, step)
			}
			delete(covered, at)
		}
		if len(covered) > 0 {
			t.Fatalf("pieces of %v to %v cover more: %v", from, to, covered)
		}
	}
}
