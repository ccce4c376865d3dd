package building

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/node"
	"github.com/fieldprof/fieldprof/fixtures"
)

// PluginJSReport is the time that the npm package @fieldprof/esbuild adds to builds of
// the app.
type PluginJSReport struct {
	PluginReport
	// Inside is, for each row, the time of the plugin's work at the end of a build, in
	// milliseconds; the rest is esbuild handing its output to Node.
	Inside []Spread `json:"insideMilliseconds"`
}

// Table implements figures.Report.
func (r *PluginJSReport) Table() string {
	var b strings.Builder
	b.WriteString(r.table("@fieldprof/esbuild, with a service of its own,"))
	b.WriteString("\nOf this, the plugin's own work at the end of a build, service and writing included:\n\n| build | ms |\n|---|---|\n")
	for i, inside := range r.Inside {
		fmt.Fprintf(&b, "| %s | %s |\n", r.Rows[i].Build, inside)
	}
	return b.String()
}

// PluginJS measures as Plugin does, in Node: the package as it is packed, with
// esbuild from npm.
func PluginJS(ctx context.Context, runs int) (*PluginJSReport, error) {
	top := filepath.Join(fixtures.Dir(), "..")
	lint := filepath.Join(top, "test/lint")
	folder, err := newPluginApp()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	packages := filepath.Join(folder, "packages")
	if err := node.Packages(ctx, packages, "host"); err != nil {
		return nil, err
	}
	var builds []map[string]bool
	for _, b := range pluginBuilds {
		builds = append(builds, map[string]bool{"splits": b.splits, "minifies": b.minifies, "incremental": b.incremental})
	}
	order, err := json.Marshal(map[string]any{
		"folder": folder, "packages": packages, "esbuild": filepath.Join(lint, "package.json"),
		"nodePaths": []string{filepath.Join(peersFolder(), "node_modules")},
		"module":    filepath.Join(folder, "feature7.ts"), "runs": runs, "builds": builds,
	})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "order.json")
	if err := os.WriteFile(file, order, 0o644); err != nil {
		return nil, err
	}
	var measured []npmBuild
	if err := node.Run(ctx, &measured, nil, "plugin.mjs", file); err != nil {
		return nil, err
	}
	report := &PluginJSReport{PluginReport: PluginReport{Origin: figures.Runs("plugin-js", runs)}}
	report.add(measured, runs)
	return report, nil
}

// npmBuild is plugin.mjs's output for one kind of build.
type npmBuild struct {
	Scripts, Bytes, Maps int
	Times                [][]float64
	Inside               []float64
}

func (r *PluginJSReport) add(measured []npmBuild, runs int) {
	for i, m := range measured {
		row := PluginRow{Build: pluginBuilds[i].name, Scripts: m.Scripts, Bytes: m.Bytes, Maps: m.Maps, Runs: runs}
		row.compare(m.Times)
		r.Rows = append(r.Rows, row)
		r.Inside = append(r.Inside, spread(m.Inside))
	}
}
