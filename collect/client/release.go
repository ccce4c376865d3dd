package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/sourcemap"
)

// File is a file of a release, as it will be sent.
type File struct {
	Name    string // relative to the directory, with slashes
	Path    string
	Content []byte // a script's comments; nil: the content of the file
}

// read returns the content.
func (f *File) read() ([]byte, error) {
	if f.Content != nil {
		return f.Content, nil
	}
	return os.ReadFile(f.Path)
}

// maxFiles is far more than a release has.
const maxFiles = 20_000

// FilesOf lists the files of a built site that a collector needs: source maps, function tables, and
// the comments of scripts whose maps are elsewhere. The directory may be a link; links in it are
// not followed.
func FilesOf(ctx context.Context, directory string) ([]File, error) {
	if info, err := os.Stat(directory); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory: name the one that was built", directory)
	}
	directory, err := filepath.EvalSymlinks(directory) // WalkDir does not enter a link
	if err != nil {
		return nil, err
	}
	var files []File
	scripts, maps := []string{}, map[string]bool{}
	nameOf := func(file string) string {
		name, err := filepath.Rel(directory, file)
		if err != nil {
			return file
		}
		return filepath.ToSlash(name)
	}
	err = filepath.WalkDir(directory, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() && entry.Name() == "node_modules":
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		switch name := nameOf(file); {
		case strings.HasSuffix(name, ".functions.json"):
			files = append(files, File{Name: name, Path: file})
		case isMap(name):
			maps[name] = true
			files = append(files, File{Name: name, Path: file})
		case isScript(name):
			scripts = append(scripts, file)
		}
		if len(files)+len(scripts) > maxFiles {
			return fmt.Errorf("%s has more than %d maps and scripts: name the directory of one build", directory, maxFiles)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, file := range scripts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		name := nameOf(file)
		content, err := commentsOf(file, name, maps)
		if err != nil {
			return nil, err
		}
		if content != nil {
			files = append(files, File{Name: name, Path: file, Content: content})
		}
	}
	if len(files) == 0 {
		return nil, errors.New("there are no source maps and no function tables: build with source maps, and then instrument the result")
	}
	return files, nil
}

// isMap reports whether a file may be the map of a script.
func isMap(name string) bool {
	return strings.HasSuffix(name, ".map") && !strings.HasSuffix(name, ".css.map") && !strings.HasSuffix(name, ".d.ts.map")
}

func isScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs":
		return true
	}
	return false
}

// commentsOf returns the comments of a script that say where its map is; nil if the map is next to
// the script, where it is found without them.
func commentsOf(file, name string, maps map[string]bool) ([]byte, error) {
	code, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	url, id := sourcemap.URL(code), sourcemap.DebugID(code)
	var lines []byte
	if url != "" && url != path.Base(name)+".map" {
		lines = fmt.Appendf(lines, "//# sourceMappingURL=%s\n", url)
	}
	if id != "" && (len(lines) > 0 || !maps[name+".map"]) {
		lines = fmt.Appendf(lines, "//# debugId=%s\n", id)
	}
	return lines, nil
}
