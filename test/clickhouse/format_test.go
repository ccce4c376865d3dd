package clickhouse

import (
	"testing"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/clickhouse"
	"github.com/fieldprof/fieldprof/internal/must"
)

// To ask for the layout of a database makes none, and does not change one that there is.
func testFormat(t *testing.T, address, parameters string) {
	address += "/format" + parameters
	format := func() (has, known int) {
		has, known, err := clickhouse.Format(t.Context(), address)
		must.Do(t, err)
		return has, known
	}
	for range 2 {
		has, known := format()
		must.Equal(t, has, 0)
		if known < 1 {
			t.Errorf("the latest layout is %d", known)
		}
	}
	must.Do(t, must.Get(clickhouse.Open(t.Context(), address, store.DefaultRetention()))(t).Close())
	for range 2 {
		has, known := format()
		must.Equal(t, has, known)
	}
}
