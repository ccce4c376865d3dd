package builddir

import (
	"context"
	"hash/maphash"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
	"github.com/fieldprof/fieldprof/transform/training"
)

// Run instruments a directory. On an error, and when ctx ends, nothing is left
// behind, and nothing that was there has changed.
func Run(ctx context.Context, options Options) (*Report, error) {
	s, err := options.settle()
	if err != nil {
		return nil, err
	}
	if err := s.findPlaces(); err != nil {
		return nil, err
	}
	in, err := os.OpenRoot(s.Input)
	if err != nil {
		return nil, located(s.Input, err)
	}
	defer in.Close()
	return s.run(ctx, inputDirectory{in}, func(t *tree) (output, error) {
		if !s.InPlace {
			t = nil
		}
		return openOutput(in, s.Output, t)
	})
}

// run instruments one tree. The output is opened once it is known that the input can be
// instrumented, and not at all in a dry run.
func (s *settings) run(ctx context.Context, in input, open func(t *tree) (output, error)) (*Report, error) {
	w := &work{settings: s, ctx: ctx, in: in, written: map[string]bool{}, makes: map[string]bool{}, renewedClean: map[string][]byte{}, seed: maphash.MakeSeed()}
	s.Cache.begin()
	defer s.Cache.end()
	var err error
	if w.tree, err = in.survey(ctx); err != nil {
		return nil, err
	}
	if err := w.tree.fresh(s.Input); err != nil {
		return nil, err
	}
	if !s.DryRun {
		if w.out, err = open(w.tree); err != nil {
			return nil, err
		}
		defer w.out.discard()
	}
	if err := w.run(); err != nil {
		return nil, err
	}
	return w.report(), nil
}

// work is one run.
type work struct {
	*settings
	ctx      context.Context
	in       input
	out      output // nil in a dry run
	tree     *tree
	scripts  []*scriptFile
	scriptAt map[string]*scriptFile // by path
	pages    []*pageFile
	names    transform.Names
	bindings *runtime.Bindings // of all classic scripts
	digests  *digests
	// inlineHashes gives the hashes of inline scripts, once all pages have their new ones.
	inlineHashes func() *htmlscan.ScriptHashes
	build        string           // identifies the tree, if sites are or were counted
	choice       *training.Choice // of what was counted
	// hasLegacy: pages have scripts for browsers without modules.
	hasLegacy bool
	changed   bool          // some script has checks
	spent     time.Duration // on reading, transforming and writing scripts
	sizes     Sizes
	seed      maphash.Seed // of the sums of scripts

	renewedClean map[string][]byte // manifests of the clean site, whose pages changed

	mu       sync.Mutex
	warnings []Warning       // about files that have no report
	written  map[string]bool // paths of the output that are not copies
	makes    map[string]bool // all files of the output, where they are
	done     Amount
}

func (w *work) run() error {
	if err := w.prepare(); err != nil {
		return err
	}
	began := time.Now()
	if err := w.eachScript(); err != nil {
		return err
	}
	w.spent = time.Since(began)
	w.changed = slices.ContainsFunc(w.scripts, func(s *scriptFile) bool { return s.done.changed })
	if w.DryRun {
		if err := w.instrumentPages(); err != nil {
			return err
		}
		return w.measure()
	}
	return w.finish()
}

// prepare collects what must be known before the first script is changed.
func (w *work) prepare() error {
	if err := w.learn(); err != nil {
		return err
	}
	if err := w.readPages(); err != nil {
		return err
	}
	if err := w.readCounts(); err != nil {
		return err
	}
	if err := w.findCycles(); err != nil {
		return err
	}
	w.findImported()
	w.findLists()
	bindings := w.names.Choose()
	w.bindings = &bindings
	w.placeMaps()
	if w.DryRun {
		return nil
	}
	for _, dir := range w.tree.dirs {
		if err := w.out.MkdirAll(w.place(dir.path), 0o755); err != nil {
			return located(dir.path, err)
		}
	}
	return nil
}

// finish completes the output around the scripts.
func (w *work) finish() error {
	steps := []func() error{
		w.renewDigests,
		w.instrumentPages,
		w.renewManifests,
		w.copyRest,
		w.linkTables,
		w.cleanVariant,
		w.compress,
		w.measure,
		w.writeRuntime,
		w.writeManifest,
		w.out.keepForeign,
		w.keepModes,
		w.ctx.Err, // the last moment to turn back
		w.out.commit,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// place returns where the new version of a file of the input goes in the output.
func (w *work) place(p string) string {
	if w.Sample == 0 || w.ofPage(p) {
		return p
	}
	return variant(p)
}

// ofPage reports whether a file is a page, or a page compressed, or leads to one.
func (w *work) ofPage(p string) bool {
	f := w.tree.byPath[w.tree.resolve(p)]
	if f != nil && f.kind == compressed {
		f = w.tree.byPath[uncompressed(f.path)]
	}
	return f != nil && f.kind == page
}

// put writes a new file that belongs to a file of the input.
func (w *work) put(p string, data []byte, of *file) error {
	w.mu.Lock()
	w.written[p] = true
	w.mu.Unlock()
	return w.writeOut(w.place(p), data, w.modeOf(p, of))
}

// writeTable puts a function table next to its script.
func (w *work) writeTable(p string, table *functable.Table) error {
	data, err := table.Encode()
	if err != nil {
		return err
	}
	return w.put(p+tableSuffix, data, w.tree.byPath[p])
}

// isNew reports whether the output has a file of the input with other contents.
func (w *work) isNew(p string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.written[p]
}

// latest returns the contents that a file of the input has in the output, as far as it is made.
func (w *work) latest(p string) ([]byte, error) {
	read, at := w.in.ReadFile, p
	if w.isNew(p) {
		read, at = w.out.ReadFile, w.place(p)
	}
	text, err := read(at)
	if err != nil {
		return nil, located(p, err)
	}
	return text, nil
}

const tableSuffix = ".functions.json"

// linkTables puts a link to the function table next to each link to a script or page: engines, and
// so readers of the table, know a script by the URL that it was asked for.
func (w *work) linkTables() error {
	for _, f := range w.tree.files {
		table := f.path + tableSuffix
		if f.kind != link || tooLong(f.path) || w.tree.has(table) || !w.makes[w.place(w.tree.resolve(f.path)+tableSuffix)] {
			continue
		}
		if err := w.copyOut(&file{path: table, kind: link, target: f.target + tableSuffix}, w.place(table)); err != nil {
			return err
		}
	}
	return nil
}

// copyRest copies everything that was not written.
func (w *work) copyRest() error {
	return w.each(len(w.tree.files), func(i int) error {
		f := w.tree.files[i]
		if w.written[f.path] || w.stale(f) || w.Sample > 0 && w.ofPage(f.path) {
			return nil
		}
		if err := w.copyOut(f, w.place(f.path)); err != nil {
			return err
		}
		w.advance(f)
		return nil
	})
}

// stale reports whether a compressed file was made from one that changed, or from a
// compressed one that is stale itself.
func (w *work) stale(f *file) bool {
	if f.kind != compressed {
		return false
	}
	from := w.tree.byPath[uncompressed(f.path)]
	return w.written[from.path] || w.stale(from)
}

// advance reports progress.
func (w *work) advance(f *file) {
	if w.Progress == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done.Files++
	w.done.Bytes += f.size
	w.Progress(w.done, w.tree.total)
}
