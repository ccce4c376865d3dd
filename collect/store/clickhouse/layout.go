package clickhouse

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// table is a table of the layout.
type table struct {
	name    string
	columns string
	engine  string // without "Replicated"
	args    string // of the engine
	rest    string // PARTITION BY and so on
	// shard spreads rows over shards; "": every server has all rows.
	shard string
}

// byDay partitions what is removed day by day.
const byDay = "PARTITION BY toYYYYMMDD(at) "

// first is the first version of the layout. Times are UTC; durations are nanoseconds.
var first = []table{
	{name: "series", engine: "ReplacingMergeTree", args: "seen",
		columns: `app String, series UInt64, slow UInt8, rate Float64, every Int64,
			label_names Array(String), label_values Array(String), seen Date`,
		rest: "PARTITION BY toYYYYMM(seen) ORDER BY (app, series)"},
	{name: "sites", engine: "ReplacingMergeTree", args: "seen", shard: "site",
		columns: `app String, site UInt64, kind UInt8, marker UInt8,
			names Array(String) {zstd}, files Array(String) {zstd}, def_lines Array(Int32), def_columns Array(Int32), flags Array(UInt8),
			lines Array(Int32), columns Array(Int32), seen Date`,
		rest: "PARTITION BY toYYYYMM(seen) ORDER BY (app, site)"},
	{name: "ticks", engine: "SummingMergeTree", args: "(ticks)", shard: "site",
		columns: `app String, series UInt64 {zstd}, site UInt64 {zstd}, step UInt32, bucket DateTime('UTC') {delta},
			ticks Int64 {small}, salt UInt32`,
		rest: byStep + "ORDER BY (app, series, site, bucket)"},
	{name: "totals", engine: "SummingMergeTree", args: "(chunks, ticks, busy, observed)", shard: "cityHash64(app)", // so that questions see whole batches
		columns: `app String, series UInt64, step UInt32, bucket DateTime('UTC'),
			chunks Int64, ticks Int64, busy Int64, observed Int64, salt UInt32`,
		rest: byStep + "ORDER BY (app, series, bucket)"},
	{name: "views", engine: "ReplacingMergeTree", shard: "cityHash64(view)",
		columns: `app String, view FixedString(16), number Int64, at DateTime('UTC'), ns UInt32, series UInt64,
			counted UInt8, interactions Int64, slow Int64, long_tasks Int64, inp Int16, p75 Int16`,
		rest: byDay + "ORDER BY (app, view, number, at, ns, series, counted)"},
	{name: "slices", engine: "ReplacingMergeTree", shard: "cityHash64(id)",
		columns: `app String, id FixedString(16), at DateTime('UTC'), ns UInt32, series UInt64, view FixedString(16),
			what String, name String, target String, detail String, time Int64, duration Int64,
			input_delay Int64, processing Int64, presentation Int64,
			cause_name String, cause_file String, cause_line Int32, cause_column Int32, cause_flags UInt8,
			cause_group String, cause_time Int64, trace String`,
		rest: byDay + "ORDER BY (app, at, ns, id) SETTINGS index_granularity = 64"},
	{name: "examples", engine: "ReplacingMergeTree", shard: "cityHash64(id)",
		columns: "app String, id FixedString(16), at DateTime('UTC'), ns UInt32, series UInt64, ticks Int64, busy Int64, profile String",
		rest:    byDay + "ORDER BY (app, at, ns, id) SETTINGS index_granularity = 64"},
	{name: "files", engine: "ReplacingMergeTree", args: "version", shard: "cityHash64(app, release, name)",
		columns: `app String, release String, name String, kind String, debug_id String, size Int64, uploaded Int64,
			version UInt64, removed UInt8, content String`,
		rest: "ORDER BY (app, release, name) SETTINGS index_granularity = 1"},
	{name: "seen", engine: "ReplacingMergeTree", args: "lost", shard: "cityHash64(id)",
		columns: "id FixedString(16), batch UInt64, lost UInt8, at DateTime('UTC')",
		rest:    byDay + "ORDER BY (id, batch)"},
	{name: "batches", engine: "ReplacingMergeTree", args: "state",
		columns: "batch UInt64, state UInt8, others Array(FixedString(16)), at DateTime('UTC')",
		rest:    byDay + "ORDER BY batch"},
	{name: "migrations", engine: "ReplacingMergeTree", columns: "version UInt32, at DateTime('UTC')", rest: "ORDER BY version"},
	{name: "kept", engine: "ReplacingMergeTree", args: "since",
		columns: "what String, since DateTime('UTC')",
		rest:    "ORDER BY what"},
}

const byStep = "PARTITION BY (step, if(step < 86400, toYYYYMMDD(bucket), toYYYYMM(bucket))) "

// migrations are the versions of the layout: each says which statements lead to it, in any order.
// All can be repeated, and run at the same time by several collectors.
var migrations = [](func(s *Store, database string) []string){
	func(s *Store, database string) (all []string) {
		for _, t := range first {
			all = append(all, s.create(database, t)...)
		}
		return all
	},
}

// migrate brings the tables up to date. It changes nothing if they are, so that a collector can start
// while a server of the cluster is down.
func (s *Store) migrate(ctx context.Context, database string, has int) error {
	for v := has; v < len(migrations); v++ {
		if err := s.execAll(ctx, migrations[v](s, database)); err != nil {
			return err
		}
		if err := s.insert(ctx, "migrations", column{"version", []uint32{uint32(v + 1)}}, column{"at", []time.Time{time.Now()}}); err != nil {
			return err
		}
	}
	return nil
}

// version is the version of the layout that the database has; 0 for an empty one.
func (s *Store) version(ctx context.Context) (version int, _ error) {
	number := func(query string) (n uint64, _ error) {
		return n, s.ask(ctx, query, func(scan func(...any) error) error { return scan(&n) })
	}
	exists, err := number("SELECT count() FROM system.tables WHERE database = currentDatabase() AND name = 'migrations'")
	if err != nil || exists == 0 {
		return 0, err
	}
	latest, err := number("SELECT toUInt64(max(version)) FROM migrations")
	return int(latest), err
}

// create makes a table. On a cluster that is a replicated one on each server, and where rows are spread
// over shards, another that distributes them.
func (s *Store) create(database string, t table) []string {
	name, engine, args, rest := t.name, t.engine, t.args, t.rest
	if s.cluster != "" {
		engine = "Replicated" + engine
		shard := "all"
		if t.shard != "" {
			name, shard = local(t.name), "{shard}"
		}
		path := fmt.Sprintf("'/clickhouse/tables/%s/%s/%s', '{shard}-{replica}'", shard, database, t.name)
		args = strings.TrimSuffix(path+", "+args, ", ")
	}
	if window := s.window(t); window != "" {
		rest = withSetting(rest, window+" = 10000")
	}
	columns := s.codecs().Replace(t.columns)
	all := []string{fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s%s (%s) ENGINE = %s(%s) %s", name, onCluster(s.cluster), columns, engine, args, rest)}
	if s.cluster != "" && t.shard != "" {
		all = append(all, fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s%s (%s) ENGINE = Distributed(%s, %s, %s, %s)",
			t.name, onCluster(s.cluster), columns, quoted(s.cluster), quoted(database), name, t.shard))
	}
	return all
}

// codecs says how columns are compressed whose default is bad, where the server lets one choose.
func (s *Store) codecs() *strings.Replacer {
	if !s.modern {
		return strings.NewReplacer(" {zstd}", "", " {delta}", "", " {small}", "")
	}
	return strings.NewReplacer("{zstd}", "CODEC(ZSTD)", "{delta}", "CODEC(Delta, ZSTD)", "{small}", "CODEC(T64, ZSTD)")
}

// window is the setting that says how many blocks a table remembers in order to drop repeated
// ones. Those that replace rows need none.
func (s *Store) window(t table) string {
	switch {
	case t.engine != "SummingMergeTree":
		return ""
	case s.cluster != "":
		return "replicated_deduplication_window"
	case s.modern:
		return "non_replicated_deduplication_window"
	}
	return ""
}

// stored is the name of the table that has the rows which another distributes.
func (s *Store) stored(name string) string {
	for _, t := range first {
		if t.name == name && t.shard != "" && s.cluster != "" {
			return local(name)
		}
	}
	return name
}

func local(table string) string { return table + "_local" }

func withSetting(rest, setting string) string {
	if strings.Contains(rest, " SETTINGS ") {
		return rest + ", " + setting
	}
	return rest + " SETTINGS " + setting
}
