package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/transform"
)

// variant is one way to instrument a test and to run it. The original is the
// variant without a runtime.
type variant struct {
	name    string
	options transform.Options
	runtime string // "", idle or armed, as worker.mjs knows them
}

var variants = []variant{
	{name: "original"},
	{"precise idle", transform.Options{Selection: transform.Selection{Preset: transform.Precise}}, "idle"},
	{"precise armed", transform.Options{Selection: transform.Selection{Preset: transform.Precise}}, "armed"},
	{"balanced armed", transform.Options{Selection: transform.Selection{Preset: transform.Balanced}}, "armed"},
	{"compact idle", transform.Options{Selection: transform.Selection{Preset: transform.Precise, Form: transform.Compact}}, "idle"},
	{"compact armed", transform.Options{Selection: transform.Selection{Preset: transform.Precise, Form: transform.Compact}}, "armed"},
}

// instrument gives the text of a test in this variant, with the warnings of
// transform.
func (v *variant) instrument(src []byte, file string, asModule bool) ([]byte, []transform.Warning, error) {
	if v.runtime == "" {
		return src, nil, nil
	}
	options := v.options
	options.File, options.ChecksModule = file, "fieldprof:checks"
	options.Goal = transform.Script
	if asModule {
		options.Goal = transform.Module
	}
	result, err := transform.Transform(src, options)
	if err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(transform.Delete(result.Code, result.Insertions), src) {
		return nil, nil, fmt.Errorf("%s, %s: deleting the insertions does not give the source back", file, v.name)
	}
	return result.Code, result.Warnings, nil
}

// writeModules writes what tests import into a folder a variant, instrumented,
// and returns the folders: the fixtures, and tests that import themselves.
func writeModules(root, temp string) ([]string, error) {
	roots := make([]string, len(variants))
	for i := range variants {
		roots[i] = filepath.Join(temp, strings.ReplaceAll(variants[i].name, " ", "-"))
	}
	base := filepath.Join(root, "test")
	for _, suite := range suites {
		err := filepath.WalkDir(filepath.Join(base, suite), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !isFixture(path) && !bytes.Contains(src, []byte("./"+d.Name())) {
				return nil
			}
			relative, err := filepath.Rel(base, path)
			if err != nil {
				return err
			}
			return writeModule(src, relative, roots)
		})
		if err != nil {
			return nil, err
		}
	}
	return roots, nil
}

// writeModule writes one file for each variant.
func writeModule(src []byte, relative string, roots []string) error {
	for i := range variants {
		code := src
		if filepath.Ext(relative) == ".js" {
			var err error
			if code, _, err = variants[i].instrument(src, relative, true); err != nil {
				return err
			}
		}
		target := filepath.Join(roots[i], relative)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, code, 0o644); err != nil {
			return err
		}
	}
	return nil
}
