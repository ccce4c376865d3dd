package house

import (
	"fmt"
	"slices"
	"strings"
)

// plan lists the rooms from the ground up, one per line:
//
//	room: rooms it may import | rooms its tests may import as well
//
// A room is a folder with the packages below it, except for packages that have a line of
// their own. The tests of every room may import testRooms as well.
const plan = `
internal/must
internal/golden: internal/must
internal/lexing
sourcemap: | fixtures
functable
runtime: | functable profile profile/format profile/slices profile/view transform
internal/release
internal/pathglob
internal/connections
internal/cputime
internal/durable
internal/filelock
internal/outfile
internal/urlerror
internal/rootfs
profile: sourcemap functable
profile/format: internal/release profile | profile/view profile/format/internal/formattest fixtures
profile/view: profile
profile/slices: profile profile/view | profile/format
profile/format/internal/formattest: internal/must profile profile/view
profile/report: profile profile/slices
profile/live: functable profile | profile/format
internal/livetest: profile/live
profile/live/client: internal/urlerror profile/live | internal/livetest
profile/symbols: sourcemap functable internal/pathglob internal/rootfs profile | profile/format profile/view
profile/budget: internal/pathglob profile profile/view
transform/internal/order
transform/internal/edit: transform/internal/order
transform/internal/htmlscan: | fixtures
transform/internal/jsscan: | internal/lexing fixtures
transform/internal/disk
transform/training: functable
transform: sourcemap functable runtime transform/training transform/internal/order transform/internal/edit transform/internal/jsscan | fixtures
transform/instrumented: sourcemap functable profile transform
transform/builddir: sourcemap functable runtime transform/training internal/release internal/pathglob internal/rootfs transform/internal/htmlscan transform/internal/jsscan transform/internal/disk transform
transform/esbuildplugin: sourcemap runtime transform/internal/disk transform transform/builddir
transform/service: sourcemap functable internal/release transform/internal/disk transform transform/builddir | runtime
coordinator: profile internal/cputime
gojahost/internal/crossing
gojahost/accounts: profile
gojahost: functable runtime profile transform transform/instrumented internal/cputime coordinator gojahost/accounts gojahost/internal/crossing | profile/view
gojahost/build
gojahost/sobekhost: functable runtime profile transform transform/instrumented internal/cputime coordinator gojahost/accounts gojahost/internal/crossing | profile/view
gojahost/mozilla: runtime profile coordinator gojahost | transform
gojahost/jsprofile: profile profile/format profile/report coordinator gojahost/accounts | gojahost gojahost/sobekhost
engine: profile transform transform/instrumented
engine/bundle: sourcemap
engine/failure: transform/instrumented engine/bundle
engine/protocol: profile transform/instrumented engine engine/failure
engine/shown: profile profile/live profile/live/client transform/instrumented engine | internal/livetest transform
engine/goja: runtime profile profile/live transform internal/cputime coordinator gojahost transform/instrumented engine engine/bundle engine/failure engine/shown | profile/view fixtures
engine/node: profile/live runtime transform transform/instrumented engine engine/bundle engine/protocol engine/shown
engine/browser: runtime transform transform/instrumented engine engine/bundle engine/protocol
fixtures
collect/record: profile
collect/store: profile collect/record
collect/store/memory: profile collect/record collect/store | collect/store/storetest
collect/store/storetest: profile collect/record collect/store collect/store/memory
collect/store/sqlite: internal/durable internal/outfile profile collect/record collect/store | collect/store/memory collect/store/storetest
collect/store/clickhouse: profile collect/record collect/store
collect/config: internal/outfile profile/budget collect/store
collect/ingest: profile profile/format profile/slices collect/record collect/config
collect/spool: internal/durable internal/filelock
collect/intake: collect/record collect/store collect/spool | profile collect/store/memory collect/store/sqlite
collect/forward: internal/urlerror profile profile/format collect/record collect/spool collect/config
collect/answer: functable profile profile/view profile/slices profile/symbols profile/budget collect/record collect/store | transform transform/builddir collect/store/memory
collect/alert: internal/outfile internal/urlerror profile/budget collect/answer collect/config collect/store | profile collect/record collect/store/memory
collect/ui: profile/format
collect/api: sourcemap functable profile profile/format profile/report profile/view collect/record collect/config collect/store collect/answer | collect/store/memory
collect/client: internal/urlerror sourcemap | collect/answer collect/api collect/config collect/store/memory
collect/server: collect/record collect/config collect/ingest collect/intake collect/store collect/store/sqlite collect/store/clickhouse collect/forward collect/answer collect/alert collect/api collect/ui internal/connections internal/durable internal/filelock | collect/store/memory
collect
internal/serve/site: internal/rootfs sourcemap functable runtime profile transform transform/builddir
internal/serve/hub: internal/filelock profile profile/format profile/live profile/report
internal/serve/qr
internal/serve/certificate: internal/outfile
internal/serve/address
internal/serve: internal/connections profile/report internal/serve/address internal/serve/hub internal/serve/site | internal/serve/certificate
test/browser: internal/must transform/builddir fixtures | transform
test/interactions/site: runtime transform transform/builddir
bench/figures: profile profile/view
bench/node: fixtures
bench/provenance: engine/browser bench/figures bench/node
bench/archive: bench/figures
bench/estimate: bench/figures
bench/plot: bench/estimate
bench/building: internal/lexing transform transform/esbuildplugin fixtures bench/figures bench/node internal/cputime
bench/recording: runtime profile profile/view transform coordinator internal/cputime gojahost engine engine/goja fixtures bench/figures bench/node
bench/tenants: profile transform coordinator internal/cputime gojahost bench/figures bench/estimate
bench/devtools: engine/browser
bench/truth: sourcemap functable profile profile/view profile/format transform transform/instrumented coordinator engine engine/bundle engine/goja engine/node engine/browser fixtures bench/figures bench/estimate bench/devtools
bench/forks: profile transform coordinator gojahost gojahost/sobekhost fixtures bench/figures bench/truth
bench/bias: sourcemap profile transform engine engine/bundle engine/goja engine/node engine/browser fixtures bench/figures bench/node bench/estimate bench/plot bench/truth bench/archive | transform/instrumented
bench/overhead: runtime transform transform/training functable coordinator internal/cputime gojahost engine/bundle engine/goja engine/node engine/browser fixtures bench/figures bench/estimate bench/plot
bench/causal: functable profile transform transform/instrumented engine engine/bundle engine/goja engine/node engine/browser fixtures bench/figures bench/estimate bench/plot bench/truth
bench/pages: profile profile/live profile/report engine/browser bench/figures
bench/streaming: runtime profile/live transform bench/devtools bench/figures
bench/visits: fixtures transform/builddir test/browser bench/figures bench/estimate bench/plot
bench/serving
bench/collecting: profile profile/format collect/record collect/store collect/store/sqlite collect/answer test/browser bench/figures bench/serving
bench/services: profile profile/format profile/symbols profile/view transform transform/builddir transform/instrumented engine/node fixtures bench/figures bench/node bench/estimate bench/serving
bench/interactions: runtime transform test/browser test/interactions/site bench/devtools bench/figures
bench/targets: | fixtures
bench/document: fixtures bench/figures bench/archive bench/bias bench/overhead bench/causal bench/visits bench/collecting bench/targets
bench: fixtures bench/figures bench/building bench/recording bench/truth bench/bias bench/pages bench/streaming bench/interactions bench/collecting bench/visits bench/provenance bench/archive transform transform/builddir bench/overhead bench/causal bench/forks bench/tenants bench/services
cmd/instrument: internal/release internal/pathglob internal/outfile internal/serve internal/serve/address internal/serve/certificate internal/serve/hub internal/serve/qr internal/serve/site profile profile/format profile/live/client profile/view profile/slices profile/report profile/symbols profile/budget collect/config collect/answer collect/client collect/server transform transform/builddir transform/training transform/service engine engine/goja engine/node engine/browser | collect/api collect/record collect/store/memory
npm/build: internal/release
npm/wasm: transform/service
test: | internal/release sourcemap functable runtime profile/format profile/view transform transform/builddir fixtures test/browser test/npm
test/engines: | profile profile/live internal/livetest transform engine engine/bundle engine/goja engine/node engine/browser fixtures bench/truth
test/test262: runtime transform | fixtures
test/libraries: | transform fixtures
test/stacks: | sourcemap functable transform fixtures
test/npm: internal/must internal/release fixtures | profile/format profile/view transform transform/builddir test/browser
test/viewers: | profile profile/format profile/view fixtures
test/serve/site: | functable internal/serve/site transform transform/builddir fixtures test/browser
test/live: | runtime profile/live transform test/browser
test/report: | profile profile/view profile/live profile/report bench/pages test/browser
test/send: | runtime profile profile/format profile/slices profile/symbols transform test/browser
test/serve: | profile profile/format profile/live profile/live/client test/browser
test/interactions: | runtime profile/format profile/slices profile/symbols transform fixtures test/browser test/interactions/site
test/collect/ui: | functable profile collect/record collect/store collect/store/memory collect/answer collect/api collect/config collect/ui test/browser
test/collect/running: internal/must collect/config collect/server
test/collect/field: runtime transform test/browser test/interactions/site
test/collect/demo: test/browser test/collect/field
test/clickhouse: | profile collect/record collect/store collect/store/storetest collect/store/clickhouse fixtures bench/figures bench/collecting
test/collect: | collect/answer test/browser test/collect/field test/collect/running
test/sdk: | fixtures runtime transform transform/builddir collect/answer test/browser test/collect/running
test/wpt: functable runtime transform transform/builddir test/browser
`

// testRooms are what the tests of every room may import.
var testRooms = []string{"internal/must", "internal/golden"}

// room is a line of the plan.
type room struct {
	name           string
	imports, tests []string
}

// readPlan parses the plan.
func readPlan(plan string) ([]room, error) {
	var rooms []room
	for line := range strings.Lines(strings.TrimSpace(plan)) {
		name, rest, _ := strings.Cut(line, ":")
		imports, tests, _ := strings.Cut(rest, "|")
		r := room{strings.TrimSpace(name), strings.Fields(imports), strings.Fields(tests)}
		if slices.ContainsFunc(rooms, func(other room) bool { return other.name == r.name }) {
			return nil, fmt.Errorf("%s is listed twice", r.name)
		}
		rooms = append(rooms, r)
	}
	return rooms, nil
}

// roomOf finds the most specific room that a package belongs to, or nil.
func roomOf(rooms []room, pkg string) *room {
	var best *room
	for i := range rooms {
		if within(pkg, rooms[i].name) && (best == nil || len(rooms[i].name) > len(best.name)) {
			best = &rooms[i]
		}
	}
	return best
}

// within reports whether a package is a folder or below it.
func within(pkg, folder string) bool {
	return pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

// dependency is a heavy one, which only the listed folders may import.
type dependency struct {
	path           string
	imports, tests []string
}

// heavy dependencies stay at the edges.
var heavy = []dependency{
	{"github.com/evanw/esbuild", []string{"runtime/build", "profile/report/build", "npm/build", "engine/bundle", "transform/esbuildplugin", "bench/building", "test/interactions/site"},
		[]string{"collect/answer", "fixtures", "profile/format/cpuprofile", "profile/symbols", "runtime", "sourcemap", "test", "transform"}},
	{"github.com/dop251/goja_nodejs", []string{"engine/goja", "bench/truth", "bench/overhead", "fixtures/clocks"}, []string{"fixtures", "gojahost/jsprofile"}},
	{"github.com/dop251/goja", []string{"gojahost", "engine/goja", "bench/forks", "bench/recording", "bench/tenants", "bench/truth", "bench/overhead", "fixtures/clocks"}, []string{"fixtures", "transform"}},
	{"github.com/grafana/sobek", []string{"gojahost/sobekhost", "bench/forks"}, []string{"gojahost/jsprofile"}},
	{"github.com/tdewolff/parse", []string{"transform/internal/jsscan", "internal/lexing", "bench/building"}, []string{"transform/internal/htmlscan"}},
	{"github.com/google/pprof", []string{"profile/format/pprof", "gojahost/internal/crossing"}, []string{"collect/forward", "gojahost/jsprofile", "runtime", "test/npm"}},
	{"github.com/go-json-experiment", []string{"profile/format"}, nil},
	{"go.opentelemetry.io", []string{"profile/format/otlp"}, []string{"collect/forward"}},
	{"github.com/andybalholm/brotli", []string{"bench/building", "transform/builddir"}, nil},
	{"github.com/coder/websocket", []string{"bench/pages", "bench/devtools", "bench/streaming", "profile/live/client", "internal/livetest", "internal/serve/hub"}, []string{"test/live", "test/serve"}},
	{"github.com/spf13", []string{"bench", "cmd/instrument"}, nil},
	{"modernc.org/sqlite", []string{"collect/store/sqlite"}, nil},
	{"github.com/ClickHouse", []string{"collect/store/clickhouse"}, []string{"test/clickhouse"}},
	{"github.com/prometheus", []string{"collect"}, nil},
	{"github.com/klauspost/compress", []string{"bench/archive", "collect"}, nil},
	{"github.com/santhosh-tekuri/jsonschema", nil, []string{"bench/archive"}},
	{"golang.org/x/time", []string{"collect"}, nil},
	{"github.com/getkin/kin-openapi", nil, []string{"collect/api"}},
	{"rsc.io/qr", []string{"internal/serve/qr"}, nil},
	{"go.yaml.in/yaml", []string{"collect/config", "profile/budget"}, []string{"cmd/instrument", "test/house"}},
}

// heavyOf finds the heavy dependency that an import path belongs to, or nil.
func heavyOf(path string) *dependency {
	for i := range heavy {
		if within(path, heavy[i].path) {
			return &heavy[i]
		}
	}
	return nil
}
