package clickhouse

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/clickhouse"
	"github.com/fieldprof/fieldprof/collect/store/storetest"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

func TestModernServer(t *testing.T) {
	address := startModern(t)
	t.Run("suite", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) store.Store { return open(t, address, "") })
	})
	t.Run("format", func(t *testing.T) { testFormat(t, address, "") })
	t.Run("rivals", func(t *testing.T) { testRivals(t, address, "") })
	t.Run("repeated", func(t *testing.T) { testRepeated(t, address, "") })
	t.Run("starts", func(t *testing.T) { testStarts(t, address, "") })
}

// startModern starts the server that is in chdb, and returns its address.
func startModern(t testing.TB) string {
	fixtures.EnsureIn(t, ".")
	server := exec.Command("node", "testdata/server.cjs", t.TempDir())
	server.Stderr = os.Stderr
	input := must.Get(server.StdinPipe())(t)
	output := must.Get(server.StdoutPipe())(t)
	must.Do(t, server.Start())
	t.Cleanup(func() {
		_ = input.Close() // it ends by itself
		_ = server.Wait()
	})
	port := must.Get(bufio.NewReader(output).ReadString('\n'))(t)
	return "clickhouse+http://127.0.0.1:" + strings.TrimSpace(port)
}

var databases struct {
	sync.Mutex
	count int
}

// open opens an empty store: a new database.
func open(t testing.TB, address, parameters string) *clickhouse.Store {
	databases.Lock()
	databases.count++
	database := fmt.Sprintf("test%d", databases.count)
	databases.Unlock()
	return openDatabase(t, address+"/"+database+parameters)
}

func openDatabase(t testing.TB, address string) *clickhouse.Store {
	s := must.Get(clickhouse.Open(t.Context(), address, store.DefaultRetention()))(t)
	t.Cleanup(func() { _ = s.Close() })
	return s
}
