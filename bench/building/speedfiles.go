package building

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/fixtures"
)

// speedFiles are built files as their packages ship them, with the maps that
// they ship, from the lock file in bench/peers.
var speedFiles = []struct {
	path   string
	module bool
	mapped bool // its map is next to it
}{
	{"typescript/lib/typescript.js", false, false},
	{"monaco-editor/min/vs/editor-BdtEMBbM.js", true, false},
	{"monaco-editor/min/vs/toggleHighContrast-DuqAmExZ.js", true, false},
	{"mermaid/dist/mermaid.js", false, true},
	{"mermaid/dist/mermaid.min.js", false, true},
	{"echarts/dist/echarts.js", false, true},
	{"echarts/dist/echarts.min.js", false, false},
	{"pdfjs-dist/build/pdf.worker.mjs", true, true},
	{"pdfjs-dist/build/pdf.worker.min.mjs", true, false},
	{"pdfjs-dist/build/pdf.mjs", true, true},
	{"pdfjs-dist/build/pdf.min.mjs", true, false},
	{"three/build/three.core.js", true, false},
	{"three/build/three.module.js", true, false},
	{"react-dom/cjs/react-dom-client.development.js", false, false},
	{"react-dom/cjs/react-dom-client.production.js", false, false},
	{"prettier/plugins/typescript.js", false, false},
	{"prettier/plugins/babel.js", false, false},
	{"prettier/standalone.js", false, false},
	{"@angular/core/fesm2022/_debug_node-chunk.mjs", true, true},
	{"@angular/core/fesm2022/core.mjs", true, true},
	{"mathjs/lib/browser/math.js", false, true},
	{"vue/dist/vue.global.js", false, false},
	{"vue/dist/vue.global.prod.js", false, false},
	{"d3/dist/d3.js", false, false},
	{"d3/dist/d3.min.js", false, false},
	{"lodash/lodash.js", false, false},
	{"lodash/lodash.min.js", false, false},
}

// subject is a text on which peers are timed.
type subject struct {
	name    string
	path    string // of the code
	mapPath string // "" without a map
	module  bool
	printed bool // by esbuild, so that there is a map to it
	size    int
}

// speedSubjects installs the packages and returns the texts: every file and, if a
// package ships no map, the file as esbuild prints it, with esbuild's map. The printed
// ones are written into a folder.
func speedSubjects(folder, only string) ([]subject, error) {
	if err := fixtures.InstallIn(peersFolder()); err != nil {
		return nil, err
	}
	var subjects []subject
	for _, file := range speedFiles {
		if !strings.Contains(file.path, only) {
			continue
		}
		s := subject{name: file.path, path: filepath.Join(peersFolder(), "node_modules", filepath.FromSlash(file.path)), module: file.module}
		code, err := os.ReadFile(s.path)
		if err != nil {
			return nil, err
		}
		s.size = len(code)
		if file.mapped {
			s.mapPath = s.path + ".map"
		}
		subjects = append(subjects, s)
		if !file.mapped {
			printed, err := printWithMap(s, code, filepath.Join(folder, fmt.Sprintf("%d.js", len(subjects))))
			if err != nil {
				return nil, err
			}
			subjects = append(subjects, printed)
		}
	}
	return subjects, nil
}

// printWithMap has esbuild print a file, as densely as before, with a map.
func printWithMap(s subject, code []byte, path string) (subject, error) {
	lines := strings.Count(string(code), "\n") + 1
	printed := api.Transform(string(code), api.TransformOptions{
		Loader: api.LoaderJS, Sourcefile: s.name, Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentInclude,
		MinifyWhitespace: len(code)/lines > 200, LogLevel: api.LogLevelSilent,
	})
	if len(printed.Errors) > 0 {
		return subject{}, fmt.Errorf("%s: esbuild: %s", s.name, printed.Errors[0].Text)
	}
	s.printed, s.path, s.mapPath, s.size = true, path, path+".map", len(printed.Code)
	if err := os.WriteFile(s.path, printed.Code, 0o644); err != nil {
		return subject{}, err
	}
	return s, os.WriteFile(s.mapPath, printed.Map, 0o644)
}

// load reads a subject's code and map. Nothing is kept from file to file, since the
// size of the heap decides how often the collector runs.
func (s *subject) load() (code, sourceMap []byte, err error) {
	if code, err = os.ReadFile(s.path); err != nil || s.mapPath == "" {
		return code, nil, err
	}
	sourceMap, err = os.ReadFile(s.mapPath)
	return code, sourceMap, err
}

// peersFolder has the bench's packages.
func peersFolder() string { return filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "peers") }
