package sqlite

import (
	"cmp"
	"context"
	"database/sql"
)

// Grains of cells. The period of a cell is its place among those of the next grain: hours for
// cells of minutes, days for cells of hours and days. A period rolls up as a whole.
const (
	minutes = iota
	hours
	days
	grains
)

// Lengths of grains and of their periods, in minutes. Starts of cells are minutes since 1970.
var (
	length       = [grains]int64{1, 60, 1440}
	periodLength = [grains]int64{60, 1440, 1440}
)

// Tiers of cells. A chunk counts once in the series of all its labels, once in the series of its main
// labels, and once in the series of each single label. There are few series of the last two kinds, and
// most questions are answered from those. Only cells of single labels have no ticks of sites.
const (
	allLabels = iota
	allLabelsSlow
	mainLabels
	mainLabelsSlow
	oneLabel
	oneLabelSlow
	tiers
)

// place is where rolling up a period has come to: all series up to it are done.
type place struct{ app, tier, series int64 }

func (p place) compare(other place) int {
	return cmp.Or(cmp.Compare(p.app, other.app), cmp.Compare(p.tier, other.tier), cmp.Compare(p.series, other.series))
}

// level is how far cells of a grain are complete. Periods are the periods of the grain below, which
// rolls up into it.
type level struct {
	rolled int64 // all periods before it are in the cells of this grain,
	place        // and of this one what is up to here
	kept   int64 // periods of this grain before it are removed, or may be
}

type levels [grains]level

// holds says whether a write has to add to the cells of a grain, as the cells of the grain
// below are in them already. Cells that are no longer kept are not written either.
func (l *levels) holds(grain int, minute int64, at place) bool {
	if floor(minute, periodLength[grain]) < l[grain].kept {
		return false
	}
	for g := hours; g <= grain; g++ {
		rolls := floor(minute, periodLength[g-1])
		if rolls > l[g].rolled || rolls == l[g].rolled && at.compare(l[g].place) > 0 {
			return false
		}
	}
	return true
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func levelsOf(ctx context.Context, db querier) (l levels, _ error) {
	err := each(db.QueryContext(ctx, "SELECT grain, rolled, app, tier, series, kept FROM level"))(func(rows *sql.Rows) error {
		var grain int
		var of level
		if err := rows.Scan(&grain, &of.rolled, &of.app, &of.tier, &of.series, &of.kept); err != nil {
			return err
		}
		if grain < 0 || grain >= grains {
			return errDamaged
		}
		l[grain] = of
		return nil
	})
	return l, err
}

// setLevel writes a level.
func (s *Store) setLevel(ctx context.Context, grain int, l level) error {
	s.levels[grain] = l
	return s.w.run(ctx, "UPDATE level SET rolled = ?, app = ?, tier = ?, series = ?, kept = ? WHERE grain = ?", l.rolled, l.app, l.tier, l.series, l.kept, grain)
}
