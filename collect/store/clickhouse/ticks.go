package clickhouse

import (
	"context"
	"fmt"
	"slices"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// Ticks are the ticks of each site in each group. The servers add up and choose the sites; their
// stacks are only asked for afterwards, with Sites.
func (s *Store) Ticks(ctx context.Context, of store.Selection, by store.Grouping, limit int) (*store.Ticks, error) {
	q, err := s.selectionOf(ctx, of, by)
	if err != nil || q.when() == "" {
		return &store.Ticks{}, err
	}
	ticks := &store.Ticks{}
	index := map[string]int{}
	// All groups with all their ticks: those that the chosen sites do not have are the rest.
	err = s.ask(ctx, fmt.Sprintf("SELECT sum(ticks), %s AS at, %s FROM totals GLOBAL ALL INNER JOIN %s AS of USING (series) WHERE %s GROUP BY %s",
		q.at("bucket"), q.keys()[len("at, "):], q.groups(), q.when(), q.keys()),
		func(scan func(...any) error) error {
			var n int64
			g := q.newGrouped()
			if err := scan(append([]any{&n}, g.into()...)...); err != nil || n == 0 {
				return err
			}
			index[g.key()] = len(ticks.Groups)
			ticks.Groups = append(ticks.Groups, g.group())
			ticks.Rest = append(ticks.Rest, n)
			return nil
		})
	if err != nil || limit <= 0 {
		return ticks, err
	}
	return ticks, s.ask(ctx, q.sites(limit), func(scan func(...any) error) error {
		return q.readSite(scan, ticks, index)
	})
}

// sites is the query for the sites with the most ticks, each with arrays of its groups.
func (s *selection) sites(limit int) string {
	arrays := "groupArray(n), groupArray(at), groupArray(rate), groupArray(every)"
	for i := range s.by.By {
		arrays += fmt.Sprintf(", groupArray(v%d)", i)
	}
	each := fmt.Sprintf("SELECT site, %s AS at, %s, sum(ticks) AS n FROM ticks GLOBAL ALL INNER JOIN %s AS of USING (series) WHERE %s GROUP BY site, %s",
		s.at("bucket"), s.keys()[len("at, "):], s.groups(), s.when(), s.keys())
	return fmt.Sprintf("SELECT site, sum(n) AS most, %s FROM (%s) GROUP BY site ORDER BY most DESC, site LIMIT %d", arrays, each, limit)
}

func (s *selection) readSite(scan func(...any) error, ticks *store.Ticks, index map[string]int) error {
	var site uint64
	var most int64
	var n, every []int64
	var at []uint64
	var rate []float64
	values := make([][]string, len(s.by.By))
	into := []any{&site, &most, &n, &at, &rate, &every}
	for i := range values {
		into = append(into, &values[i])
	}
	if err := scan(into...); err != nil {
		return err
	}
	for i := range n {
		g := &grouped{at[i], rate[i], every[i], make([]string, len(values))}
		for v := range values {
			g.values[v] = values[v][i]
		}
		group, known := index[g.key()]
		if !known { // written since the groups were read
			group = len(ticks.Groups)
			index[g.key()] = group
			ticks.Groups, ticks.Rest = append(ticks.Groups, g.group()), append(ticks.Rest, 0)
		}
		ticks.Sums = append(ticks.Sums, store.Sum{Group: group, Site: store.Hash(site), Ticks: n[i]})
		ticks.Rest[group] = max(0, ticks.Rest[group]-n[i])
	}
	return nil
}

// Sites are sites by their hashes.
func (s *Store) Sites(ctx context.Context, app string, hashes []store.Hash) (found []store.Site, _ error) {
	for part := range slices.Chunk(hashes, 5000) {
		query := "SELECT site, kind, marker, names, files, def_lines, def_columns, flags, lines, columns FROM sites WHERE app = " + text(app) +
			" AND site IN " + listOf(part, number) + " LIMIT 1 BY site"
		if err := s.ask(ctx, query, func(scan func(...any) error) error {
			site, err := readStack(scan)
			found = append(found, site)
			return err
		}); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func readStack(scan func(...any) error) (site store.Site, _ error) {
	var hash uint64
	var kind, marker uint8
	var names, files []string
	var defLines, defColumns, lines, columns []int32
	var flags []uint8
	if err := scan(&hash, &kind, &marker, &names, &files, &defLines, &defColumns, &flags, &lines, &columns); err != nil {
		return site, err
	}
	site = store.Site{Hash: store.Hash(hash), Kind: profile.Kind(kind), Marker: profile.Marker(marker)}
	for i := range names {
		site.Frames = append(site.Frames, store.Frame{
			Function: profile.Function{Name: names[i], File: files[i], Line: defLines[i], Column: defColumns[i], Flags: profile.Flags(flags[i])},
			Line:     lines[i], Column: columns[i]})
	}
	return site, nil
}

// Values are the values of labels.
func (s *Store) Values(ctx context.Context, of store.Selection) (map[string][]store.Value, error) {
	q, err := s.selectionOf(ctx, of, store.Grouping{})
	values := map[string][]store.Value{}
	if err != nil || q.when() == "" {
		return values, err
	}
	counted := fmt.Sprintf("SELECT names, texts, n FROM (SELECT series, sum(chunks) AS n FROM totals WHERE %s GROUP BY series) AS counts ALL INNER JOIN "+
		"(SELECT series, any(label_names) AS names, any(label_values) AS texts FROM series WHERE %s AND slow = %d GROUP BY series) AS of USING (series)",
		q.when(), q.where(), flag(of.Slow))
	return values, s.ask(ctx, "SELECT name, value, sum(n) AS chunks FROM ("+counted+") ARRAY JOIN names AS name, texts AS value "+
		"GROUP BY name, value ORDER BY chunks DESC, value",
		func(scan func(...any) error) error {
			var name string
			var v store.Value
			err := scan(&name, &v.Text, &v.Chunks)
			values[name] = append(values[name], v)
			return err
		})
}
