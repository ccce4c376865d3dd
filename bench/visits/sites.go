package visits

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// site is one of the apps in the folder sites.
type site struct {
	name, what string
	steps      []step
}

// step is a part of the interaction, and an element that is there when it is done.
type step struct {
	click string // an element, or
	press string // a key
	done  string
}

// sites in the order of tables.
var sites = []site{
	{"react", "React with a router, a lazy chunk and a worker: a shop of 8,000 products that are searched at each key", []step{
		{click: "#search", done: "#search:focus"},
		{press: "l", done: `main[data-words="l"]`},
		{press: "a", done: `main[data-words="la"]`},
		{press: "m", done: `main[data-words="lam"]`},
		{click: "#statistics", done: "#charts"},
	}},
	{"svelte", "Svelte: a ledger of 400 lines that are sorted and filtered", []step{
		{click: "#by-price", done: `main[data-order="price"]`},
		{click: "#by-name", done: `main[data-order="name"]`},
		{click: "#filter", done: "#filter:focus"},
		{press: "o", done: `main[data-text="o"]`},
		{press: "a", done: `main[data-text="oa"]`},
	}},
	{"grid", "a spreadsheet of 8,000 lines by AG Grid: a large library", []step{
		{click: `[role="columnheader"][col-id="price"]`, done: `#root[data-sorted="price asc"]`},
		{click: `[role="columnheader"][col-id="worth"]`, done: `#root[data-sorted="worth asc"]`},
		{click: "#find", done: "#find:focus"},
		{press: "o", done: `#root[data-found="o"]`},
		{press: "a", done: `#root[data-found="oa"]`},
	}},
}

// The builds of a site. clean and again are the same.
const (
	clean     = "clean"
	again     = "again"
	idle      = "idle"
	recording = "recording"
)

// builds of a site in the order of tables.
var builds = []string{clean, again, idle, recording}

// served is a site with its builds as they are served.
type served struct {
	site
	builds map[string]files
}

var (
	//go:embed js/probe.js
	probe string
	//go:embed js/recording.js
	record string
)

var (
	head    = regexp.MustCompile(`<head>`)
	runtime = regexp.MustCompile(`<script [^>]*src="[^"]*fieldprof/runtime\.js"[^>]*></script>`)
)

// build builds a site as its author does, and instruments it as its owner does.
func build(ctx context.Context, s site, dir string) (*served, error) {
	folder := filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "visits", "sites")
	if err := fixtures.InstallIn(folder); err != nil {
		return nil, err
	}
	dist := filepath.Join(dir, s.name, "dist")
	cmd := exec.CommandContext(ctx, "node", "build.mjs", s.name, dist)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the site %s: %w\n%s", s.name, err, out)
	}
	return instrument(ctx, s, dist)
}

// instrument makes the builds of a site from what its bundler wrote.
func instrument(ctx context.Context, s site, dist string) (*served, error) {
	report, err := builddir.Run(ctx, builddir.Options{Input: dist, Output: dist + "-profiled", NoSizes: true})
	if err != nil {
		return nil, err
	}
	for _, w := range report.Warnings {
		return nil, fmt.Errorf("instrumenting the site %s: %v", s.name, w)
	}
	plain, err := read(dist, probed)
	if err != nil {
		return nil, err
	}
	profiled, err := read(report.Output, probed)
	if err != nil {
		return nil, err
	}
	recorded, err := read(report.Output, func(page []byte) ([]byte, error) {
		page, err := probed(page)
		if err != nil {
			return nil, err
		}
		return inserted(page, runtime, "module", record) // modules wait for the runtime, and run in order
	})
	return &served{s, map[string]files{clean: plain, again: plain, idle: profiled, recording: recorded}}, err
}

// probed puts the probe first in a page's head.
func probed(page []byte) ([]byte, error) { return inserted(page, head, "text/javascript", probe) }

// inserted puts a script of a type after the first match of a pattern.
func inserted(page []byte, pattern *regexp.Regexp, kind, script string) ([]byte, error) {
	found := pattern.FindIndex(page)
	if found == nil {
		return nil, fmt.Errorf("the page has no %v", pattern)
	}
	return fmt.Appendf(nil, "%s<script type=%s>%s</script>%s", page[:found[1]], kind, script, page[found[1]:]), nil
}

// workspace is a folder for builds, and removes it.
func workspace() (string, func(), error) {
	dir, err := os.MkdirTemp("", "fieldprof-visits-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
