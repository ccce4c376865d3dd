package building

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform/esbuildplugin"
)

// PluginReport is the time that the esbuild plugin adds to builds of an app.
type PluginReport struct {
	figures.Origin
	Rows []PluginRow `json:"rows"`
}

// PluginRow is one kind of build. Added and Share are medians of the differences
// and of the ratios of single runs, with the least and the greatest of them.
type PluginRow struct {
	Build   string        `json:"build"`
	Scripts int           `json:"scripts"`
	Bytes   int           `json:"scriptBytes"` // of the clean output
	Maps    int           `json:"mapBytes"`
	Runs    int           `json:"runs"`
	Clean   time.Duration `json:"cleanNs"`
	Plugin  time.Duration `json:"pluginNs"`
	Added   Spread        `json:"addedMilliseconds"`
	Share   Spread        `json:"addedPercent"`
	// Floor compares clean builds: the noise in Added.
	Floor Spread `json:"cleanAgainMilliseconds"`
}

// Spread is a median with the extremes.
type Spread struct {
	Median float64 `json:"median"`
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
}

func spread(values []float64) Spread {
	return Spread{figures.Median(values), slices.Min(values), slices.Max(values)}
}

// pluginBuild is a kind of build.
type pluginBuild struct {
	name             string
	splits, minifies bool
	incremental      bool
}

var pluginBuilds = []pluginBuild{
	{name: "full, split", splits: true},
	{name: "full, split, minified", splits: true, minifies: true},
	{name: "full, one file"},
	{name: "rebuild, split", splits: true, incremental: true},
	{name: "rebuild, one file", incremental: true},
}

// Plugin builds an app with esbuild, with the plugin and without it in turn, and
// once more without it for the noise: from nothing, and again after a change in
// one source of its own. All builds write their output, with linked maps.
func Plugin(ctx context.Context, runs int, progress figures.Progress) (*PluginReport, error) {
	folder, err := newPluginApp()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	report := &PluginReport{Origin: figures.Runs("plugin", runs)}
	for _, b := range pluginBuilds {
		row, err := b.measure(ctx, folder, runs, progress)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.name, err)
		}
		report.Rows = append(report.Rows, row)
	}
	return report, nil
}

// pluginLibraries are loaded by the app on demand, each by a route.
var pluginLibraries = []string{"three", "echarts", "d3", "mathjs", "lodash", "vue", "react-dom/client"}

// pluginModules is the number of the app's own modules.
const pluginModules = 300

// newPluginApp installs the libraries and writes the app into a new folder, which the
// caller removes.
func newPluginApp() (folder string, err error) {
	if err := fixtures.InstallIn(peersFolder()); err != nil {
		return "", err
	}
	if folder, err = os.MkdirTemp("", "fieldprof-plugin-"); err != nil {
		return "", err
	}
	if err := writePluginApp(folder); err != nil {
		os.RemoveAll(folder)
		return "", err
	}
	return folder, nil
}

// writePluginApp writes the sources of the app.
func writePluginApp(folder string) error {
	var entry strings.Builder
	for i := range pluginModules {
		name := fmt.Sprintf("feature%d", i)
		var module strings.Builder
		fmt.Fprintf(&module, "export interface Item { id: number; tags: string[] }\n")
		for j := range 8 {
			fmt.Fprintf(&module, "export function %s_%d(items: Item[], limit = %d): number {\n  let sum = 0;\n  for (const item of items) {\n    if (item.id > limit) sum += item.tags.length * %d;\n    else sum -= item.tags.filter((tag) => tag.length > %d).length;\n  }\n  return sum;\n}\n", name, j, i, j, j)
		}
		fmt.Fprintf(&entry, "import * as %s from './%s';\n", name, name)
		if err := os.WriteFile(filepath.Join(folder, name+".ts"), []byte(module.String()), 0o644); err != nil {
			return err
		}
	}
	for i := range pluginModules {
		fmt.Fprintf(&entry, "console.log(feature%d);\n", i)
	}
	entry.WriteString("export const routes = {\n")
	for i, library := range pluginLibraries {
		fmt.Fprintf(&entry, "  route%d: () => import('./route%d'),\n", i, i)
		route := fmt.Sprintf("import * as library from '%s';\nexport default library;\nconsole.log(Object.keys(library));\n", library)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("route%d.ts", i)), []byte(route), 0o644); err != nil {
			return err
		}
	}
	entry.WriteString("};\n")
	return os.WriteFile(filepath.Join(folder, "main.ts"), []byte(entry.String()), 0o644)
}

// options are the options of a build into an arm's folder.
func (b *pluginBuild) options(folder, arm string, plugins ...api.Plugin) api.BuildOptions {
	return api.BuildOptions{
		EntryPoints: []string{"main.ts"}, AbsWorkingDir: folder, Outdir: filepath.Join(folder, "out", arm), Bundle: true, Write: true,
		Format: api.FormatESModule, Splitting: b.splits, MinifyWhitespace: b.minifies, MinifyIdentifiers: b.minifies, MinifySyntax: b.minifies,
		Sourcemap: api.SourceMapLinked, NodePaths: []string{filepath.Join(peersFolder(), "node_modules")},
		LogLevel: api.LogLevelSilent, Plugins: plugins,
	}
}

// arms of the measure, in the order of the first run; each next run begins with
// the next one.
const (
	armClean = iota
	armPlugin
	armAgain
	arms
)

// measure builds in all arms, run by run.
func (b *pluginBuild) measure(ctx context.Context, folder string, runs int, progress figures.Progress) (PluginRow, error) {
	row := PluginRow{Build: b.name, Runs: runs}
	builds := make([]func() api.BuildResult, arms)
	for arm := range builds {
		var plugins []api.Plugin
		if arm == armPlugin {
			plugins = append(plugins, esbuildplugin.New(esbuildplugin.Options{}))
		}
		options := b.options(folder, fmt.Sprint(arm), plugins...)
		builds[arm] = func() api.BuildResult { return api.Build(options) }
		if b.incremental {
			context, err := api.Context(options)
			if err != nil {
				return row, err
			}
			defer context.Dispose()
			builds[arm] = context.Rebuild
		}
	}
	times := make([][]float64, arms)
	for run := -1; run < runs; run++ { // the first warms up
		if b.incremental {
			if err := touchPluginApp(folder, run); err != nil {
				return row, err
			}
		}
		progress.Show("%s, run %d of %d", b.name, run+1, runs)
		for i := range arms {
			if err := ctx.Err(); err != nil {
				return row, err
			}
			arm := (i + run + arms) % arms
			runtime.GC() // each arm collects its own garbage, not the last one's
			began := time.Now()
			result := builds[arm]()
			elapsed := time.Since(began)
			if len(result.Errors) > 0 {
				return row, fmt.Errorf("esbuild: %s", result.Errors[0].Text)
			}
			if run >= 0 {
				times[arm] = append(times[arm], elapsed.Seconds()*1000)
			} else if arm == armClean {
				row.describe(result.OutputFiles)
			}
		}
	}
	row.compare(times)
	return row, nil
}

// touchPluginApp changes one of the app's own modules.
func touchPluginApp(folder string, run int) error {
	name := filepath.Join(folder, "feature7.ts")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	head, _, _ := strings.Cut(string(text), "// change")
	return os.WriteFile(name, fmt.Appendf(nil, "%s// change\nexport function changed(n: number) { while (n-- > %d) console.log(n); return n }\n", head, run), 0o644)
}

func (r *PluginRow) describe(files []api.OutputFile) {
	for _, f := range files {
		if strings.HasSuffix(f.Path, ".js") {
			r.Scripts++
			r.Bytes += len(f.Contents)
		} else if strings.HasSuffix(f.Path, ".map") {
			r.Maps += len(f.Contents)
		}
	}
}

func (r *PluginRow) compare(times [][]float64) {
	var added, share, floor []float64
	for i, clean := range times[armClean] {
		added = append(added, times[armPlugin][i]-clean)
		share = append(share, 100*(times[armPlugin][i]-clean)/clean)
		floor = append(floor, times[armAgain][i]-clean)
	}
	r.Clean, r.Plugin = milliseconds(figures.Median(times[armClean])), milliseconds(figures.Median(times[armPlugin]))
	r.Added, r.Share, r.Floor = spread(added), spread(share), spread(floor)
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// Table implements figures.Report.
func (r *PluginReport) Table() string { return r.table("esbuildplugin") }

// table is a plugin's table.
func (r *PluginReport) table(plugin string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. What %s adds to esbuild's builds of an app of %d modules of its own\n", r.WithGo(), plugin, pluginModules)
	fmt.Fprintf(&b, "and %s, written with linked maps; with the plugin and without in turn, in one process.\nMedians of the single runs' differences (least to most). A rebuild follows a change in one of its own modules; \"again\" is a second\nclean build against the first. Goals: ≤ 10 %% of a full build, ≤ 25 ms of a rebuild.\n\n", strings.Join(pluginLibraries, ", "))
	b.WriteString("| build | scripts | MB | maps, MB | clean, ms | with plugin, ms | added, ms | added, % | again, ms |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %d | %.1f | %.1f | %.0f | %.0f | %s | %s | %s |\n", row.Build, row.Scripts, float64(row.Bytes)/1e6, float64(row.Maps)/1e6,
			row.Clean.Seconds()*1000, row.Plugin.Seconds()*1000, row.Added, row.Share, row.Floor)
	}
	return b.String()
}

// String shows it for tables.
func (s Spread) String() string {
	return fmt.Sprintf("%.1f (%.1f to %.1f)", s.Median, s.Least, s.Most)
}
