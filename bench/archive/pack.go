package archive

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory that unpacking takes.
const maxWindow = 64 << 20

// Pack verifies a folder of raw samples and writes it into one file, .tar.zst or
// .tar.gz. The same folder gives the same file, to the byte.
func Pack(folder, file string) (err error) {
	m, err := Verify(folder, Recordings)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			os.Remove(file)
		}
	}()
	packed, err := compressor(file, out)
	if err != nil {
		return err
	}
	t := tar.NewWriter(packed)
	for _, name := range append([]string{ManifestName}, slices.Sorted(maps.Keys(m.Files))...) {
		if err := add(t, filepath.Join(folder, name), name); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), packed.Close())
}

func add(t *tar.Writer, from, name string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: info.Size(), Mode: 0o644}); err != nil {
		return err
	}
	_, err = io.Copy(t, file)
	return err
}

func compressor(name string, w io.Writer) (io.WriteCloser, error) {
	switch {
	case strings.HasSuffix(name, ".tar.zst"):
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	case strings.HasSuffix(name, ".tar.gz"):
		return gzip.NewWriter(w), nil
	}
	return nil, fmt.Errorf("%s: a packed archive is a .tar.zst or a .tar.gz", name)
}

func decompressor(name string, r io.Reader) (io.ReadCloser, error) {
	switch {
	case strings.HasSuffix(name, ".tar.zst"):
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	case strings.HasSuffix(name, ".tar.gz"):
		return gzip.NewReader(r)
	}
	return nil, fmt.Errorf("%s: a packed archive is a .tar.zst or a .tar.gz", name)
}

// Packed reports whether a path is the path of a packed archive, by its name.
func Packed(path string) bool {
	return strings.HasSuffix(path, ".tar.zst") || strings.HasSuffix(path, ".tar.gz")
}

// Unpack unpacks a file into a new folder and verifies it. It writes plain files into
// that folder and nothing elsewhere, and leaves no folder if it fails.
func Unpack(file, folder string) (err error) {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	unpacked, err := decompressor(file, in)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	defer unpacked.Close()
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(folder)
		}
	}()
	if err := extract(tar.NewReader(unpacked), folder); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	_, err = Verify(folder, Recordings)
	return err
}

func extract(t *tar.Reader, folder string) error {
	var total int64
	for n := 0; ; n++ {
		header, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		total += header.Size
		switch {
		case header.Typeflag != tar.TypeReg || !plain.MatchString(header.Name):
			return fmt.Errorf("%q is no plain file", header.Name)
		case header.Size > maxFile || total > maxTotal || n > maxFiles:
			return fmt.Errorf("is larger than %d GB in %d files of %d MB", maxTotal>>30, maxFiles, maxFile>>20)
		}
		if err := write(filepath.Join(folder, header.Name), t); err != nil {
			return err
		}
	}
}

// write writes a new file: a name that occurs twice is an error.
func write(path string, content io.Reader) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
