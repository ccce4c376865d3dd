package building

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

// PluginJSReport is what the npm package @fieldprof/esbuild adds to the time of
// builds of the app.
type PluginJSReport struct {
	PluginReport
	// Inside is, for each row, what the plugin does at the end of a build, in
	// milliseconds; the rest is esbuild's handing its output to Node.
	Inside []Spread `json:"insideMilliseconds"`
}

// Name implements figures.Report.
func (*PluginJSReport) Name() string { return "plugin-js" }

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
	if err := fixtures.InstallIn(lint); err != nil {
		return nil, err
	}
	folder, err := newPluginApp()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	packages := filepath.Join(folder, "packages")
	build := exec.CommandContext(ctx, "go", "run", "./npm/build", "-platforms", "host", "-out", packages)
	build.Dir = top
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the npm packages: %w\n%s", err, out)
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
	cmd := exec.CommandContext(ctx, "node", "--expose-gc", filepath.Join(top, "bench/node/plugin.mjs"), file)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("node plugin.mjs: %w", err)
	}
	report := &PluginJSReport{PluginReport: PluginReport{Origin: figures.Runs("plugin-js", runs)}}
	return report, report.read(out, runs)
}

// read takes what plugin.mjs prints.
func (r *PluginJSReport) read(out []byte, runs int) error {
	var measured []struct {
		Scripts, Bytes, Maps int
		Times                [][]float64
		Inside               []float64
	}
	if err := json.Unmarshal(out, &measured); err != nil {
		return err
	}
	for i, m := range measured {
		row := PluginRow{Build: pluginBuilds[i].name, Scripts: m.Scripts, Bytes: m.Bytes, Maps: m.Maps, Runs: runs}
		row.compare(m.Times)
		r.Rows = append(r.Rows, row)
		r.Inside = append(r.Inside, spread(m.Inside))
	}
	return nil
}
