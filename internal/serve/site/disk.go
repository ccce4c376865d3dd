package site

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
)

var errTooLarge = errors.New("the file is too large")

// maxCompressed is the size of the largest file on disk that is compressed for an answer.
const maxCompressed = 16 << 20

// serveDisk answers with a file as it is on disk, or its compressed sibling, which a
// deployment would send as well.
func (b *build) serveDisk(w http.ResponseWriter, r *http.Request, name string) {
	file, info, err := b.open(name)
	if err != nil {
		b.missing(w, r)
		return
	}
	defer file.Close()
	header := w.Header()
	kind := typeOf(name, "")
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "no-cache")
	tag := fmt.Sprintf("%x-%x", info.ModTime().UnixNano(), info.Size())
	if compressible(kind) {
		header.Add("Vary", "Accept-Encoding")
		if sibling, encoding := b.sibling(r, name, info); sibling != nil {
			defer sibling.Close()
			header.Set("Content-Encoding", encoding)
			header.Set("ETag", `"`+tag+"-"+encoding+`"`)
			send(w, r, sibling, 1)
			return
		}
		if info.Size() >= leastToCompress && info.Size() <= maxCompressed {
			if data, err := io.ReadAll(io.LimitReader(file, maxCompressed)); err == nil {
				(&content{data: data, tag: tag}).serve(w, r, name, "")
				return
			}
		}
	}
	header.Set("ETag", `"`+tag+`"`)
	send(w, r, file, info.Size())
}

func (b *build) open(name string) (*os.File, os.FileInfo, error) {
	if !b.onDisk(name) { // to open a pipe would wait for its other end
		return nil, nil, os.ErrNotExist
	}
	file, err := b.root.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, nil, errors.Join(err, os.ErrNotExist)
	}
	return file, info, nil
}

// sibling opens the file that holds another one compressed, if the browser takes it and it
// is not older.
func (b *build) sibling(r *http.Request, name string, of os.FileInfo) (*os.File, string) {
	if r.Header.Get("Range") != "" {
		return nil, ""
	}
	for _, e := range []struct{ encoding, ext string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !accepts(r.Header.Get("Accept-Encoding"), e.encoding) {
			continue
		}
		if file, info, err := b.open(name + e.ext); err == nil {
			if !info.ModTime().Before(of.ModTime()) {
				return file, e.encoding
			}
			file.Close()
		}
	}
	return nil, ""
}
