package clickhouse

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	client "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/fieldprof/fieldprof/bench/collecting"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/internal/must"
)

// report is what BenchmarkDay finds.
type report struct {
	figures.Origin
	Servers map[string]day `json:"servers"`
}

// day is a day of chunks on some servers.
type day struct {
	Chunks      int                `json:"chunks"`
	PerSecond   float64            `json:"perSecond"`   // chunks written
	BytesStored float64            `json:"bytesStored"` // a chunk, of one replica, with all resolutions
	Table       map[string]float64 `json:"table"`       // of them, those of each table
	Questions   map[string]float64 `json:"questions"`   // ms
}

var servers = []string{"modern", "single", "sharded"}

// questions are about the whole day: a flame graph, a flame graph of one route, an overview of routes and
// releases, a flame graph of each hour, and the labels.
var questions = []string{"flame", "route", "overview", "hours", "labels"}

// Table is the report for people.
func (r *report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A day in ClickHouse\n\n%s. Chunks of a minute each; all servers share the machine.\n\n", r.WithGo())
	row := func(name string, value func(day) float64, format string) {
		b.WriteString("| " + name)
		for _, s := range servers {
			fmt.Fprintf(&b, " | "+format, value(r.Servers[s]))
		}
		b.WriteString(" |\n")
	}
	b.WriteString("| | " + strings.Join(servers, " | ") + " |\n|---|--:|--:|--:|\n")
	row("chunks", func(d day) float64 { return float64(d.Chunks) }, "%.0f")
	row("written, chunks/s", func(d day) float64 { return d.PerSecond }, "%.0f")
	row("stored, bytes a chunk", func(d day) float64 { return d.BytesStored }, "%.0f")
	for _, q := range questions {
		row(q+", ms", func(d day) float64 { return d.Questions[q] }, "%.0f")
	}
	return b.String()
}

// BenchmarkDay writes a day of chunks, and asks about it:
//
//	FIELDPROF_CHUNKS=100000 go test -run xxx -bench Day -benchtime 1x -timeout 1h ./test/clickhouse
//
// FIELDPROF_RESULTS=DIRECTORY writes clickhouse.json and clickhouse.md; servers that -bench leaves out
// (Day/modern) stay as they are there.
func BenchmarkDay(b *testing.B) {
	chunks, err := strconv.Atoi(os.Getenv("FIELDPROF_CHUNKS"))
	if err != nil {
		chunks = 2000
	}
	c := startCluster(b)
	one := "clickhouse://" + c.servers[0].address()
	r := report{Origin: figures.Origin{Machine: figures.Here("").Machine,
		Command: "go test -run xxx -bench Day -benchtime 1x -timeout 1h ./test/clickhouse"}, Servers: map[string]day{}}
	to := os.Getenv("FIELDPROF_RESULTS")
	if text, err := os.ReadFile(filepath.Join(to, "clickhouse.json")); err == nil {
		var before report
		must.Do(b, json.Unmarshal(text, &before))
		r.Servers = before.Servers
	}
	for _, on := range []struct {
		name, address, parameters string
		nodes                     []string // one replica of each shard
	}{
		{"modern", startModern(b), "", nil},
		{"single", one, "", []string{one}},
		{"sharded", c.address(), "?cluster=field", []string{one, "clickhouse://" + c.servers[2].address()}},
	} {
		b.Run(on.name, func(b *testing.B) {
			if on.nodes == nil {
				on.nodes = []string{on.address}
			}
			for b.Loop() {
				r.Servers[on.name] = measure(b, chunks, on.address, on.parameters, on.nodes)
			}
			b.ReportMetric(r.Servers[on.name].BytesStored, "bytes/chunk")
			for q, ms := range r.Servers[on.name].Questions {
				b.ReportMetric(ms, q+"-ms")
			}
		})
	}
	if to != "" {
		must.Do(b, figures.Write(to, "clickhouse", &r))
	}
}

func measure(b *testing.B, chunks int, address, parameters string, nodes []string) day {
	database := fmt.Sprintf("day%d", time.Now().UnixNano())
	s := openDatabase(b, address+"/"+database+parameters)
	chunk := must.Get(collecting.Chunks())(b)
	end := time.Now().UTC().Truncate(24 * time.Hour)
	began := time.Now()
	const batch = 800
	for from := 0; from < chunks; from += batch {
		var list []*record.Chunk
		for i := from; i < min(from+batch, chunks); i++ {
			list = append(list, chunk(end.Add(-24*time.Hour+time.Duration(float64(i)/float64(chunks)*float64(24*time.Hour)))))
		}
		must.Get(s.Write(b.Context(), record.IDOf("batch", strconv.Itoa(from)), list))(b)
	}
	d := day{Chunks: chunks, PerSecond: float64(chunks) / time.Since(began).Seconds(), Table: map[string]float64{}, Questions: map[string]float64{}}
	for _, node := range nodes {
		d.size(b, node, database, chunks)
	}
	d.ask(b, s, end)
	return d
}

// size adds what a server has stored of a database, once it has merged its parts.
func (d *day) size(b *testing.B, node, database string, chunks int) {
	o := must.Get(client.ParseDSN(strings.TrimPrefix(node, "clickhouse+") + "/" + database))(b)
	o.ReadTimeout = time.Hour
	conn := must.Get(client.Open(o))(b)
	defer func() { _ = conn.Close() }()
	partitions := each[string](b, conn, "SELECT DISTINCT concat(table, ' PARTITION ', if(startsWith(partition, '(') OR match(partition, '^[0-9]+$'), partition, 'tuple()')) FROM system.parts "+
		"WHERE active AND database = '"+database+"' AND (table LIKE 'ticks%' OR table LIKE 'totals%')")
	for _, p := range partitions {
		must.Do(b, conn.Exec(b.Context(), "OPTIMIZE TABLE "+p+" FINAL"))
	}
	rows := must.Get(conn.Query(b.Context(), "SELECT table, sum(bytes_on_disk) FROM system.parts WHERE active AND database = '"+database+"' GROUP BY table"))(b)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var table string
		var bytes uint64
		must.Do(b, rows.Scan(&table, &bytes))
		d.Table[strings.TrimSuffix(table, "_local")] += float64(bytes) / float64(chunks)
		d.BytesStored += float64(bytes) / float64(chunks)
	}
}

func each[T any](b *testing.B, conn driver.Conn, query string) (found []T) {
	rows := must.Get(conn.Query(b.Context(), query))(b)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one T
		must.Do(b, rows.Scan(&one))
		found = append(found, one)
	}
	return found
}

func (d *day) ask(b *testing.B, s store.Store, end time.Time) {
	all := store.Selection{App: "shop", From: end.Add(-24 * time.Hour), To: end}
	route := all
	route.Where = map[string][]string{record.Route: {collecting.Route(3)}}
	const limit = 20_000
	for i, ask := range []func(context.Context) error{
		func(ctx context.Context) error { return flame(ctx, s, all, limit) },
		func(ctx context.Context) error { return flame(ctx, s, route, limit) },
		func(ctx context.Context) error {
			_, err := s.Totals(ctx, all, store.Grouping{By: []string{record.Route, record.Release}})
			return err
		},
		func(ctx context.Context) error {
			_, err := s.Ticks(ctx, all, store.Grouping{Step: time.Hour}, limit)
			return err
		},
		func(ctx context.Context) error { _, err := s.Values(ctx, all); return err },
	} {
		var times []float64
		for range 5 {
			began := time.Now()
			must.Do(b, ask(b.Context()))
			times = append(times, time.Since(began).Seconds()*1000)
		}
		d.Questions[questions[i]] = figures.Median(times)
	}
}

// flame asks for what a flame graph consists of.
func flame(ctx context.Context, s store.Store, of store.Selection, limit int) error {
	ticks, err := s.Ticks(ctx, of, store.Grouping{}, limit)
	if err != nil {
		return err
	}
	seen := map[store.Hash]bool{}
	var hashes []store.Hash
	for _, sum := range ticks.Sums {
		if !seen[sum.Site] {
			seen[sum.Site] = true
			hashes = append(hashes, sum.Site)
		}
	}
	_, err = s.Sites(ctx, of.App, hashes)
	return err
}
