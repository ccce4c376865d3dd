package clickhouse

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// PutFile adds a file, or replaces it.
func (s *Store) PutFile(ctx context.Context, f store.File, content []byte) error {
	return s.putFile(ctx, f, content, false)
}

// putFile writes a row that replaces the one of its name; a removed file is a row without content.
func (s *Store) putFile(ctx context.Context, f store.File, content []byte, removed bool) error {
	return s.insert(ctx, "files", column{"app", []string{f.App}}, column{"release", []string{f.Release}}, column{"name", []string{f.Name}},
		column{"kind", []string{f.Kind}}, column{"debug_id", []string{f.DebugID}}, column{"size", []int64{f.Size}},
		column{"uploaded", []int64{f.Uploaded.UnixNano()}}, column{"version", []uint64{nextVersion()}},
		column{"removed", []uint8{flag(removed)}}, column{"content", []string{string(content)}})
}

var lastVersion atomic.Uint64

// nextVersion is the time, and more than it was before.
func nextVersion() uint64 {
	for {
		last := lastVersion.Load()
		next := max(last+1, uint64(time.Now().UnixNano()))
		if lastVersion.CompareAndSwap(last, next) {
			return next
		}
	}
}

// Files are the files of a release.
func (s *Store) Files(ctx context.Context, app, release string) ([]store.File, error) {
	where := "app = " + text(app)
	if release != "" {
		where += " AND release = " + text(release)
	}
	return s.files(ctx, where)
}

func (s *Store) files(ctx context.Context, where string) (found []store.File, _ error) {
	latest := "SELECT app, release, name, argMax(kind, version), argMax(debug_id, version), argMax(size, version), argMax(uploaded, version), argMax(removed, version) AS gone " +
		"FROM files WHERE " + where + " GROUP BY app, release, name HAVING gone = 0 ORDER BY app, release, name"
	return found, s.ask(ctx, latest, func(scan func(...any) error) error {
		var f store.File
		var uploaded int64
		var gone uint8
		err := scan(&f.App, &f.Release, &f.Name, &f.Kind, &f.DebugID, &f.Size, &uploaded, &gone)
		f.Uploaded = time.Unix(0, uploaded).UTC()
		found = append(found, f)
		return err
	})
}

// FileContent is the content of a file.
func (s *Store) FileContent(ctx context.Context, app, release, name string) (content []byte, _ error) {
	known := false
	err := s.ask(ctx, fmt.Sprintf("SELECT removed, content FROM files WHERE app = %s AND release = %s AND name = %s ORDER BY version DESC LIMIT 1",
		text(app), text(release), text(name)), func(scan func(...any) error) error {
		var removed uint8
		err := scan(&removed, &content)
		known = removed == 0
		return err
	})
	if err == nil && !known {
		return nil, store.ErrUnknown
	}
	return content, err
}
