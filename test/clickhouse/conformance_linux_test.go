package clickhouse

import (
	"testing"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/storetest"
)

func TestCluster(t *testing.T) {
	c := startCluster(t)
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, c.address(), "?cluster=field") })
}
