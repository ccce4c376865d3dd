package esbuildplugin

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"path/filepath"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/transform/builddir"
	"github.com/fieldprof/fieldprof/transform/internal/disk"
)

// work is what the builds of one context have in common.
type work struct {
	options Options
	place   place
	cache   builddir.Cache
	disk    disk.Disk
	hashes  map[string]hashed // by path of the output, of the latest build
	imports map[string]string // of modules, the file of the runtime; likewise

	write, allowOverwrite, metafile bool // what the caller asked esbuild for

	forPages     bool
	splitting    bool
	scriptSuffix string // what names of scripts end with
}

// atOutput lets the plugin work at the end of each build of a context.
func atOutput(build api.PluginBuild, options Options) {
	initial := build.InitialOptions
	where, err := placeOf(initial, &options)
	if err != nil {
		build.OnStart(func() (api.OnStartResult, error) {
			if _, harmless := err.(noPlace); harmless && !options.Strict {
				return api.OnStartResult{Warnings: []api.Message{{Text: err.Error()}}}, nil
			}
			return api.OnStartResult{}, err
		})
		return
	}
	w := &work{
		options: options, place: where,
		write: initial.Write, allowOverwrite: initial.AllowOverwrite, metafile: initial.Metafile,
		forPages: isForPages(initial), splitting: initial.Splitting,
		scriptSuffix: cmp.Or(initial.OutExtension[".js"], ".js"),
	}
	initial.Write = false // esbuild writes before a build ends
	if w.needsEntries() || w.guardsSources() {
		initial.Metafile = true
	}
	if options.Variant == Profiled {
		addSalt(initial, options.salt())
	}
	build.OnEnd(w.end)
}

// needsEntries reports whether the metafile must tell entry points from chunks.
func (w *work) needsEntries() bool { return w.options.Embed == nil && w.forPages && w.splitting }

// end puts checks into a build's result.
func (w *work) end(result *api.BuildResult) (api.OnEndResult, error) {
	if len(result.Errors) > 0 {
		return api.OnEndResult{}, nil // esbuild writes nothing either
	}
	listed, err := readMetafile(result.Metafile)
	if err != nil {
		return api.OnEndResult{}, err
	}
	if !w.metafile {
		result.Metafile = ""
	}
	w.imports = nil
	files, said := w.profile(result.OutputFiles, listed)
	if errs := w.overwritten(files, listed); len(errs) > 0 {
		return api.OnEndResult{Errors: errs, Warnings: said}, nil
	}
	if w.options.Strict && len(said) > 0 {
		return api.OnEndResult{Errors: said}, nil
	}
	result.OutputFiles = files
	if w.metafile {
		result.Metafile = listed.renewed(w.present(files))
	}
	if w.write {
		if err := w.disk.Write(toWrite(files), w.place.base); err != nil {
			return api.OnEndResult{Warnings: said}, err
		}
	}
	return api.OnEndResult{Warnings: said}, nil
}

// toWrite are outputs as they are to be written.
func toWrite(outputs []api.OutputFile) []disk.File {
	files := make([]disk.File, len(outputs))
	for i, f := range outputs {
		files[i] = disk.File{Path: f.Path, Contents: f.Contents}
	}
	return files
}

// profile returns all outputs of a build, with checks where possible.
func (w *work) profile(clean []api.OutputFile, listed *metafile) ([]api.OutputFile, []api.Message) {
	var said []api.Message
	var tree []builddir.File
	var paths []string
	for _, f := range clean {
		path, ok := within(w.place.root, f.Path)
		if !ok {
			said = append(said, api.Message{Text: f.Path + " lies outside the output folder: it is clean"})
			continue
		}
		tree = append(tree, builddir.File{Path: path, Data: f.Contents})
		paths = append(paths, path)
	}
	options := w.options.tree()
	options.Cache = &w.cache
	if options.Embed == nil && w.forPages {
		options.Embed = w.entryScripts(paths, listed.outputs)
	}
	profiled, report, err := builddir.Files(context.Background(), tree, options)
	if err != nil {
		text := err.Error()
		if !w.options.Strict {
			text += "; the output is clean"
		}
		return clean, append(said, api.Message{Text: text})
	}
	if report.Scripts+report.Pages == 0 {
		profiled = tree // styles and assets have no use for the runtime
	}
	said = append(said, w.messages(report.Warnings, tree)...)
	w.imports = make(map[string]string, len(report.Details))
	for _, d := range report.Details {
		if d.Imports != "" {
			w.imports[w.place.of(d.Path)] = w.place.of(d.Imports)
		}
	}
	if w.options.OnReport != nil {
		w.options.OnReport(report)
	}
	if w.options.Variant == Both {
		return append(clean[:len(clean):len(clean)], w.fresh(profiled)...), said
	}
	return w.inOrder(clean, profiled), said
}

// inOrder are the outputs in esbuild's order, followed by those that came with
// the checks. Those that the tree has lost, such as a .zst of a script that changed, are left out.
func (w *work) inOrder(clean []api.OutputFile, profiled []builddir.File) []api.OutputFile {
	at := make(map[string]int, len(profiled))
	files := w.fresh(profiled)
	for i := range files {
		at[files[i].Path] = i
	}
	all := make([]api.OutputFile, 0, len(files))
	for _, f := range clean {
		i, ok := at[f.Path]
		if _, inTree := within(w.place.root, f.Path); inTree && !ok {
			continue
		}
		if ok {
			files[i].Path = "" // it has its place
		}
		if ok && !disk.Same(files[i].Contents, f.Contents) {
			f.Contents, f.Hash = files[i].Contents, files[i].Hash
		}
		all = append(all, f)
	}
	for _, f := range files {
		if f.Path != "" {
			all = append(all, f)
		}
	}
	return all
}

// hashed is the hash of an output.
type hashed struct {
	contents []byte
	hash     string
}

// fresh makes outputs of files. Most are the last build's.
func (w *work) fresh(profiled []builddir.File) []api.OutputFile {
	files := make([]api.OutputFile, len(profiled))
	var group sync.WaitGroup
	for i, f := range profiled {
		group.Go(func() {
			h, ok := w.hashes[f.Path]
			if !ok || !disk.Same(h.contents, f.Data) {
				h.hash = hashOf(f.Data)
			}
			files[i] = api.OutputFile{Path: w.place.of(f.Path), Contents: f.Data, Hash: h.hash}
		})
	}
	group.Wait()
	w.hashes = make(map[string]hashed, len(profiled))
	for i, f := range profiled {
		w.hashes[f.Path] = hashed{f.Data, files[i].Hash}
	}
	return files
}

// hashOf is the hash that esbuild gives such contents.
func hashOf(contents []byte) string {
	sum := binary.LittleEndian.AppendUint64(nil, xxhash.Sum64(contents))
	return base64.RawStdEncoding.EncodeToString(sum)
}

// of is where a file of the tree is written to.
func (p *place) of(path string) string { return filepath.Join(p.profiled, filepath.FromSlash(path)) }
