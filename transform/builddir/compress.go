package builddir

import (
	"bytes"
	"compress/gzip"
	"path"

	"github.com/andybalholm/brotli"
)

// compress makes the compressed siblings of changed files again, as small as possible,
// since they are served instead of the files. A .zst is left out: servers fall back to
// the file itself.
func (w *work) compress() error {
	var stale []*file // found before the first is written
	for _, f := range w.tree.files {
		if w.stale(f) && w.tree.byPath[uncompressed(f.path)].kind != compressed { // files compressed twice are left out
			stale = append(stale, f)
		}
	}
	return w.each(len(stale), func(i int) error {
		f := stale[i]
		data, err := w.out.ReadFile(w.place(uncompressed(f.path)))
		if err != nil {
			return located(f.path, err)
		}
		switch path.Ext(f.path) {
		case ".gz":
			data = gzipped(data)
		case ".br":
			data = brotlied(data, brotli.BestCompression)
		default:
			return nil
		}
		return w.put(f.path, data, f)
	})
}

// gzipped writes to memory, which cannot fail.
func gzipped(data []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

func brotlied(data []byte, level int) []byte {
	var b bytes.Buffer
	z := brotli.NewWriterLevel(&b, level)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// measure compares the sizes of what changed. It runs last and on its own, so that
// compressing does not count as instrumenting.
func (w *work) measure() error {
	var changed []*FileReport
	for _, d := range w.details() {
		if d.changed {
			changed = append(changed, d)
		}
	}
	sizes := make([]Sizes, len(changed))
	err := w.each(len(changed), func(i int) error {
		d := changed[i]
		sizes[i].Raw = d.Bytes
		if w.NoSizes || w.DryRun {
			return nil
		}
		before, err := w.in.ReadFile(d.Path)
		if err != nil {
			return located(d.Path, err)
		}
		after, err := w.out.ReadFile(w.place(d.Path))
		if err != nil {
			return located(d.Path, err)
		}
		sizes[i].Gzip = Growth{len(gzipped(before)), len(gzipped(after))}
		sizes[i].Brotli = Growth{len(brotlied(before, brotliUsual)), len(brotlied(after, brotliUsual))}
		return nil
	})
	for _, s := range sizes {
		w.sizes.Raw.add(s.Raw)
		w.sizes.Gzip.add(s.Gzip)
		w.sizes.Brotli.add(s.Brotli)
	}
	return err
}

// brotliUsual is the level servers compress with as they serve.
const brotliUsual = 5
