package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/klauspost/compress/zstd"
)

// maxFiles bounds the files of all releases, compressed.
const maxFiles = 8 << 30

// pieceSize is the size of the pieces in which a file is compressed and stored.
const pieceSize = 1 << 20

var (
	compressor   = must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)))
	decompressor = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*pieceSize)))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // the options are constant
	}
	return v
}

// PutFile adds a file or replaces it.
func (s *Store) PutFile(ctx context.Context, f store.File, content []byte) error {
	var pieces [][]byte
	stored := int64(0)
	for piece := range slices.Chunk(content, pieceSize) {
		pieces = append(pieces, compressor.EncodeAll(piece, nil))
		stored += int64(len(pieces[len(pieces)-1]))
	}
	return s.transact(ctx, func() error {
		app, err := s.app(ctx, f.App)
		if err != nil {
			return err
		}
		var id, all int64
		if found, err := s.w.one("SELECT id FROM file WHERE app = ? AND release = ? AND name = ?", []any{app, f.Release, f.Name}, &id); err != nil {
			return err
		} else if found {
			if err := s.removeFile(ctx, id); err != nil {
				return err
			}
		}
		if _, err := s.w.one("SELECT ifnull(sum(stored), 0) FROM file", nil, &all); err != nil {
			return err
		}
		if all+stored > maxFiles {
			return fmt.Errorf("%d of %d MiB: %w", (all+stored)>>20, maxFiles>>20, store.ErrNoRoom)
		}
		if _, err := s.w.one("INSERT INTO file (app, release, name, kind, debug_id, size, stored, uploaded) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
			[]any{app, f.Release, f.Name, f.Kind, f.DebugID, len(content), stored, f.Uploaded.Unix()}, &id); err != nil {
			return err
		}
		for n, piece := range pieces {
			if err := s.w.run(ctx, "INSERT INTO piece (file, n, data) VALUES (?, ?, ?)", id, n, piece); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) removeFile(ctx context.Context, id int64) error {
	if err := s.w.run(ctx, "DELETE FROM piece WHERE file = ?", id); err != nil {
		return err
	}
	return s.w.run(ctx, "DELETE FROM file WHERE id = ?", id)
}

// Files are the files of a release, in order of their names.
func (s *Store) Files(ctx context.Context, app, release string) (found []store.File, _ error) {
	q, err := s.read(ctx, app)
	if q == nil || err != nil {
		return nil, err
	}
	defer q.close()
	rows, err := q.conn.QueryContext(ctx, "SELECT release, name, kind, debug_id, size, uploaded FROM file WHERE app = ?1 AND (?2 = '' OR release = ?2) ORDER BY release, name", q.app, release)
	err = each(rows, err)(func(rows *sql.Rows) error {
		f := store.File{App: app}
		var uploaded int64
		err := rows.Scan(&f.Release, &f.Name, &f.Kind, &f.DebugID, &f.Size, &uploaded)
		f.Uploaded = time.Unix(uploaded, 0).UTC()
		found = append(found, f)
		return err
	})
	return found, explain(s.path, err)
}

// FileContent puts the pieces together.
func (s *Store) FileContent(ctx context.Context, app, release, name string) ([]byte, error) {
	unknown := fmt.Errorf("file %s of release %s: %w", name, release, store.ErrUnknown)
	q, err := s.read(ctx, app)
	if err != nil {
		return nil, err
	}
	if q == nil {
		return nil, unknown
	}
	defer q.close()
	var id, size int64
	err = q.conn.QueryRowContext(ctx, "SELECT id, size FROM file WHERE app = ? AND release = ? AND name = ?", q.app, release, name).Scan(&id, &size)
	if err == sql.ErrNoRows {
		return nil, unknown
	}
	if err != nil {
		return nil, explain(s.path, err)
	}
	content := make([]byte, 0, size)
	rows, err := q.conn.QueryContext(ctx, "SELECT data FROM piece WHERE file = ? ORDER BY n", id)
	err = each(rows, err)(func(rows *sql.Rows) error {
		var data sql.RawBytes
		if err := rows.Scan(&data); err != nil {
			return err
		}
		piece, err := decompressor.DecodeAll(data, nil)
		content = append(content, piece...)
		return err
	})
	if err == nil && int64(len(content)) != size {
		err = errDamaged
	}
	return content, explain(s.path, err)
}
