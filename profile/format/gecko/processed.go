package gecko

import (
	"io"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Write writes an attributed profile in the processed form.
func Write(out io.Writer, p *profile.Profile) error {
	w, err := newWritten(p)
	if err != nil {
		return err
	}
	meta := w.meta()
	meta["preprocessedProfileVersion"] = versionProcessed
	meta["symbolicated"] = true
	meta["physicalCPUs"], meta["logicalCPUs"] = 0, 0
	functions, sources, resources := w.functionTables()
	shared := object{
		"stackTable": w.stackTable(), "frameTable": w.frameTable(), "funcTable": functions, "resourceTable": resources, "sources": sources,
		"nativeSymbols":       object{"length": 0, "libIndex": []int{}, "address": []int{}, "name": []int{}, "functionSize": []int{}},
		"sourceLocationTable": object{"length": 0, "source": []int{}, "line": []int{}, "column": []int{}},
	}
	f := processedFile{Meta: meta, Libs: []object{}, Pages: []object{}, Shared: shared, Threads: []object{w.processedThread()}, Fieldprof: w.extension()}
	shared["stringArray"] = w.strings.Names // which all of the above have added to
	return codec.Encode("gecko", out, f)
}

// processedFile is the processed form: how a file begins tells what it is.
type processedFile struct {
	Meta      object     `json:"meta"`
	Libs      []object   `json:"libs"`
	Pages     []object   `json:"pages"`
	Shared    object     `json:"shared"`
	Threads   []object   `json:"threads"`
	Fieldprof *extension `json:"fieldprof"`
}

// functionTables are the functions, the files they are in, and what the Firefox
// Profiler calls resources: hosts, and files without one.
func (w *written) functionTables() (functions, sources, resources object) {
	n := len(w.Functions.Name)
	flags, names, in := make([]int, n), make([]int32, n), make([]int32, n)
	from, lines, columns := make([]int32, n), make([]int32, n), make([]int32, n)
	files, hosts := codec.NewNumbering(), codec.NewNumbering()
	for i := range n {
		f := w.Profile.Function(profile.FunctionID(i))
		names[i], lines[i], columns[i] = w.strings.Of(shownName(f)), f.Line, f.Column
		if !isScript(f) {
			lines[i], columns[i] = 0, 0
			continue
		}
		flags[i] = funcIsJS
		if f.File != "" {
			in[i], from[i] = hosts.Of(hostOf(f.File)), files.Of(f.File)
			flags[i] |= funcHasResource | funcHasSource
		}
		if f.Line > 0 {
			flags[i] |= funcHasLine
		}
		if f.Column > 0 {
			flags[i] |= funcHasColumn
		}
	}
	functions = object{"length": n, "flags": flags, "name": names, "resource": in, "source": from,
		"lineNumber": lines, "columnNumber": columns, "originalLocation": make([]int, n)}
	return functions, w.sourceTable(files.Names), w.resourceTable(hosts.Names)
}

func (w *written) sourceTable(files []string) object {
	n := len(files)
	ones := slices.Repeat([]int{1}, n)
	return object{"length": n, "id": make([]*string, n), "filename": w.stringsOf(files), "startLine": ones, "startColumn": ones,
		"sourceMapURL": make([]*int, n), "content": make([]*string, n)}
}

// Types of resources.
const (
	resourceWebHost = 3
	resourceURL     = 5
)

func (w *written) resourceTable(hosts []string) object {
	n := len(hosts)
	types, host := make([]int, n), make([]*int32, n)
	for i, h := range hosts {
		types[i] = resourceURL
		if strings.Contains(h, "://") {
			id := w.strings.Of(h)
			types[i], host[i] = resourceWebHost, &id
		}
	}
	return object{"length": n, "name": w.stringsOf(hosts), "host": host, "type": types}
}

func (w *written) stringsOf(names []string) []int32 {
	ids := make([]int32, len(names))
	for i, name := range names {
		ids[i] = w.strings.Of(name)
	}
	return ids
}

// hostOf is the origin of a URL, or the file itself.
func hostOf(file string) string {
	scheme, rest, ok := strings.Cut(file, "://")
	if !ok || scheme == "" || strings.ContainsAny(scheme, "/ ") {
		return file
	}
	host, _, _ := strings.Cut(rest, "/")
	if host == "" {
		return file
	}
	return scheme + "://" + host
}

func (w *written) frameTable() object {
	n := len(w.Frames.Function)
	zeros := make([]int, n)
	flags, category := make([]int, n), make([]int, n)
	for i, f := range w.Frames.Function {
		flags[i], category[i] = frameHasCategory, categoryOf(w.Profile.Function(f))
		if w.Frames.Line[i] > 0 {
			flags[i] |= frameHasLine
		}
		if w.Frames.Column[i] > 0 {
			flags[i] |= frameHasColumn
		}
	}
	return object{"length": n, "flags": flags, "address": zeros, "category": category, "subcategory": zeros, "func": notNil(w.Frames.Function),
		"lib": zeros, "nativeSymbol": zeros, "innerWindowID": zeros, "line": notNil(w.Frames.Line), "column": notNil(w.Frames.Column), "originalLocation": zeros}
}

func (w *written) stackTable() object {
	n := len(w.Stacks.Parent)
	offset := make([]int, n)
	for i, up := range w.Stacks.Parent {
		if up != profile.NoStack {
			offset[i] = i - int(up)
		}
	}
	return object{"length": n, "frame": notNil(w.Stacks.Frame), "prefixOffset": offset}
}

// notNil is a column that is [] in JSON when it is empty.
func notNil[T any](column []T) []T {
	if column == nil {
		return []T{}
	}
	return column
}

func (w *written) processedThread() object {
	n := w.Len()
	times, weights := make([]float64, n), make([]float64, n)
	for i := range n {
		times[i] = milliseconds(w.began(i))
		weights[i] = milliseconds(int64(w.Samples.Weight[i]) * int64(w.Interval))
	}
	samples := object{"length": n, "stack": notNil(w.Samples.Stack), "time": times, "weight": weights, "weightType": lasting}
	return object{
		"name": threadName, "isMainThread": true, "processType": "default", "processName": w.product(), "pid": "0", "tid": 0,
		"processStartupTime": 0, "processShutdownTime": nil, "registerTime": 0, "unregisterTime": nil,
		"pausedRanges": []object{}, "samples": samples, "markers": w.processedMarkers(),
	}
}

// began is when a sample began: the Firefox Profiler shows it from then until the next one.
func (w *written) began(i int) int64 {
	before := int64(0)
	if i > 0 {
		before = w.Samples.Time[i-1]
	}
	return max(before, w.Samples.Time[i]-int64(w.Samples.Weight[i])*int64(w.Interval))
}

// threadName is what Firefox calls the thread that runs a page's scripts.
const threadName = "GeckoMain"

func (w *written) processedMarkers() object {
	found := w.markers()
	n := len(found)
	names, starts, ends := make([]int32, n), make([]float64, n), make([]any, n)
	phases, category, data := make([]int, n), make([]int, n), make([]object, n)
	for i, m := range found {
		names[i], starts[i], ends[i], phases[i], category[i], data[i] = w.strings.Of(m.name), m.start, m.endOrNull(), m.phase(), m.category, m.data
	}
	return object{"length": n, "name": names, "startTime": starts, "endTime": ends, "phase": phases, "category": category, "data": data}
}
