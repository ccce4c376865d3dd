package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// span is a stretch of time in cells of one grain, in minutes since 1970.
type span struct {
	grain    int
	from, to int64
}

// plan chooses the cells that answer a question: the coarsest that the selection and the step
// allow, and coarser ones where finer ones are no longer kept. No time is in two spans.
func plan(l *levels, from, to int64, step time.Duration) (spans []span) {
	add := func(grain int, from, to int64) {
		if n := len(spans); n > 0 && spans[n-1].grain == grain && spans[n-1].to == from {
			spans[n-1].to = to
		} else {
			spans = append(spans, span{grain, from, to})
		}
	}
	if from >= to {
		return nil
	}
	const day, hour = 1440, 60
	for d := max(floor(from, day), l[days].kept); d*day < to; d++ {
		whole := from <= d*day && (d+1)*day <= to && step%(24*time.Hour) == 0
		if d < l[days].rolled && (whole || d < l[hours].kept) {
			add(days, d*day, (d+1)*day)
			continue
		}
		for h := max(d*24, floor(from, hour)); h < (d+1)*24 && h*hour < to; h++ {
			whole := from <= h*hour && (h+1)*hour <= to && step%time.Hour == 0
			if h < l[hours].rolled && (whole || h < l[minutes].kept) {
				add(hours, h*hour, (h+1)*hour)
				continue
			}
			add(minutes, max(h*hour, from), min((h+1)*hour, to))
		}
	}
	return spans
}

// question is a selection as a transaction of one reader sees it.
type question struct {
	ctx   context.Context
	conn  *sql.Conn
	store *Store
	app   int64
	tier  int64
	spans []span
	of    store.Selection
	// single is the label that a question to cells of single labels is about.
	single string
}

// ask begins a question. If it is nil, there is nothing to be found.
func (s *Store) ask(ctx context.Context, of store.Selection) (*question, error) {
	q, err := s.read(ctx, of.App)
	if q != nil {
		q.of = of
	}
	return q, err
}

// use chooses the tier of cells, and then those cells.
func (q *question) use(tier int64, step time.Duration) error {
	if q.tier = tier; q.of.Slow {
		q.tier += allLabelsSlow
	}
	q.spans = nil
	from, to, err := q.within()
	if err != nil || from >= to {
		return err
	}
	l, err := levelsOf(q.ctx, q.conn)
	q.spans = plan(&l, from, to, step)
	return err
}

// useFor chooses the tier that has the ticks of a grouping.
func (q *question) useFor(by store.Grouping) error {
	for name := range q.names(by) {
		if !isMain(name) {
			return q.use(allLabels, by.Step)
		}
	}
	return q.use(mainLabels, by.Step)
}

// names are the labels that a question is about.
func (q *question) names(by store.Grouping) map[string]bool {
	names := map[string]bool{}
	for _, name := range by.By {
		names[name] = true
	}
	for name := range q.of.Where {
		names[name] = true
	}
	return names
}

// read begins a transaction about an app; it is nil if there is no such app.
func (s *Store) read(ctx context.Context, app string) (*question, error) {
	conn, err := s.pool.Conn(ctx)
	if err != nil {
		return nil, explain(s.path, err)
	}
	q := &question{ctx: ctx, conn: conn, store: s}
	if _, err = conn.ExecContext(ctx, "BEGIN"); err == nil {
		err = conn.QueryRowContext(ctx, "SELECT id FROM app WHERE name = ?", app).Scan(&q.app)
	}
	if err != nil {
		q.close()
		if err == sql.ErrNoRows {
			return nil, nil
		}
		return nil, explain(s.path, err)
	}
	return q, nil
}

func (q *question) close() {
	if _, err := q.conn.ExecContext(context.WithoutCancel(q.ctx), "ROLLBACK"); err != nil {
		_ = q.conn.Raw(func(any) error { return driver.ErrBadConn }) // no other question gets it
	}
	_ = q.conn.Close()
}

// within is the selection in whole minutes, cut to the time that there are cells of.
func (q *question) within() (from, to int64, _ error) {
	for grain := range grains {
		var first, last sql.NullInt64
		err := q.conn.QueryRowContext(q.ctx, "SELECT (SELECT min(period) FROM cell WHERE app = ?1 AND tier = ?2 AND grain = ?3), (SELECT max(period) FROM cell WHERE app = ?1 AND tier = ?2 AND grain = ?3)",
			q.app, q.tier, grain).Scan(&first, &last)
		if err != nil {
			return 0, 0, err
		}
		if !first.Valid {
			continue
		}
		a, b := first.Int64*periodLength[grain], (last.Int64+1)*periodLength[grain]
		if from == to {
			from, to = a, b
		}
		from, to = min(from, a), max(to, b)
	}
	a, b := wholeMinutes(q.of)
	return max(from, a), min(to, b), nil
}

// wholeMinutes is the time of a selection in minutes since 1970.
func wholeMinutes(s store.Selection) (from, to int64) {
	to = s.To.Unix()
	if s.To.Nanosecond() > 0 {
		to++
	}
	return floor(s.From.Unix(), 60), -floor(-to, 60)
}
