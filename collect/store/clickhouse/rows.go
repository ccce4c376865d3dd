package clickhouse

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// rows are what a batch adds to the tables.
type rows struct {
	kept     kept // sums that would be removed at once are left out
	series   map[seriesKey]*record.Series
	sites    map[siteKey]site
	ticks    map[tickKey]int64
	totals   map[totalKey]total
	views    []*record.Chunk
	slices   []*record.Slice
	examples []*record.Chunk
}

// The keys of rows. Months are those in which something was seen: when a month is removed, so are
// the series and sites only seen in it.
type (
	seriesKey struct {
		app    string
		series uint64
		month  int64
	}
	siteKey struct {
		app   string
		site  store.Hash
		month int64
	}
	tickKey struct {
		totalKey
		site store.Hash
	}
	totalKey struct {
		app    string
		series uint64
		step   uint32
		bucket int64
	}
)

// site is where a site is: spelled out, the sites of a batch may be far more than the batch.
type site struct {
	profile *profile.Profile
	sample  int
}

type total struct{ chunks, ticks, busy, observed int64 }

func newRows(k kept) *rows {
	return &rows{kept: k, series: map[seriesKey]*record.Series{}, sites: map[siteKey]site{}, ticks: map[tickKey]int64{}, totals: map[totalKey]total{}}
}

func (r *rows) add(c *record.Chunk) {
	at := bounded(c.At)
	series := r.addSeries(&c.Series, at)
	adds := total{chunks: 1, observed: int64(c.Observed)}
	var hashes []store.Hash
	if c.Profile != nil {
		adds.ticks, adds.busy = c.Profile.Samples.Ticks(), record.BusyTicks(c.Profile)
		hashes = store.SitesOf(c.Profile)
		for i, hash := range hashes {
			if key := (siteKey{c.App, hash, monthOf(at)}); !has(r.sites, key) {
				r.sites[key] = site{c.Profile, i}
			}
		}
	}
	for level, step := range steps {
		if at.Before([]time.Time{r.kept.minutes, r.kept.hours, r.kept.days}[level]) {
			continue
		}
		key := totalKey{c.App, series, seconds(step), at.Truncate(step).Unix()}
		t := r.totals[key]
		r.totals[key] = total{t.chunks + adds.chunks, t.ticks + adds.ticks, t.busy + adds.busy, t.observed + adds.observed}
		for i, hash := range hashes {
			r.ticks[tickKey{key, hash}] += int64(c.Profile.Samples.Weight[i])
		}
	}
	if !c.View.IsZero() {
		r.views = append(r.views, c)
	}
	if c.Example != nil {
		r.examples = append(r.examples, c)
	}
	for i := range c.Slices {
		r.addSeries(&c.Slices[i].Series, bounded(c.Slices[i].At))
		r.slices = append(r.slices, &c.Slices[i])
	}
}

func (r *rows) addSeries(s *record.Series, at time.Time) uint64 {
	hash := seriesOf(s)
	r.series[seriesKey{s.App, hash, monthOf(at)}] = s
	return hash
}

// seriesOf names a series.
func seriesOf(s *record.Series) uint64 {
	sum := sha256.Sum256([]byte(s.Key()))
	return binary.LittleEndian.Uint64(sum[:])
}

func monthOf(t time.Time) int64 {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).Unix()
}

func has[K comparable, V any](m map[K]V, key K) bool {
	_, has := m[key]
	return has
}

// sorted are the keys of a map in an order that does not depend on the map, since equal batches must
// have equal blocks.
func sorted[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(m), compare)
}

func (k seriesKey) compare(other seriesKey) int {
	return cmp.Or(cmp.Compare(k.app, other.app), cmp.Compare(k.series, other.series), cmp.Compare(k.month, other.month))
}

func (k siteKey) compare(other siteKey) int {
	return cmp.Or(cmp.Compare(k.app, other.app), cmp.Compare(k.site, other.site), cmp.Compare(k.month, other.month))
}

func (k totalKey) compare(other totalKey) int {
	return cmp.Or(cmp.Compare(k.step, other.step), cmp.Compare(k.app, other.app), cmp.Compare(k.series, other.series), cmp.Compare(k.bucket, other.bucket))
}

func (k tickKey) compare(other tickKey) int {
	return cmp.Or(k.totalKey.compare(other.totalKey), cmp.Compare(k.site, other.site))
}
