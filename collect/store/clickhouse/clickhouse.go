// Package clickhouse is a store in ClickHouse: on one server, or on a cluster of shards and
// replicas. docs/clickhouse.md says how it is laid out, and what it guarantees.
//
// It works with every server since 18.16: newer features are only used where they exist.
package clickhouse

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/fieldprof/fieldprof/collect/store"
)

// Store is a store in ClickHouse.
type Store struct {
	conn      driver.Conn
	cluster   string // "" on one server
	retention store.Retention
	known     known
	// modern says that the server is of this decade: it drops repeated blocks without replication,
	// and has settings with texts.
	modern bool
}

var _ store.Store = (*Store)(nil)

// Open connects to clickhouse://USER:PASSWORD@HOST:9000,HOST:9000/DATABASE?cluster=NAME, or to
// clickhouse+http://…, makes the database and its tables if they are missing, and brings older
// tables up to date. Other parameters are the client's options and the server's settings.
func Open(ctx context.Context, address string, r store.Retention) (*Store, error) {
	o, cluster, err := optionsOf(address)
	if err != nil {
		return nil, err
	}
	if err := createDatabase(ctx, o, cluster); err != nil {
		return nil, err
	}
	conn, err := clickhouse.Open(o)
	if err != nil {
		return nil, err
	}
	s := &Store{conn: conn, cluster: cluster, retention: r, known: newKnown()}
	if err := s.prepare(ctx, o.Auth.Database); err != nil {
		return nil, fmt.Errorf("clickhouse %s: %w", o.Addr, errorsOf(err, conn.Close()))
	}
	return s, nil
}

// Format says which layout a database has, 0 if it does not exist or is empty, and which one this program brings it
// to. It changes nothing.
func Format(ctx context.Context, address string) (has, known int, err error) {
	o, cluster, err := optionsOf(address)
	if err != nil {
		return 0, 0, err
	}
	exists, err := hasDatabase(ctx, o, func(driver.Conn) error { return nil })
	if err != nil || !exists {
		return 0, len(migrations), err
	}
	conn, err := clickhouse.Open(o)
	if err != nil {
		return 0, 0, err
	}
	s := &Store{conn: conn, cluster: cluster}
	has, err = s.usable(ctx)
	return has, len(migrations), errorsOf(err, conn.Close())
}

func (s *Store) prepare(ctx context.Context, database string) error {
	has, err := s.usable(ctx)
	if err != nil {
		return err
	}
	return s.migrate(ctx, database, has)
}

// usable finds out what the server can do, and returns the layout of its database, which this program must know.
func (s *Store) usable(ctx context.Context) (layout int, err error) {
	version, err := s.conn.ServerVersion()
	if err != nil {
		return 0, err
	}
	s.modern = version.Version.Major >= 22
	layout, err = s.version(ctx)
	if err == nil && layout > len(migrations) {
		err = fmt.Errorf("the database is of a newer collector: it has layout %d, and this one knows %d", layout, len(migrations))
	}
	return layout, err
}

// Ready says whether the server answers.
func (s *Store) Ready(ctx context.Context) error { return s.conn.Ping(ctx) }

// Close ends the connections.
func (s *Store) Close() error { return s.conn.Close() }

// settings are those that every statement needs, and more.
func (s *Store) settings(more clickhouse.Settings) clickhouse.Settings {
	settings := clickhouse.Settings{
		"max_query_size":          64 << 20, // for lists of hashes
		"insert_distributed_sync": 1,        // a write returns when all shards have it
	}
	if s.modern {
		settings["max_partitions_per_insert_block"] = 0 // late chunks are of many days
		settings["max_ast_elements"] = 10_000_000
		settings["async_insert"] = 0
		if s.cluster != "" {
			settings["load_balancing"] = "in_order" // answers come from where was written to
		}
	}
	maps.Copy(settings, more)
	return settings
}

func (s *Store) withSettings(ctx context.Context, more clickhouse.Settings) context.Context {
	return clickhouse.Context(ctx, clickhouse.WithSettings(s.settings(more)))
}

func (s *Store) exec(ctx context.Context, statement string) error {
	if err := s.conn.Exec(s.withSettings(ctx, nil), statement); err != nil {
		return fmt.Errorf("%.100s…: %w", statement, err)
	}
	return nil
}

// execAll runs statements, many at once: on a cluster each waits for all servers.
func (s *Store) execAll(ctx context.Context, statements []string) error {
	var all []func() error
	for _, statement := range statements {
		all = append(all, func() error { return s.exec(ctx, statement) })
	}
	return atOnce(all...)
}

// ask runs a query, and calls each for every row.
func (s *Store) ask(ctx context.Context, query string, each func(scan func(...any) error) error) error {
	rows, err := s.conn.Query(s.withSettings(ctx, nil), query)
	if err != nil {
		return fmt.Errorf("clickhouse: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// column is a column of rows to insert: a slice.
type column struct {
	name   string
	values any
}

// insert adds rows in one block: if the same block is inserted again the server drops it.
func (s *Store) insert(ctx context.Context, table string, columns ...column) error {
	return s.insertWith(ctx, nil, table, columns...)
}

func (s *Store) insertWith(ctx context.Context, settings clickhouse.Settings, table string, columns ...column) error {
	names := ""
	for i, c := range columns {
		if i > 0 {
			names += ", "
		}
		names += c.name
	}
	batch, err := s.conn.PrepareBatch(s.withSettings(ctx, settings), "INSERT INTO "+table+" ("+names+")")
	if err != nil {
		return fmt.Errorf("writing %s: %w", table, err)
	}
	for i, c := range columns {
		if err := batch.Column(i).Append(c.values); err != nil {
			return fmt.Errorf("writing %s.%s: %w", table, c.name, errorsOf(err, batch.Abort()))
		}
	}
	if err := batch.Send(); err != nil {
		return fmt.Errorf("writing %s: %w", table, err)
	}
	return nil
}

// Moments are kept as ClickHouse can hold them: those outside of 1970 to 2105 are moved there.
var (
	firstMoment = time.Unix(0, 0).UTC()
	lastMoment  = time.Date(2105, 1, 1, 0, 0, 0, 0, time.UTC)
)

func bounded(t time.Time) time.Time {
	switch {
	case t.Before(firstMoment):
		return firstMoment
	case t.After(lastMoment):
		return lastMoment
	}
	return t.UTC()
}
