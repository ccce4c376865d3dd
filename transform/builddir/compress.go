package builddir

import (
	"bytes"
	"compress/gzip"
	"path"
	"sync"

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
		if data = compressedAs(f.path, data); data == nil {
			return nil
		}
		return w.put(f.path, data, f)
	})
}

// compressedAs compresses data as the name of a file says; nil if it is to be left out.
func compressedAs(name string, data []byte) []byte {
	switch path.Ext(name) {
	case ".gz":
		return gzipped(data)
	case ".br":
		return brotlied(data)
	}
	return nil
}

// Compressors are used again: to make their tables takes longer than to compress a small file.
var (
	gzips = sync.Pool{New: func() any {
		z, _ := gzip.NewWriterLevel(nil, gzip.BestCompression) // the level exists
		return z
	}}
	// brotlis are writers for brotliUsual. One that began with little text has smaller tables, and
	// would find less in a large one.
	brotlis = map[bool]*sync.Pool{false: {New: newBrotli}, true: {New: newBrotli}}
)

func newBrotli() any { return brotli.NewWriterLevel(nil, brotliUsual) }

// gzipped writes to memory, which cannot fail.
func gzipped(data []byte) []byte {
	z := gzips.Get().(*gzip.Writer)
	defer gzips.Put(z)
	var b bytes.Buffer
	z.Reset(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// brotlied is as small as brotli can.
func brotlied(data []byte) []byte {
	var b bytes.Buffer
	z := brotli.NewWriterLevel(&b, brotli.BestCompression)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// brotliSize is how large data is as servers compress it.
func brotliSize(data []byte) int {
	pool := brotlis[len(data) >= 1<<20]
	z := pool.Get().(*brotli.Writer)
	defer pool.Put(z)
	var size counter
	z.Reset(&size)
	z.Write(data)
	z.Close()
	return int(size)
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
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
		sizes[i].Brotli = Growth{brotliSize(before), brotliSize(after)}
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
