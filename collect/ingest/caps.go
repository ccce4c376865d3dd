package ingest

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// caps bounds how many values the labels of an app have, and how many series an hour has. Those
// beyond are counted under record.Other.
type caps struct {
	mu     sync.Mutex
	values map[string]map[string]seen // by label and value
	swept  map[string]time.Time       // when values of a label were last forgotten
	names  []string                   // of all labels
	series [2]map[uint64]struct{}     // those of this hour as they are, and by release and route
	hour   int64
}

// seen is when a value was seen first and last.
type seen struct{ first, last time.Time }

// A value that is not seen any more keeps its place for as long as it was in use before, within
// these bounds: values that somebody makes up, once each, keep a new release out for an hour only.
const shortestKept, longestKept = time.Hour, 24 * time.Hour

func (s seen) keeps(now time.Time) bool {
	return now.Sub(s.last) <= min(max(s.last.Sub(s.first), shortestKept), longestKept)
}

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
		c.values, c.swept = map[string]map[string]seen{}, map[string]time.Time{}
	}
	known := c.values[name]
	if known == nil {
		known = map[string]seen{}
		c.values[name] = known
	}
	if value == record.Other {
		return true
	}
	if s, ok := known[value]; ok {
		known[value] = seen{s.first, now}
		return true
	}
	if name == record.Route {
		most *= perRoute
	}
	if len(known) >= most && now.Sub(c.swept[name]) >= time.Minute {
		c.swept[name] = now
		for value, s := range known {
			if !s.keeps(now) {
				delete(known, value)
			}
		}
	}
	if len(known) >= most {
		return false
	}
	known[value] = seen{now, now}
	return true
}

var seed = maphash.MakeSeed()

// keep finds a place for a series in this hour, and reports whether that changed it. Once there are too many
// only the release and the route of a new one are told apart, and then not even they. Each of the three has
// room of its own: senders who make up series cannot take away that of all others.
func (c *caps) keep(s *record.Series, most int, now time.Time) (changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if hour := now.Unix() / 3600; hour != c.hour || c.series[0] == nil {
		c.hour, c.series = hour, [2]map[uint64]struct{}{{}, {}}
	}
	if c.room(0, s, most) {
		return false
	}
	s.Rate, s.Interval = coarseRate(s.Rate), coarseInterval(s.Interval)
	s.Labels = c.coarser(s.Labels, record.Release, record.Route)
	if !c.room(1, s, most/10) {
		s.Labels = c.coarser(s.Labels) // there are some hundred of these at most
	}
	return true
}

// room reports whether a series is among the first ones of this hour.
func (c *caps) room(step int, s *record.Series, most int) bool {
	key := maphash.String(seed, s.Key())
	if _, known := c.series[step][key]; !known {
		if len(c.series[step]) >= most {
			return false
		}
		c.series[step][key] = struct{}{}
	}
	return true
}

// coarser are labels of which only some keep their values. All have one: which are known is for the sender to
// say, too.
func (c *caps) coarser(labels record.Labels, kept ...string) record.Labels {
	less := record.Labels{}
	for _, name := range c.names {
		less[name] = record.Other
	}
	for _, name := range kept {
		if value := labels[name]; value != "" {
			less[name] = value
		}
	}
	return less
}
