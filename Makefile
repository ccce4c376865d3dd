# fieldprof. `make test` is what a contributor runs, `.ci/run` what CI runs; `make demo`
# profiles a program.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GO          = go
VET         = -vettool=$(CURDIR)/.ci/vet

# The same settings everywhere, those of the npm packages' programs among them: so
# each package is compiled once. -trimpath also keeps the cache from knowing the folder.
export GOFLAGS     = -trimpath
export CGO_ENABLED = 0

# `instrument run` gives WebKit a fresh cache, where GStreamer would look for all its plugins
# at each start, for a second: tests have its list in one place.
export GST_REGISTRY = $(or $(TMPDIR),/tmp)/fieldprof-gstreamer.bin

.PHONY: test test-all test-rest setup setup-all check lint unit rest race race-rest clickhouse packages oracles programs samples contexts fuzz ext ext-check demo demo-field bench bench-full bench-all bench-overhead bench-speed artifact test262 wpt generate npm

# All that needs no browser: style, static checks, and tests within minutes.
test: setup check lint unit

# All there is. test-rest is what CI runs beyond `make test`, where each browser, each way and
# each feature has its turn, but not each with each; FIELDPROF_FULL=1 has every page in every
# browser and every fixture in every engine and way.
test-all: test
	FIELDPROF_FULL=1 $(MAKE) test-rest ext-check oracles programs samples race-rest clickhouse

test-rest: setup-all race rest ext

# Programs that the tests need beside Go: Node for the oracles; and for the rest browsers, and a
# C compiler for the race detector. Packages from npm are fetched by the tests that
# use them.
setup:
	@.ci/setup

setup-all:
	@.ci/setup all

# Style and static checks.
check:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt these: $$unformatted"; exit 1; fi
	@.ci/part vet $(GO) vet $(VET) ./...
	@.ci/part staticcheck $(GO) run $(STATICCHECK) ./...
	@.ci/part generated .ci/generated

# The same for TypeScript and the scripts of the tests.
LINT = test/lint/node_modules/.bin
lint:
	@if ! command -v npm >/dev/null; then \
		if [ -n "$$CI" ]; then echo "lint: npm is missing"; exit 1; fi; \
		echo "lint: SKIPPED: npm is missing"; exit 0; \
	fi; \
	set -e; \
	.ci/npm test/lint; \
	.ci/part tsc .ci/each "$(LINT)/tsc --noEmit --project" test/lint npm npm/runtime; \
	.ci/part eslint $(LINT)/eslint --config test/lint/eslint.config.mjs --max-warnings 0 .

# Tests in folders, so that a new package falls into its place. Below test/ there are
# those that look at the repository itself, and those of whole systems: whose imports
# say that they start browsers or engines, or install packages from npm. The needs of
# these and of the bench take long to install and to run.
SYSTEMS = $$($(GO) list -f '{{.ImportPath}} {{.Imports}} {{.TestImports}} {{.XTestImports}}' ./test/... | \
	grep -E '/fieldprof/(test/browser|test/npm/packages|engine/|fixtures)' | cut -d' ' -f1)

unit:
	@.ci/part unit $(GO) test -vet=off -timeout 15m $$($(GO) list ./... | grep -vxF "$(SYSTEMS)" | grep -v /fieldprof/bench)

# And all the rest. Nothing in it looks at shares of time, so two packages run at a time even
# where both have browsers.
rest: packages
	@.ci/part rest env FIELDPROF_PACKAGES=$(PACKAGES) $(GO) test -vet=off -p 2 -timeout 20m ./bench/... $(SYSTEMS)

# The extensions, which are modules of their own. The programs that they extend are fetched first: where that is
# impossible, which CI never accepts, nothing of them can be built.
ext:
	@set -e; for folder in ext/*/; do \
		if ! (cd $$folder && $(GO) mod download); then \
			if [ -n "$$CI" ]; then echo "$$folder: its modules cannot be fetched"; exit 1; fi; \
			echo "$$folder: SKIPPED: its modules cannot be fetched"; continue; \
		fi; \
		.ci/part "$$folder vet" $(GO) -C $$folder vet $(VET) ./...; \
		.ci/part "$$folder" $(GO) -C $$folder test -vet=off -timeout 20m ./...; \
	done

# Staticcheck reads all of k6 for it, which takes minutes that CI does not have.
ext-check:
	@for folder in ext/*/; do .ci/part "$$folder staticcheck" $(GO) -C $$folder run $(STATICCHECK) ./... || exit 1; done

# The scanner against its oracles over all their files: `make test` has a sample.
oracles:
	@.ci/part "the scanner's oracles" env FIELDPROF_FULL=1 $(GO) test -vet=off -timeout 15m ./transform/internal/jsscan

# Generated programs, original against instrumented: `make test` has a sample.
programs:
	@.ci/part programs env FIELDPROF_FULL=1 $(GO) test -vet=off -timeout 30m ./transform -run 'TestGeneratedPrograms|TestLineBreaks'

# Every fixture with checks in every way in goja, a directory of 20,000 files, and a day of ticks:
# `make test` has a sample.
samples:
	@.ci/part samples env FIELDPROF_FULL=1 $(GO) test -vet=off -timeout 20m ./engine/goja ./transform/builddir ./gojahost -run 'TestFixturesBehaveTheSame|TestManyFiles|TestMemoryStaysFlat'

# Generated programs and pages, in all places where scripts and modules stand: `make rest`
# has a sample.
contexts:
	@.ci/part contexts env FIELDPROF_FULL=1 $(GO) test -vet=off -timeout 60m ./test/contexts

# The npm packages, once for all the tests that install them.
PACKAGES = $(CURDIR)/npm/dist/tests
packages:
	@.ci/npm test/lint
	@.ci/part packages $(GO) run ./npm/build -platforms host -out $(PACKAGES)

# The packages that start goroutines, or are tested with some, run once more for races, where the
# long tests do less. Those that only tests start are not looked at. Runs of their own, in test-all,
# have what CI's 25 minutes leave no time for: packages that link SQLite, an engine that was
# translated from C and takes the detector minutes to compile, or ClickHouse's client; the bench;
# and the adapter for sobek, which is that for goja under other names.
RACED_LATER = collect/store/.*|collect/intake|collect/server|cmd/instrument|gojahost/sobekhost|bench.*
RACED = $$(for folder in $$(grep -rlE --include='*.go' --exclude-dir=node_modules --exclude-dir=wasm --exclude-dir=test --exclude-dir=fixtures --exclude-dir=ext '^\s*go [A-Za-z_.]+\(|\.Go\(|t\.Parallel\(' . | xargs -n1 dirname | sort -u); do \
	[ -z "$$(ls $$folder/*_test.go 2>/dev/null)" ] || echo $$folder; done)
race:
	@.ci/part race env CGO_ENABLED=1 $(GO) test -vet=off -race -short -timeout 20m $$(echo "$(RACED)" | grep -vxE '\./($(RACED_LATER))')

race-rest:
	@.ci/part "race, the rest" env CGO_ENABLED=1 $(GO) test -vet=off -race -short -timeout 20m $$(echo "$(RACED)" | grep -xE '\./($(RACED_LATER))')

# The suite of stores on a cluster of ClickHouse servers, one of which is killed during writes:
# a minute and a half of both processors. `make rest` has the same suite on a single server.
clickhouse:
	@.ci/setup clickhouse
	@.ci/part clickhouse env FIELDPROF_FULL=1 $(GO) test -vet=off -timeout 20m ./test/clickhouse

# Every fuzzer there is, for a while. Tests run their corpora.
FUZZTIME = 30s
fuzz:
	@grep -roE --include='*_test.go' --exclude-dir=node_modules '^func Fuzz[A-Za-z]+' . | sed 's|/[^/]*:func | |' | sort | \
	while read -r folder fuzzer; do \
		$(GO) test $$folder -run xxx -fuzz "^$$fuzzer\$$" -fuzztime $(FUZZTIME) </dev/null || exit 1; \
	done

# A profile of a program of our own, with nothing to install.
demo:
	$(GO) run ./cmd/instrument run fixtures/real/raytrace/main.ts

# A shop in the field: `instrument collect` receives what its pages send from Chromium and
# Firefox, and shows it under the original names.
demo-field:
	$(GO) run ./test/collect/demo

# How far profiles are from the truth, and at what cost: five minutes, then
# docs/accuracy.md from the results. bench-full takes an hour; bench-all adds every
# other measure.
BENCH = $(GO) run ./bench
bench:
	$(BENCH) bias --quick --out bench/results
	$(GO) generate ./bench/bias

bench-full:
	$(BENCH) bias --out bench/results
	$(GO) generate ./bench/bias

bench-all: bench-overhead
	$(BENCH) all --out bench/results
	$(GO) generate ./bench/...

# The costs of checks and recordings: three presets in Node and goja, an hour; two of them in
# browsers; builds for a given overhead; and what the instrument itself sees.
bench-overhead:
	$(BENCH) overhead --out bench/results
	$(BENCH) overhead --preset balanced,precise --engine chromium,firefox --out bench/results
	$(BENCH) overhead --max-overhead 2% --out bench/results
	$(BENCH) overhead --aa --out bench/results
	$(BENCH) overhead --prove --out bench/results
	$(GO) generate ./bench/overhead

# The part that a reviewer repeats, in a checkout or by bench/Containerfile: the raw samples of bias,
# packed; every report that says how right profiles are and what they cost; and the pages.
RAW = bench/raw
artifact:
	rm -rf $(RAW) $(RAW).tar.zst
	$(BENCH) bias --keep $(RAW) --out bench/results
	$(BENCH) archive pack $(RAW) $(RAW).tar.zst
	$(BENCH) truth causal page --out bench/results
	$(MAKE) --no-print-directory bench-overhead
	$(GO) generate ./bench/...

# The transform against a bare lexer and other tools, from Go and npm; and a whole
# directory as a process.
bench-speed:
	$(BENCH) speed build --runs 5 --out bench/results

# All of test262's language tests, original against instrumented. TEST262 is a
# checkout of tc39/test262; CI has its parser tests from npm instead.
test262:
	@[ -n "$(TEST262)" ] || { echo "test262: name a checkout of tc39/test262: make test262 TEST262=DIR"; exit 2; }
	$(GO) run ./test/test262 $(TEST262)

# The js-self-profiling tests of the web platform, instrumented, in three browsers.
# WPT is a checkout of web-platform-tests/wpt.
wpt:
	@[ -n "$(WPT)" ] || { echo "wpt: name a checkout of web-platform-tests/wpt: make wpt WPT=DIR"; exit 2; }
	$(GO) run ./test/wpt $(WPT)

# Everything generated: committed, and checked by `make check`.
generate:
	$(GO) generate ./...

# All npm packages, built and packed into npm/dist: npm/README.md. PLATFORMS limits
# the programs that are built: host, none, or a list such as linux-x64,darwin-arm64.
PLATFORMS = all
npm:
	@.ci/npm test/lint
	@echo "building the packages, into npm/dist; the first time takes minutes"
	$(GO) run ./npm/build -platforms $(PLATFORMS)
