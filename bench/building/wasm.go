package building

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/node"
	"github.com/fieldprof/fieldprof/fixtures"
)

// WASMReport compares the service as WebAssembly with the program, as build
// plugins in Node use them.
type WASMReport struct {
	figures.Origin
	Scripts int64     `json:"scriptBytes"`
	Maps    int64     `json:"mapBytes"`
	Changed string    `json:"changed"` // the file that a rebuild changes
	Size    int       `json:"changedBytes"`
	Module  int64     `json:"moduleBytes"`
	Program []WASMRow `json:"program"`
	WASM    []WASMRow `json:"wasm"`
	// Several is the program with all processors.
	Several []WASMRow `json:"programAllProcessors"`
}

// WASMRow is one service: milliseconds to start it, for its first request, for one
// in which every script has changed, and for one in which a single one has.
type WASMRow struct {
	Start float64 `json:"start"`
	First float64 `json:"first"`
	All   float64 `json:"all"`
	One   float64 `json:"one"`
}

// wasmChanged is the script that rebuilds change.
const wasmChanged = "pdf.min.mjs"

// WASM measures both through the npm packages, which it builds.
func WASM(ctx context.Context, runs int) (*WASMReport, error) {
	top := filepath.Dir(fixtures.Dir())
	if err := fixtures.InstallIn(filepath.Join(top, "bench/dists")); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "bench-wasm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if err := node.Packages(ctx, folder, "none", "fieldprof", "fieldprof-wasm"); err != nil {
		return nil, err
	}
	report := &WASMReport{Origin: figures.Runs("wasm", runs), Changed: wasmChanged}
	module, err := os.Stat(filepath.Join(folder, "node_modules/fieldprof-wasm/dist/fieldprof.wasm"))
	if err != nil {
		return nil, err
	}
	report.Module = module.Size()
	if err := report.makeApp(filepath.Join(top, "bench/dists/node_modules"), filepath.Join(folder, "app")); err != nil {
		return nil, err
	}
	return report, report.run(ctx, folder, runs)
}

// makeApp copies the files of the size bench, with the maps that they ship.
func (r *WASMReport) makeApp(from, to string) error {
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	for _, dist := range dists {
		for _, name := range []string{dist.path, dist.path + ".map"} {
			data, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
			if os.IsNotExist(err) && strings.HasSuffix(name, ".map") {
				continue
			}
			if err != nil {
				return err
			}
			switch {
			case strings.HasSuffix(name, ".map"):
				r.Maps += int64(len(data))
			default:
				r.Scripts += int64(len(data))
			}
			if filepath.Base(name) == wasmChanged {
				r.Size = len(data)
			}
			if err := os.WriteFile(filepath.Join(to, filepath.Base(name)), data, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// run has Node time the services: WebAssembly and the program on one processor, then
// the program on all.
func (r *WASMReport) run(ctx context.Context, folder string, runs int) error {
	program, err := buildInstrument(ctx, folder)
	if err != nil {
		return err
	}
	for _, processors := range []int{1, 0} {
		env := append(onProcessors(processors), "FIELDPROF_BINARY="+program, "CHANGED="+wasmChanged)
		if processors == 0 {
			env = append(env, "ONLY=program")
		}
		var rows struct{ Program, WASM []WASMRow }
		if err := node.Run(ctx, &rows, env, "wasm.mjs", folder, fmt.Sprint(runs)); err != nil {
			return err
		}
		if processors == 1 {
			r.Program, r.WASM = rows.Program, rows.WASM
		} else {
			r.Several = rows.Program
		}
	}
	return nil
}

// Table implements figures.Report.
func (r *WASMReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, `The service as WebAssembly in a thread of Node and as the program, through the npm packages, in turns: %d scripts and maps of
%.1f and %.1f MB; medians of %d services each, in milliseconds, and the lowest to highest ratio of a single pair. "first" is what one
build costs; then every script changes; then one of %.1f MB. The module has %.1f MB. `+"%s.\n\n",
		len(dists), float64(r.Scripts)/1e6, float64(r.Maps)/1e6, len(r.WASM), float64(r.Size)/1e6, float64(r.Module)/1e6, r.WithGo())
	b.WriteString("| | program, all CPUs | program, one CPU | WebAssembly | WebAssembly / one CPU (goal: 6) |\n|---|---|---|---|---|\n")
	for _, row := range []struct {
		name string
		of   func(WASMRow) float64
	}{
		{"start", func(r WASMRow) float64 { return r.Start }},
		{"first", func(r WASMRow) float64 { return r.First }},
		{"every script", func(r WASMRow) float64 { return r.All }},
		{"one script", func(r WASMRow) float64 { return r.One }},
	} {
		column := func(rows []WASMRow) (values []float64) {
			for _, r := range rows {
				values = append(values, row.of(r))
			}
			return values
		}
		program, wasm := column(r.Program), column(r.WASM)
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %.0f | %s |\n", row.name, figures.Median(column(r.Several)), figures.Median(program), figures.Median(wasm), ratioOf(wasm, program).format("%.1f×"))
	}
	return b.String()
}
