package clickhouse

import (
	"context"
	"fmt"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

func (s *Store) addExamples(ctx context.Context, chunks []*record.Chunk) error {
	if len(chunks) == 0 {
		return nil
	}
	ticks := func(c *record.Chunk) int64 {
		if c.Profile == nil {
			return 0
		}
		return c.Profile.Samples.Ticks()
	}
	busy := func(c *record.Chunk) int64 {
		if c.Profile == nil {
			return 0
		}
		return record.BusyTicks(c.Profile)
	}
	return s.insert(ctx, "examples",
		of("app", chunks, func(c *record.Chunk) string { return c.App }),
		of("id", chunks, func(c *record.Chunk) string { return string(c.ID[:]) }),
		of("at", chunks, func(c *record.Chunk) time.Time { return bounded(c.At) }),
		of("ns", chunks, func(c *record.Chunk) uint32 { return uint32(bounded(c.At).Nanosecond()) }),
		of("series", chunks, func(c *record.Chunk) uint64 { return seriesOf(&c.Series) }),
		of("ticks", chunks, ticks), of("busy", chunks, busy),
		of("profile", chunks, func(c *record.Chunk) string { return string(c.Example) }))
}

// Examples are chunks that are kept whole.
func (s *Store) Examples(ctx context.Context, of store.Selection, limit int) ([]store.Example, error) {
	sel, err := s.selectionOf(ctx, of, store.Grouping{})
	if err != nil || limit <= 0 {
		return nil, err
	}
	sel.From, sel.To = sel.whole()
	where := fmt.Sprintf("%s AND series GLOBAL IN (SELECT series FROM series WHERE %s AND slow = %d)", sel.moments(sel.kept.slices), sel.where(), flag(of.Slow))
	return s.readExamples(ctx, fmt.Sprintf("SELECT id, at, ns, series, ticks, busy, '' AS profile FROM examples WHERE %s ORDER BY at DESC, ns DESC, id LIMIT 1 BY id LIMIT %d",
		where, limit), of.App)
}

// Example is one example.
func (s *Store) Example(ctx context.Context, app string, id record.ID) (*store.Example, error) {
	k, err := s.kept(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.readExamples(ctx, fmt.Sprintf("SELECT id, at, ns, series, ticks, busy, profile FROM examples WHERE app = %s AND at >= %s AND id = %s LIMIT 1",
		text(app), moment(k.slices), idText(id)), app)
	if err == nil && len(found) == 0 {
		return nil, store.ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	return &found[0], nil
}

func (s *Store) readExamples(ctx context.Context, query, app string) (found []store.Example, _ error) {
	var series []uint64
	err := s.ask(ctx, query, func(scan func(...any) error) error {
		var e store.Example
		var id, profile string
		var ns uint32
		var of uint64
		if err := scan(&id, &e.At, &ns, &of, &e.Ticks, &e.Busy, &profile); err != nil {
			return err
		}
		e.ID, e.At = record.ID([]byte(id)), e.At.UTC().Add(time.Duration(ns))
		if profile != "" {
			e.Profile = []byte(profile)
		}
		found, series = append(found, e), append(series, of)
		return nil
	})
	if err != nil {
		return nil, err
	}
	of, err := s.seriesOf(ctx, app, series)
	for i := range found {
		found[i].Series = of[series[i]]
	}
	return found, err
}
