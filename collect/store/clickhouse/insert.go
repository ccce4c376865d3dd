package clickhouse

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
)

// of makes a column of something that each item has.
func of[T, V any](name string, items []T, value func(T) V) column {
	values := make([]V, len(items))
	for i, item := range items {
		values[i] = value(item)
	}
	return column{name, values}
}

// same makes a column of one value.
func same[T, V any](name string, items []T, value V) column {
	return of(name, items, func(T) V { return value })
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func (s *Store) addSeries(ctx context.Context, series map[seriesKey]*record.Series) error {
	if len(series) == 0 {
		return nil
	}
	keys := sorted(series, seriesKey.compare)
	names := func(k seriesKey) []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(series[k].Labels)), func(name string) bool { return series[k].Labels[name] == "" })
	}
	return s.insert(ctx, "series",
		of("app", keys, func(k seriesKey) string { return k.app }),
		of("series", keys, func(k seriesKey) uint64 { return k.series }),
		of("slow", keys, func(k seriesKey) uint8 { return flag(series[k].Slow) }),
		of("rate", keys, func(k seriesKey) float64 { return series[k].Rate }),
		of("every", keys, func(k seriesKey) int64 { return int64(series[k].Interval) }),
		of("label_names", keys, names),
		of("label_values", keys, func(k seriesKey) []string {
			values := names(k)
			for i, name := range values {
				values[i] = series[k].Labels[name]
			}
			return values
		}),
		of("seen", keys, func(k seriesKey) time.Time { return time.Unix(k.month, 0).UTC() }))
}

// Rows that are added up must be added once: the server drops a block that it has had before. Modern
// servers know blocks by a token. Older ones know them by their content: there each row has its
// batch as salt, so that batches that add the same have different blocks.
func (s *Store) once(batch uint64) (settings clickhouse.Settings, salt uint32) {
	if s.modern {
		return clickhouse.Settings{"insert_deduplication_token": number(batch)}, 0
	}
	return nil, uint32(batch)
}

func (s *Store) addTicks(ctx context.Context, batch uint64, ticks map[tickKey]int64) error {
	if len(ticks) == 0 {
		return nil
	}
	keys := sorted(ticks, tickKey.compare)
	settings, salt := s.once(batch)
	return s.insertWith(ctx, settings, "ticks",
		of("app", keys, func(k tickKey) string { return k.app }),
		of("series", keys, func(k tickKey) uint64 { return k.series }),
		of("site", keys, func(k tickKey) uint64 { return uint64(k.site) }),
		of("step", keys, func(k tickKey) uint32 { return k.step }),
		of("bucket", keys, func(k tickKey) time.Time { return time.Unix(k.bucket, 0).UTC() }),
		of("ticks", keys, func(k tickKey) int64 { return ticks[k] }),
		same("salt", keys, salt))
}

func (s *Store) addTotals(ctx context.Context, batch uint64, totals map[totalKey]total) error {
	keys := sorted(totals, totalKey.compare)
	settings, salt := s.once(batch)
	return s.insertWith(ctx, settings, "totals",
		of("app", keys, func(k totalKey) string { return k.app }),
		of("series", keys, func(k totalKey) uint64 { return k.series }),
		of("step", keys, func(k totalKey) uint32 { return k.step }),
		of("bucket", keys, func(k totalKey) time.Time { return time.Unix(k.bucket, 0).UTC() }),
		of("chunks", keys, func(k totalKey) int64 { return totals[k].chunks }),
		of("ticks", keys, func(k totalKey) int64 { return totals[k].ticks }),
		of("busy", keys, func(k totalKey) int64 { return totals[k].busy }),
		of("observed", keys, func(k totalKey) int64 { return totals[k].observed }),
		same("salt", keys, salt))
}

func (s *Store) addViews(ctx context.Context, chunks []*record.Chunk) error {
	if len(chunks) == 0 {
		return nil
	}
	counts := func(name string, value func(*record.Counts) int64) column {
		return of(name, chunks, func(c *record.Chunk) int64 {
			if c.Counts == nil {
				return 0
			}
			return value(c.Counts)
		})
	}
	class := func(name string, value func(*record.Counts) time.Duration) column {
		return of(name, chunks, func(c *record.Chunk) int16 {
			if c.Counts == nil {
				return unknownClass
			}
			return classOf(value(c.Counts))
		})
	}
	return s.insert(ctx, "views",
		of("app", chunks, func(c *record.Chunk) string { return c.App }),
		of("view", chunks, func(c *record.Chunk) string { return string(c.View[:]) }),
		of("number", chunks, func(c *record.Chunk) int64 { return int64(c.Number) }),
		of("at", chunks, func(c *record.Chunk) time.Time { return bounded(c.At) }),
		of("ns", chunks, func(c *record.Chunk) uint32 { return uint32(bounded(c.At).Nanosecond()) }),
		of("series", chunks, func(c *record.Chunk) uint64 { return seriesOf(&c.Series) }),
		of("counted", chunks, func(c *record.Chunk) uint8 { return flag(c.Counts != nil) }),
		counts("interactions", func(n *record.Counts) int64 { return n.Interactions }),
		counts("slow", func(n *record.Counts) int64 { return n.Slow[profile.Interaction] }),
		counts("long_tasks", func(n *record.Counts) int64 { return n.LongTasks }),
		class("inp", func(n *record.Counts) time.Duration { return n.INP }),
		class("p75", func(n *record.Counts) time.Duration { return n.P75 }))
}

// unknownClass is the class of an unknown duration.
const unknownClass = -1

// classOf is the class of a record.Histogram that a duration is in.
func classOf(d time.Duration) int16 {
	if d <= 0 {
		return unknownClass
	}
	h := record.Histogram{}
	h.Add(d, 1)
	for class := range h {
		return class
	}
	return unknownClass
}
