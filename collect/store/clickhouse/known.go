package clickhouse

import (
	"sync"

	"github.com/fieldprof/fieldprof/collect/record"
)

// remembered bounds how many series and sites a collector remembers to have written. When there
// are more it forgets all, and writes them again: that costs time, and changes nothing.
const remembered = 1 << 20

// known are series and sites that this collector has written.
type known struct {
	mu     *sync.Mutex
	series map[seriesKey]bool
	sites  map[siteKey]bool
}

func newKnown() known {
	return known{&sync.Mutex{}, map[seriesKey]bool{}, map[siteKey]bool{}}
}

// missing are those that must be written.
func (k known) missing(r *rows) (series map[seriesKey]*record.Series, sites map[siteKey]site) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return without(r.series, k.series), without(r.sites, k.sites)
}

func without[K comparable, V any](all map[K]V, known map[K]bool) map[K]V {
	missing := map[K]V{}
	for key, value := range all {
		if !known[key] {
			missing[key] = value
		}
	}
	return missing
}

func (k known) add(series map[seriesKey]*record.Series, sites map[siteKey]site) {
	k.mu.Lock()
	defer k.mu.Unlock()
	remember(k.series, series)
	remember(k.sites, sites)
}

func remember[K comparable, V any](known map[K]bool, added map[K]V) {
	if len(known)+len(added) > remembered {
		clear(known)
	}
	for key := range added {
		known[key] = true
	}
}

// forget forgets all, since something was removed.
func (k known) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.series)
	clear(k.sites)
}
