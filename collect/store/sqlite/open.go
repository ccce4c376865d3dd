package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/internal/outfile"
	_ "modernc.org/sqlite" // the driver
)

// Store is a store in one file.
type Store struct {
	path   string
	retain store.Retention
	lock   *sql.DB // holds the file for this process
	pool   *sql.DB // readers

	maintaining sync.Mutex
	// writing guards all below it.
	writing    sync.Mutex
	writer     *sql.DB
	w          *statements
	dictionary *dictionary
	counters   map[counter]int64 // the last numbers given
	levels     levels
	generation int64 // to which the IDs belong that are written now
	stale      bool  // a transaction failed, and the file could not be read again since
	cleaned    int64 // words of this period and before are removed

	labels labelCache
}

var (
	_ store.Store    = (*Store)(nil)
	_ store.Backuper = (*Store)(nil)
)

const readers = 4

// Open opens a store, and makes one if the file does not exist, where links lead. One process at a time can have
// it open, by whatever name.
func Open(ctx context.Context, path string, r store.Retention) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the folder of the store: %w", err)
	}
	if path, err = outfile.Followed(path); err != nil {
		return nil, fmt.Errorf("the store: %w", err)
	}
	s := &Store{path: path, retain: r, counters: map[counter]int64{}}
	if err := s.open(ctx); err != nil {
		_ = s.Close()
		return nil, explain(path, err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	if s.lock, err = hold(ctx, s.path+".lock"); err != nil {
		return err
	}
	if err := begin(ctx, s.path); err != nil {
		return err
	}
	if s.writer, err = sql.Open("sqlite", source(s.path, waiting, "journal_mode(WAL)", "synchronous(FULL)", "cache_size(-32768)", "wal_autocheckpoint(8000)", "journal_size_limit(134217728)")); err != nil {
		return err
	}
	s.writer.SetMaxOpenConns(1)
	if err := migrate(ctx, s.writer); err != nil {
		return err
	}
	if s.w, err = prepare(ctx, s.writer); err != nil {
		return err
	}
	if err := s.forget(ctx); err != nil {
		return err
	}
	if s.pool, err = sql.Open("sqlite", source(s.path, waiting, "query_only(1)", "cache_size(-8192)")); err != nil {
		return err
	}
	s.pool.SetMaxOpenConns(readers)
	s.pool.SetMaxIdleConns(readers)
	return nil
}

// waiting is for when another process holds the file for a moment, as the one that makes a backup
// does.
const waiting = "busy_timeout(10000)"

// source names a file for the driver, whatever characters are in its path.
func source(path string, pragmas ...string) string {
	query := url.Values{"_pragma": append(pragmas, "temp_store(memory)")}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	if u.Path[0] != '/' { // C:/…
		u.Path = "/" + u.Path
	}
	return u.String()
}

// errInUse says that another process has the store open.
var errInUse = errors.New("another process uses it; stop that one, or give this one a file of its own")

// hold locks a file as long as it is open, and at most as long as the process lives.
func hold(ctx context.Context, path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", source(path, "journal_mode(MEMORY)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		_ = db.Close()
		if isBusy(err) {
			return nil, errInUse
		}
		return nil, err
	}
	return db, nil
}

// forget drops what the writer knows of the file, and reads it again: at the start, and when a
// transaction has failed. Until it succeeds the store is not written: with wrong levels, cells rolled up
// already would be added again.
func (s *Store) forget(ctx context.Context) error {
	s.dictionary, s.stale = newDictionary(), true
	l, err := levelsOf(ctx, s.w.conn)
	if err != nil {
		return err
	}
	var generation int64
	if _, err := s.w.one("SELECT max(id) FROM generation", nil, &generation); err != nil {
		return err
	}
	s.levels, s.generation, s.stale = l, generation, false
	return nil
}

// transact runs a function in a transaction of the writer.
func (s *Store) transact(ctx context.Context, do func() error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	// The driver starts a goroutine for each statement that can be cancelled.
	ctx = context.WithoutCancel(ctx)
	if s.stale {
		if err := s.forget(ctx); err != nil {
			return explain(s.path, err)
		}
	}
	err := s.w.run(ctx, "BEGIN IMMEDIATE")
	if err == nil {
		if err = do(); err == nil {
			err = s.w.run(ctx, "COMMIT")
		}
	}
	if err == nil {
		return nil
	}
	_ = s.w.run(ctx, "ROLLBACK") // an error says that SQLite has done so itself
	if again := s.forget(ctx); again != nil {
		err = errors.Join(err, again)
	}
	return explain(s.path, err)
}

// Ready says whether the store can be written.
func (s *Store) Ready(ctx context.Context) error {
	return s.transact(ctx, func() error { return s.w.run(ctx, "UPDATE ready SET at = ?", time.Now().Unix()) })
}

// Close closes the store.
func (s *Store) Close() error {
	var all []error
	if s.w != nil {
		s.writing.Lock()
		defer s.writing.Unlock()
		s.w.close()
	}
	for _, db := range []*sql.DB{s.pool, s.writer, s.lock} {
		if db != nil {
			all = append(all, db.Close())
		}
	}
	return errors.Join(all...)
}
