package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile/report"
)

// sourcesBelow reads files by the names that a profile has for them, and never outside
// the directory, whatever the names say.
func sourcesBelow(directory string) (source func(string) (string, bool), done func(), err error) {
	root, err := os.OpenRoot(directory)
	if err != nil {
		return nil, nil, outfile.Reason(err)
	}
	absolute, err := filepath.Abs(directory)
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	bases := []string{absolute}
	if resolved, err := filepath.EvalSymlinks(absolute); err == nil && resolved != absolute {
		bases = append(bases, resolved) // engines name the files that links lead to
	}
	source = func(file string) (string, bool) {
		name, ok := nameBelow(bases, file)
		if !ok {
			return "", false
		}
		info, err := root.Stat(name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > report.MaxSource {
			return "", false
		}
		text, err := root.ReadFile(name)
		return string(text), err == nil
	}
	return source, func() { root.Close() }, nil
}

// nameBelow returns the name of a profile's file relative to a directory, which may have several
// absolute names.
func nameBelow(directory []string, file string) (string, bool) {
	name := strings.TrimPrefix(file, "file://")
	if u, err := url.Parse(file); err == nil && u.Scheme == "file" && u.Host == "" && u.Path != "" {
		name = u.Path // unescaped
	}
	if name = filepath.Clean(name); !filepath.IsAbs(name) {
		return name, filepath.IsLocal(name)
	}
	for _, base := range directory {
		if below, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(below) {
			return below, true
		}
	}
	return "", false
}
