// Package bundle turns a program, which is an entry file and all that it imports (ES
// modules, CommonJS, TypeScript, JSX, packages), into one script with a source map, by
// means of esbuild.
package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/sourcemap"
)

// Bundle is a program as one script with its source map.
type Bundle struct {
	Code []byte
	// Module says that the script is an ES module, because it has a top-level await;
	// otherwise it is a classic script or, for Node, a CommonJS module.
	Module bool
	// ESM says that the entry file is an ES module, whatever the script is.
	ESM bool
	// SourceMap maps the script to the sources: by a path relative to the working
	// directory, or by the full path if they are outside of it.
	SourceMap []byte
	Warnings  []string
}

// Target says what the script is made for.
type Target struct {
	Engine string // its name in messages
	// Node: the script runs in Node, with Node's own modules.
	Node bool
	// HostModules are modules of Node that another engine provides to require. A
	// package of the same name has priority.
	HostModules []string
	// Lacks lists syntax (by esbuild's names) that must be rewritten. Everything else
	// stays as its author wrote it, so that the profile shows the code and not a
	// translation of it.
	Lacks []string
	// Await: a top-level await makes the program an ES module. If it is false, one is
	// an error.
	Await bool
}

// name is the bundle's file name; no such file is written.
const name = "(bundle).js"

// Make bundles an entry file. The error is a SourceError if the sources are at fault.
func Make(path string, target Target) (*Bundle, error) {
	if err := checkEntry(path); err != nil {
		return nil, err
	}
	directory, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	entry, err := Entry(path)
	if err != nil {
		return nil, err
	}
	m := &maker{target: &target, directory: withoutLinks(directory), entry: entry}
	result := m.build()
	if len(result.Errors) > 0 {
		return nil, &SourceError{messages: result.Errors, target: &target}
	}
	made := readMetafile(result.Metafile)
	b := &Bundle{Module: m.awaits, ESM: made.isModule()}
	for _, file := range result.OutputFiles {
		switch filepath.Ext(file.Path) { // imported styles are of no use here
		case ".map":
			if strings.HasSuffix(file.Path, ".js.map") {
				b.SourceMap = file.Contents
			}
		case ".js":
			b.Code = bytes.ToValidUTF8(file.Contents, []byte("\uFFFD")) // names of files are in comments
		}
	}
	m.begin(b, made)
	for _, w := range slices.Concat(result.Warnings, m.constants.warnings()) {
		b.Warnings = append(b.Warnings, formatMessage(w, &target))
	}
	if b.SourceMap, err = m.toSources(b.SourceMap); err != nil {
		return nil, err
	}
	if b.Code, err = restoreClassNames(b.Code, b.SourceMap); err != nil {
		return nil, err
	}
	b.SourceMap, err = namePlainly(b.SourceMap, m.directory)
	return b, err
}

// Entry is the absolute path of an entry file without symbolic links: what esbuild and Node
// call it.
func Entry(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	return withoutLinks(absolute), err
}

// withoutLinks resolves the symbolic links in a path, as esbuild does in all its paths. One
// that cannot be resolved stays as it is, there too.
func withoutLinks(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}

// namePlainly names sources outside the working directory by their full path; those
// inside stay relative to it.
func namePlainly(sourceMap []byte, directory string) ([]byte, error) {
	if !bytes.Contains(sourceMap, []byte(`"../`)) {
		return sourceMap, nil
	}
	m, err := sourcemap.Parse(sourceMap)
	if err != nil {
		return nil, err
	}
	for i, source := range m.Sources {
		if strings.HasPrefix(source, "../") {
			m.Sources[i] = filepath.ToSlash(filepath.Join(directory, filepath.FromSlash(source)))
		}
	}
	return m.Encode()
}

func nodeEnv() string {
	if env := os.Getenv("NODE_ENV"); env != "" {
		return fmt.Sprintf("%q", env)
	}
	return `"production"`
}

// programs are the extensions of files that a program can start with. Of others that can be
// imported, such as .json and .html, nothing would run.
var programs = []string{"", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}

// checkEntry says in plain language what is wrong with an entry file.
func checkEntry(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file: name a JavaScript or TypeScript file to run", path)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory: name the file in it that starts the program", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is a pipe or a device: name a file", path)
	case info.Size() == 0:
		return fmt.Errorf("%s is empty: there is nothing to run", path)
	case !slices.Contains(programs, filepath.Ext(path)):
		return fmt.Errorf("%s is no program, by its name: name a JavaScript or TypeScript file to run (%s)", path, strings.Join(programs[1:], ", "))
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// SourceError reports what is wrong with the sources: a syntax error, or an import that
// cannot be resolved.
type SourceError struct {
	messages []api.Message
	target   *Target
}

// Error formats each message as file:line:col: text, and the line with a caret.
func (e *SourceError) Error() string {
	shown := e.messages[:min(len(e.messages), 10)]
	texts := make([]string, 0, len(shown)+1)
	for _, m := range shown {
		texts = append(texts, formatMessage(m, e.target))
	}
	if more := len(e.messages) - len(shown); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "\n")
}
