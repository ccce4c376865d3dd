# fieldprof. `make test` is what CI runs; `make demo` profiles a program.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GO          = go

.PHONY: test setup check unit fuzz-seeds demo bench generate

test: setup check unit

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

# Everything once; and once more for races, where the long tests do less.
unit:
	$(GO) test -timeout 20m ./...
	$(GO) test -race -short -timeout 20m ./...

# A profile of a program of our own, with nothing to install.
demo:
	$(GO) run ./cmd/instrument run fixtures/real/raytrace/main.ts

# Timing and bias figures, written to bench/results/.
bench:
	$(GO) run ./cmd/instrument bench all --out bench/results

# Everything generated: committed, and checked by `make check`.
generate:
	$(GO) generate ./...
