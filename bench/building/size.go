package building

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// SizeReport says how many bytes checks add to minified files.
type SizeReport struct {
	figures.Origin
	Ways  []string  `json:"ways"`
	Dists []SizeRow `json:"dists"`
	// Geomean of the growth of the dists, and of all files, by way.
	Geomean    map[string]Growth `json:"geomeanPercent"`
	GeomeanAll map[string]Growth `json:"geomeanAllPercent"`
}

// SizeRow is one file: its size clean, and its growth by way.
type SizeRow struct {
	Name  string            `json:"name"`
	More  bool              `json:"more"` // not one of the ten of the promise
	Clean Sizes             `json:"cleanBytes"`
	Cells map[string]Growth `json:"growthPercent"`
}

// Sizes of one text in bytes: as it is, after gzip -9, after brotli -11.
type Sizes struct {
	Raw    int `json:"raw"`
	Gzip   int `json:"gzip"`
	Brotli int `json:"brotli"`
}

// Growth is how much larger than the clean text, in percent.
type Growth struct {
	Raw    float64 `json:"raw"`
	Gzip   float64 `json:"gzip"`
	Brotli float64 `json:"brotli"`
}

// dists are the files of bench/dists, in node_modules. The promises are about the first
// ten.
var dists = []struct{ name, path string }{
	{"react-dom", "react-dom/umd/react-dom.production.min.js"},
	{"lodash", "lodash/lodash.min.js"},
	{"vue", "vue/dist/vue.global.prod.js"},
	{"d3", "d3/dist/d3.min.js"},
	{"chart.js", "chart.js/dist/chart.umd.min.js"},
	{"jquery", "jquery/dist/jquery.min.js"},
	{"moment", "moment/min/moment.min.js"},
	{"echarts", "echarts/dist/echarts.min.js"},
	{"handlebars", "handlebars/dist/handlebars.min.js"},
	{"mathjs", "mathjs/lib/browser/math.js"},
	{"rxjs", "rxjs/dist/bundles/rxjs.umd.min.js"},
	{"pdf.js", "pdfjs-dist/build/pdf.min.mjs"},
	{"leaflet", "leaflet/dist/leaflet.js"},
	{"marked", "marked/marked.min.js"},
}

const promisedDists = 10

// sizePresets in the order of the table, with the growth after gzip that each
// may have at most; the compact form may have half of it.
var sizePresets = []struct {
	preset  transform.Preset
	promise float64
}{
	{transform.Classic, 0.5}, {transform.Balanced, 2.5}, {transform.Fine, 4.5}, {transform.Precise, 6.5},
}

var sizeForms = []transform.Form{transform.Inline, transform.Compact}

// Size instruments well-known minified files in every preset and form and
// weighs the results. It installs them first if necessary.
func Size(ctx context.Context, only string, progress figures.Progress) (*SizeReport, error) {
	directory := filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "dists")
	progress.Show("npm packages")
	if err := fixtures.InstallIn(directory); err != nil {
		return nil, err
	}
	report := &SizeReport{Origin: figures.Here("size"), Geomean: map[string]Growth{}, GeomeanAll: map[string]Growth{}}
	for _, form := range sizeForms {
		for _, p := range sizePresets {
			report.Ways = append(report.Ways, sizeWay(form, p.preset))
		}
	}
	for i, dist := range dists {
		if only != "" && !strings.Contains(dist.name, only) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress.Show("%s", dist.name)
		src, err := os.ReadFile(filepath.Join(directory, "node_modules", filepath.FromSlash(dist.path)))
		if err != nil {
			return nil, err
		}
		row, err := weighAll(ctx, dist.name, src)
		if err != nil {
			return nil, err
		}
		row.More = i >= promisedDists
		report.Dists = append(report.Dists, row)
	}
	for _, way := range report.Ways {
		report.Geomean[way] = report.geomean(way, false)
		report.GeomeanAll[way] = report.geomean(way, true)
	}
	return report, nil
}

func sizeWay(form transform.Form, preset transform.Preset) string {
	return form.String() + " " + preset.String()
}

// weighAll instruments one file in every way, as many at a time as there are
// processors.
func weighAll(ctx context.Context, name string, src []byte) (SizeRow, error) {
	clean, err := weigh(ctx, src)
	if err != nil {
		return SizeRow{}, err
	}
	row := SizeRow{Name: name, Clean: clean, Cells: map[string]Growth{}}
	var (
		group sync.WaitGroup
		lock  sync.Mutex
		turns = make(chan struct{}, runtime.NumCPU())
		fault error
	)
	for _, form := range sizeForms {
		for _, p := range sizePresets {
			group.Go(func() {
				turns <- struct{}{}
				defer func() { <-turns }()
				sizes, err := weighResult(ctx, name, src, form, p.preset)
				lock.Lock()
				defer lock.Unlock()
				if err != nil {
					fault = err
				}
				row.Cells[sizeWay(form, p.preset)] = sizes.growth(row.Clean)
			})
		}
	}
	group.Wait()
	return row, fault
}

func weighResult(ctx context.Context, name string, src []byte, form transform.Form, preset transform.Preset) (Sizes, error) {
	result, err := transform.Transform(src, transform.Options{File: name, Selection: transform.Selection{Form: form, Preset: preset}})
	switch {
	case err != nil:
		return Sizes{}, err
	case len(result.Warnings) > 0:
		return Sizes{}, fmt.Errorf("%v", result.Warnings[0])
	}
	return weigh(ctx, result.Code)
}

// weigh compresses a text as well as brotli and the gzip of this machine can:
// libraries, Go's and zlib among them, find the same growth or a little less.
func weigh(ctx context.Context, text []byte) (Sizes, error) {
	var zipped, brotlied counter
	cmd := exec.CommandContext(ctx, "gzip", "-9nc")
	cmd.Stdin, cmd.Stdout = bytes.NewReader(text), &zipped
	if err := cmd.Run(); err != nil {
		return Sizes{}, fmt.Errorf("gzip -9: %w", err)
	}
	w := brotli.NewWriterLevel(&brotlied, brotli.BestCompression)
	_, _ = w.Write(text) // a counter takes everything
	_ = w.Close()
	return Sizes{len(text), int(zipped), int(brotlied)}, nil
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func (s Sizes) growth(clean Sizes) Growth {
	percent := func(now, before int) float64 { return 100 * (float64(now)/float64(before) - 1) }
	return Growth{percent(s.Raw, clean.Raw), percent(s.Gzip, clean.Gzip), percent(s.Brotli, clean.Brotli)}
}

// geomean of the growth of the promised dists, or of all.
func (r *SizeReport) geomean(way string, all bool) Growth {
	var raw, zipped, brotlied []float64
	for _, row := range r.Dists {
		if row.More && !all {
			continue
		}
		cell := row.Cells[way]
		raw, zipped, brotlied = append(raw, cell.Raw), append(zipped, cell.Gzip), append(brotlied, cell.Brotli)
	}
	return Growth{figures.GeomeanPercent(raw), figures.GeomeanPercent(zipped), figures.GeomeanPercent(brotlied)}
}

// Table implements figures.Report.
func (r *SizeReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Growth of minified files after gzip -9, in percent; below, raw and after brotli -11 too.\n`%s`, %s. The map, the function table and the runtime are not included. The promise\nis about the first ten files; the others are for comparison.\n\n", r.Command, r.Machine.When)
	fmt.Fprintf(&b, "| file | gzip, KB | %s |\n|---|---|%s\n", strings.Join(r.Ways, " | "), strings.Repeat("---|", len(r.Ways)))
	for _, row := range r.Dists {
		if !row.More {
			r.row(&b, row)
		}
	}
	r.line(&b, "**geomean, gzip**", func(way string) string { return fmt.Sprintf("**%.2f**", r.Geomean[way].Gzip) })
	promises := map[string]string{}
	for _, p := range sizePresets {
		promises[sizeWay(transform.Inline, p.preset)] = fmt.Sprintf("≤ %.2f", p.promise)
		promises[sizeWay(transform.Compact, p.preset)] = fmt.Sprintf("≤ %.2f", p.promise/2)
	}
	promises[sizeWay(transform.Compact, transform.Classic)] = "" // nothing is promised
	r.line(&b, "promise", func(way string) string { return promises[way] })
	r.line(&b, "geomean, raw", func(way string) string { return fmt.Sprintf("%.2f", r.Geomean[way].Raw) })
	r.line(&b, "geomean, brotli", func(way string) string { return fmt.Sprintf("%.2f", r.Geomean[way].Brotli) })
	for _, row := range r.Dists {
		if row.More {
			r.row(&b, row)
		}
	}
	r.line(&b, "geomean of all, gzip", func(way string) string { return fmt.Sprintf("%.2f", r.GeomeanAll[way].Gzip) })
	return b.String()
}

func (r *SizeReport) row(b *strings.Builder, row SizeRow) {
	fmt.Fprintf(b, "| %s | %.1f ", row.Name, float64(row.Clean.Gzip)/1000)
	for _, way := range r.Ways {
		fmt.Fprintf(b, "| %.2f ", row.Cells[way].Gzip)
	}
	b.WriteString("|\n")
}

func (r *SizeReport) line(b *strings.Builder, name string, cell func(way string) string) {
	fmt.Fprintf(b, "| %s | ", name)
	for _, way := range r.Ways {
		fmt.Fprintf(b, "| %s ", cell(way))
	}
	b.WriteString("|\n")
}
