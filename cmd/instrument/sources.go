package main

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile/report"
)

// sourcesBelow reads files by the names that a profile has for them. Whatever the names say, it reads
// nothing outside the directory, and nothing that is not a source: reports are handed on.
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
		if !ok || !isSource(name) {
			return "", false
		}
		info, err := root.Stat(name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > report.MaxSource {
			return "", false
		}
		text, err := root.ReadFile(name)
		return string(text), err == nil && (filepath.Ext(name) != "" || isScript(text))
	}
	return source, func() { root.Close() }, nil
}

// sourceExtensions are those of files that have functions of profiles.
var sourceExtensions = strings.Fields(`.js .mjs .cjs .jsx .ts .mts .cts .tsx .gjs .gts .vue .svelte .astro .marko .mdx .html .htm .xhtml
	.es6 .jsm .coffee .civet .imba .svx .elm .res .re .ml .purs .cljs .scala .gleam .fs .dart .kt .go .rs .zig .c .cc .cpp .h`)

// isSource reports whether a file may be a source by its name. Files and folders that begin with a dot belong to
// tools, except for those in which package managers keep packages, such as node_modules/.pnpm.
func isSource(name string) bool {
	own, _, _ := strings.Cut(strings.TrimPrefix("/"+filepath.ToSlash(name), "/.yarn/unplugged/"), "/node_modules/")
	extension := strings.ToLower(filepath.Ext(name))
	return (extension == "" || slices.Contains(sourceExtensions, extension)) && !strings.Contains("/"+own, "/.")
}

// isScript reports whether a text says that it is a program, as one without an extension does.
func isScript(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.HasPrefix(line, []byte("#!")) && interpreter.Match(line)
}

var interpreter = regexp.MustCompile(`\b(node|nodejs|deno|bun)\b`)

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
