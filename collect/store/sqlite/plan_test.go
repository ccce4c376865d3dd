package sqlite

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestPlan checks that a plan covers each minute of a selection once, and no other unless it must.
func TestPlan(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 18))
	for range 2000 {
		day := int64(random.IntN(40) - 20)
		var l levels
		l[days].rolled = day + int64(random.IntN(8))
		l[hours].rolled = l[days].rolled*24 + int64(random.IntN(60))
		l[days].kept = l[days].rolled - int64(random.IntN(10))
		l[hours].kept = l[days].rolled - int64(random.IntN(5))
		l[minutes].kept = min(l[hours].rolled, l[hours].kept*24+int64(random.IntN(70)))
		from := day*1440 + random.Int64N(8000) - 2000
		to := from + random.Int64N(8000)
		step := []time.Duration{0, time.Minute, time.Hour, 24 * time.Hour}[random.IntN(4)]
		spans := plan(&l, from, to, step)
		next, covered := int64(-1<<60), int64(0)
		for _, s := range spans {
			if s.from < next || s.from >= s.to || s.from%length[s.grain] != 0 || s.to%length[s.grain] != 0 {
				t.Fatalf("%+v of %d to %d with %+v: out of order or uneven", spans, from, to, l)
			}
			next = s.to
			for at := s.from; at < s.to; at += length[s.grain] {
				covered += min(at+length[s.grain], to) - max(at, from)
				if fault := faultOf(&l, s.grain, at, from, to, step); fault != "" {
					t.Fatalf("%+v of %d to %d by %v with %+v: %d %s", spans, from, to, step, l, at, fault)
				}
			}
		}
		if want := to - max(from, l[days].kept*1440); covered != max(0, want) {
			t.Fatalf("%+v of %d to %d with %+v: %d minutes, want %d", spans, from, to, l, covered, want)
		}
	}
}

// faultOf says why a cell may not answer a question.
func faultOf(l *levels, grain int, at, from, to int64, step time.Duration) string {
	if floor(at, periodLength[grain]) < l[grain].kept {
		return "is not kept"
	}
	if grain == minutes {
		return ""
	}
	finer := grain - 1
	if floor(at, periodLength[finer]) >= l[grain].rolled {
		return "is not complete"
	}
	if floor(at, periodLength[finer]) >= l[finer].kept {
		switch {
		case at < from || at+length[grain] > to:
			return "is too much"
		case step > 0 && time.Duration(length[grain])*time.Minute > step:
			return "is too coarse"
		}
	}
	return ""
}
