package ingest

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// caps bounds how many values the labels of an app have, and how many series an hour has. What
// is beyond is counted under record.Other.
type caps struct {
	mu     sync.Mutex
	values map[string]map[string]time.Time // when each value was last seen
	swept  map[string]time.Time            // when values of a label were last forgotten
	series map[uint64]struct{}
	hour   int64
}

// forgotten is for how long a value that is not seen keeps its place.
const forgotten = 24 * time.Hour

// routes have more values than other labels.
const perRoute = 5

// label replaces values beyond the limit, and reports how many.
func (c *caps) label(labels record.Labels, most int, now time.Time) (replaced int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, value := range labels {
		if !c.admit(name, value, most, now) {
			labels[name] = record.Other
			replaced++
		}
	}
	return replaced
}

func (c *caps) admit(name, value string, most int, now time.Time) bool {
	if c.values == nil {
		c.values, c.swept = map[string]map[string]time.Time{}, map[string]time.Time{}
	}
	known := c.values[name]
	if known == nil {
		known = map[string]time.Time{}
		c.values[name] = known
	}
	if _, ok := known[value]; ok || value == record.Other {
		known[value] = now
		return true
	}
	if name == record.Route {
		most *= perRoute
	}
	if len(known) >= most && now.Sub(c.swept[name]) >= time.Minute {
		c.swept[name] = now
		for value, seen := range known {
			if now.Sub(seen) > forgotten {
				delete(known, value)
			}
		}
	}
	if len(known) >= most {
		return false
	}
	known[value] = now
	return true
}

var seed = maphash.MakeSeed()

// keep reports whether a series may be kept in this hour. Once there are too many only the
// release and the route of a new one are told apart, and then not even they.
func (c *caps) keep(s *record.Series, most int, now time.Time) (kept, changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if hour := now.Unix() / 3600; hour != c.hour || c.series == nil {
		c.hour, c.series = hour, map[uint64]struct{}{}
	}
	for _, coarse := range [][]string{nil, {record.Release, record.Route}, {}} {
		if changed = coarse != nil; changed {
			s.Labels = coarser(s.Labels, coarse)
		}
		key := maphash.String(seed, s.Key())
		if _, ok := c.series[key]; ok {
			return true, changed
		}
		// Each step has room of its own, so that what is coarser still finds some.
		room := most
		if coarse != nil {
			room += most / 10
			if len(coarse) == 0 {
				room += most / 10
			}
		}
		if len(c.series) < room {
			c.series[key] = struct{}{}
			return true, changed
		}
	}
	return false, true
}

// coarser are labels of which only some keep their values.
func coarser(labels record.Labels, kept []string) record.Labels {
	less := record.Labels{}
	for name := range labels {
		less[name] = record.Other
	}
	for _, name := range kept {
		if value := labels[name]; value != "" {
			less[name] = value
		}
	}
	return less
}
