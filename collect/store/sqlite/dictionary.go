package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// cache keeps what was used lately: at least limit entries, and less than twice as many.
type cache[K comparable, V any] struct {
	limit      int
	young, old map[K]V
}

func (c *cache[K, V]) get(k K) (v V, known bool) {
	if v, known = c.young[k]; known {
		return v, true
	}
	if v, known = c.old[k]; known {
		c.put(k, v)
	}
	return v, known
}

func (c *cache[K, V]) put(k K, v V) {
	if c.young == nil || len(c.young) >= c.limit {
		c.young, c.old = map[K]V{}, c.young
	}
	c.young[k] = v
}

// period is how exactly the last use of a word is known: the first use in each period is written.
const period = 30 * 24 * time.Hour

func periodOf(at time.Time) int64 { return floor(at.Unix(), int64(period/time.Second)) }

func floor(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

// A table numbers the words of one sort within an app. Its columns are what a word is made of.
type table struct{ name, columns string }

var (
	labelTable    = table{"label", "name, value"}
	seriesTable   = table{"series", "slow, rate, interval, labels"}
	functionTable = table{"function", "name, file, line, col, flags"}
	frameTable    = table{"frame", "function, line, col"}
	siteTable     = table{"site", "kind, marker, frames"}
)

// dictionary is what the writer knows of the tables, in memory.
type dictionary struct {
	apps  map[string]int64
	words map[table]*cache[wordKey, word]
}

type wordKey struct {
	app  int64
	hash store.Hash
}

// counter counts the words of an app in a table.
type counter struct {
	table
	app int64
}

type word struct {
	id   uint32
	seen int64
}

func newDictionary() *dictionary {
	return &dictionary{map[string]int64{}, map[table]*cache[wordKey, word]{
		labelTable: {limit: 1 << 14}, seriesTable: {limit: 1 << 15}, functionTable: {limit: 1 << 15}, frameTable: {limit: 1 << 16}, siteTable: {limit: 1 << 18}}}
}

func (s *Store) app(ctx context.Context, name string) (id int64, err error) {
	id, known := s.dictionary.apps[name]
	if known {
		return id, nil
	}
	if known, err = s.w.one("SELECT id FROM app WHERE name = ?", []any{name}, &id); err == nil && !known {
		if err = s.w.run(ctx, "INSERT INTO app (name) VALUES (?)", name); err == nil {
			_, err = s.w.one("SELECT id FROM app WHERE name = ?", []any{name}, &id)
		}
	}
	if err == nil {
		s.dictionary.apps[name] = id
	}
	return id, err
}

// intern is the number of a word. content is called for a new one, and for one that was not
// used in this period: it interns what the word is made of, and returns its columns.
func (s *Store) intern(ctx context.Context, t table, app int64, hash store.Hash, now int64, content func() ([]any, error)) (uint32, error) {
	key := wordKey{app, hash}
	w, known := s.dictionary.words[t].get(key)
	if known && w.seen >= now {
		return w.id, nil
	}
	if !known {
		var err error
		if known, err = s.w.one("SELECT id, seen FROM "+t.name+" WHERE app = ? AND hash = ?", []any{app, int64(hash)}, &w.id, &w.seen); err != nil {
			return 0, err
		}
	}
	if !known || w.seen < now {
		columns, err := content()
		if err != nil {
			return 0, err
		}
		if known {
			err = s.w.run(ctx, "UPDATE "+t.name+" SET seen = ? WHERE app = ? AND id = ?", now, app, w.id)
		} else if w.id, err = s.next(t, app); err == nil {
			marks := ", ?, ?, ?, ?, ?"[:3*len(columns)]
			err = s.w.run(ctx, "INSERT INTO "+t.name+" (app, id, hash, seen, "+t.columns+") VALUES (?, ?, ?, ?"+marks+")",
				append([]any{app, w.id, int64(hash), now}, columns...)...)
		}
		if err != nil {
			return 0, err
		}
		w.seen = now
	}
	s.dictionary.words[t].put(key, w)
	return w.id, nil
}

// next is a number that no word of a table has. It has not been another's in this process
// either, even if that one has been removed: questions remember words.
func (s *Store) next(t table, app int64) (uint32, error) {
	key := counter{t, app}
	if _, known := s.counters[key]; !known {
		var last int64
		if _, err := s.w.one("SELECT ifnull(max(id), 0) FROM "+t.name+" WHERE app = ?", []any{app}, &last); err != nil {
			return 0, err
		}
		s.counters[key] = last
	}
	s.counters[key]++
	if s.counters[key] >= 1<<32 {
		return 0, fmt.Errorf("an app has too many different %ss: %w", t.name, store.ErrRefused)
	}
	return uint32(s.counters[key]), nil
}

func hashOf(b []byte) store.Hash {
	sum := sha256.Sum256(b)
	return store.Hash(binary.LittleEndian.Uint64(sum[:]))
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// internSeries is the number of a series.
func (s *Store) internSeries(ctx context.Context, app int64, of *record.Series, now int64) (uint32, error) {
	return s.intern(ctx, seriesTable, app, hashOf([]byte(of.Key())), now, func() ([]any, error) {
		var labels []byte
		for _, name := range slices.Sorted(maps.Keys(of.Labels)) {
			value := of.Labels[name]
			if value == "" {
				continue
			}
			id, err := s.intern(ctx, labelTable, app, hashOf(appendText(appendText(nil, name), value)), now, func() ([]any, error) { return []any{name, value}, nil })
			if err != nil {
				return nil, err
			}
			labels = binary.AppendUvarint(labels, uint64(id))
		}
		return []any{of.Slow, of.Rate, int64(of.Interval), labels}, nil
	})
}

// internSites are the numbers of the sites of a profile, by sample.
func (s *Store) internSites(ctx context.Context, app int64, p *profile.Profile, now int64) ([]uint32, error) {
	frames := map[profile.FrameID]uint32{}
	ids := make([]uint32, p.Len())
	for i, hash := range store.SitesOf(p) {
		id, err := s.intern(ctx, siteTable, app, hash, now, func() ([]any, error) {
			sample := p.Sample(i)
			b := []byte{}
			for at := sample.Stack; at != profile.NoStack; at = p.Stacks.Parent[at] {
				frame := p.Stacks.Frame[at]
				id, known := frames[frame]
				if !known {
					var err error
					if id, err = s.internFrame(ctx, app, p, frame, now); err != nil {
						return nil, err
					}
					frames[frame] = id
				}
				b = binary.AppendUvarint(b, uint64(id))
			}
			return []any{int64(sample.Kind), int64(sample.Marker), b}, nil
		})
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

func (s *Store) internFrame(ctx context.Context, app int64, p *profile.Profile, frame profile.FrameID, now int64) (uint32, error) {
	f, line, column := p.Function(p.Frames.Function[frame]), p.Frames.Line[frame], p.Frames.Column[frame]
	b := appendText(appendText(nil, f.Name), f.File)
	for _, n := range []int32{f.Line, f.Column, int32(f.Flags)} {
		b = binary.AppendUvarint(b, uint64(uint32(n)))
	}
	function := hashOf(b)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(uint32(line))), uint64(uint32(column)))
	return s.intern(ctx, frameTable, app, hashOf(b), now, func() ([]any, error) {
		id, err := s.intern(ctx, functionTable, app, function, now, func() ([]any, error) {
			return []any{f.Name, f.File, f.Line, f.Column, int64(f.Flags)}, nil
		})
		return []any{id, line, column}, err
	})
}

// appIDs are the numbers of all apps, in order, as the writer sees them in its transaction.
func (s *Store) appIDs() (ids []int64, _ error) {
	err := s.w.each("SELECT id FROM app ORDER BY id", nil, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// allApps are the numbers of all apps.
func (s *Store) allApps() ([]int64, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	ids, err := s.appIDs()
	return ids, explain(s.path, err)
}
