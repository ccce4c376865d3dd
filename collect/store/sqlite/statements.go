package sqlite

import (
	"context"
	"database/sql"
)

// statements are the statements of one connection, each prepared when it is first used.
type statements struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
}

func prepare(ctx context.Context, db *sql.DB) (*statements, error) {
	conn, err := db.Conn(ctx)
	return &statements{conn, map[string]*sql.Stmt{}}, err
}

func (s *statements) of(query string) (*sql.Stmt, error) {
	if known := s.prepared[query]; known != nil {
		return known, nil
	}
	made, err := s.conn.PrepareContext(context.Background(), query)
	if err == nil {
		s.prepared[query] = made
	}
	return made, err
}

func (s *statements) run(ctx context.Context, query string, args ...any) error {
	stmt, err := s.of(query)
	if err == nil {
		_, err = stmt.ExecContext(context.WithoutCancel(ctx), args...)
	}
	return err
}

// one reads one row; found is false if there is none.
func (s *statements) one(query string, args []any, into ...any) (found bool, _ error) {
	stmt, err := s.of(query)
	if err != nil {
		return false, err
	}
	err = stmt.QueryRowContext(context.Background(), args...).Scan(into...)
	if err == sql.ErrNoRows {
		return false, nil
	}
	return err == nil, err
}

// each reads all rows; scan is called for each.
func (s *statements) each(query string, args []any, scan func(*sql.Rows) error) error {
	stmt, err := s.of(query)
	if err != nil {
		return err
	}
	return each(stmt.QueryContext(context.Background(), args...))(scan)
}

func (s *statements) close() {
	for _, stmt := range s.prepared {
		_ = stmt.Close()
	}
	_ = s.conn.Close()
}

// each calls a function for each row.
func each(rows *sql.Rows, err error) func(scan func(*sql.Rows) error) error {
	return func(scan func(*sql.Rows) error) error {
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}
