package clickhouse

import (
	"os"
	"testing"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/storetest"
)

// TestCluster runs all on one cluster, since it takes long to start; replicas are killed at the end.
// `make clickhouse` runs it, in a minute and a half that CI does not have.
func TestCluster(t *testing.T) {
	if os.Getenv("FIELDPROF_FULL") == "" {
		t.Skip("SKIPPED: FIELDPROF_FULL is not set; make clickhouse runs the cluster")
	}
	c := startCluster(t)
	t.Run("suite", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) store.Store { return open(t, c.address(), "?cluster=field") })
	})
	t.Run("format", func(t *testing.T) { testFormat(t, c.address(), "?cluster=field") })
	t.Run("rivals", func(t *testing.T) { testRivals(t, c.address(), "?cluster=field") })
	t.Run("repeated", func(t *testing.T) { testRepeated(t, c.address(), "?cluster=field") })
	t.Run("starts", func(t *testing.T) { testStarts(t, c.address(), "?cluster=field") })
	t.Run("killed", func(t *testing.T) { testKilled(t, c) })
}
