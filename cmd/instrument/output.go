package main

import (
	"compress/gzip"
	"io"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// output is a file for a profile, in the format that its extension names.
type output struct {
	*outfile.File
	writeTo func(io.Writer, *profile.Profile) error
}

// openOutput finds out whether path can be written, before any work is done.
func openOutput(path string) (*output, error) {
	var writeTo func(io.Writer, *profile.Profile) error
	if !isReport(path) {
		f, err := format.ForPath(path)
		if err != nil {
			return nil, usageError("-o %s: %v; a report is .html", path, err)
		}
		writeTo = func(w io.Writer, p *profile.Profile) error { return f.WriteAs(w, path, p) }
	} else {
		writeTo = func(w io.Writer, p *profile.Profile) error {
			return zipped(path, func(w io.Writer) error { return reporting(w, p) })(w)
		}
	}
	f, err := outfile.Open(path)
	if err != nil {
		return nil, err
	}
	return &output{f, writeTo}, nil
}

// isReport reports whether a path names a report, gzipped or not.
func isReport(path string) bool {
	path, _ = cutGzip(path)
	return strings.EqualFold(filepath.Ext(path), ".html")
}

// cutGzip takes .gz off a path that has it.
func cutGzip(path string) (plain string, zipped bool) {
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		return path[:len(path)-len(".gz")], true
	}
	return path, false
}

// zipped returns a write that gzips if the path ends in .gz.
func zipped(path string, write func(io.Writer) error) func(io.Writer) error {
	if _, zip := cutGzip(path); !zip {
		return write
	}
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		if err := write(z); err != nil {
			return err
		}
		return z.Close()
	}
}

// write completes the file.
func (o *output) write(p *profile.Profile) error {
	return o.Complete(func(w io.Writer) error { return o.writeTo(w, p) })
}
