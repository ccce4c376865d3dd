# fieldprof. `make test` is what CI runs; `make demo` profiles a program.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GO          = go

.PHONY: test setup check lint unit others fuzz demo bench bench-full bench-all bench-speed test-browsers test262 wpt generate npm

test: setup check lint unit

# What the tests need beside Go: a C compiler for the race detector, Node for
# the oracles. Packages from npm are fetched by the tests that use them.
setup:
	@.ci/setup

# Style and static checks.
check:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt these: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	@.ci/generated

# The same for TypeScript and the scripts of the tests.
LINT = test/lint/node_modules/.bin
lint:
	@if ! command -v npm >/dev/null; then \
		if [ -n "$$CI" ]; then echo "lint: npm is missing"; exit 1; fi; \
		echo "lint: SKIPPED: npm is missing"; exit 0; \
	fi; \
	set -e; \
	[ test/lint/node_modules/.package-lock.json -nt test/lint/package-lock.json ] || npm ci --prefix test/lint; \
	$(LINT)/tsc --project test/lint/tsconfig.json; \
	for package in npm/fieldprof npm/wasm npm/esbuild npm/unplugin; do \
		[ ! -e $$package/tsconfig.json ] || $(LINT)/tsc --noEmit --project $$package; \
	done; \
	$(LINT)/eslint --config test/lint/eslint.config.mjs --max-warnings 0 .; \
	echo "lint: tsc and eslint passed"

# Everything once, the oracles over all their files; and once more for races what
# starts goroutines, or is tested with some, where the long tests do less. Those that
# only tests start are not looked at.
RACED = $$(grep -rlE --include='*.go' --exclude-dir=node_modules --exclude-dir=wasm --exclude-dir=test --exclude-dir=fixtures '^\s*go [A-Za-z_.]+\(|\.Go\(|t\.Parallel\(' . | xargs -n1 dirname | sort -u)
unit: others test-browsers
	$(GO) test -race -short -timeout 20m $(RACED)

# What runs in Chromium, Firefox and WebKit, package by package: three browsers
# keep a small machine busy, and what looks at time wants no more. Those that are
# sampled run every fixture in every engine under FIELDPROF_FULL=1, which takes six
# minutes.
BROWSERS = browser conformance deploy mozilla report runtime sdk send sites texts
SAMPLED  = engines plugins profiles
test-browsers: setup
	FIELDPROF_FULL=1 $(GO) test -p 1 -timeout 20m $(addprefix ./test/,$(BROWSERS))
	$(GO) test -p 1 -timeout 20m $(addprefix ./test/,$(SAMPLED))

# And all the rest.
others:
	FIELDPROF_FULL=1 $(GO) test -timeout 20m $$($(GO) list ./... | grep -vE '/test/($(subst $() ,|,$(BROWSERS) $(SAMPLED)))$$')

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

# How far profiles are from the truth, and at what cost: five minutes, then
# docs/accuracy.md of the results. bench-full takes an hour; bench-all adds every
# other measure.
bench:
	$(GO) run ./cmd/instrument bench bias --quick --out bench/results
	$(GO) generate ./bench/bias

bench-full:
	$(GO) run ./cmd/instrument bench bias --out bench/results
	$(GO) generate ./bench/bias

bench-all:
	$(GO) run ./cmd/instrument bench all --out bench/results
	$(GO) generate ./bench/bias

# The transform beside a bare lexer and other tools, from Go and npm; and a whole
# directory as a process.
bench-speed:
	$(GO) run ./cmd/instrument bench speed build --runs 5 --out bench/results

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
	@[ test/lint/node_modules/.package-lock.json -nt test/lint/package-lock.json ] || { echo "installing the compiler of types (npm ci)"; npm ci --prefix test/lint; }
	@echo "building the packages, into npm/dist; the first time takes minutes"
	$(GO) run ./npm/build -platforms $(PLATFORMS)
