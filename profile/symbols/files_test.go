package symbols

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// inMemory are files by name. It counts how often they are read.
type inMemory struct {
	texts map[string]string
	byID  bool
	mu    sync.Mutex
	reads map[string]int
}

var debugID = regexp.MustCompile(`"debug_?[iI]d":"([^"]*)"`)

func (m *inMemory) List() (list []File) {
	for _, name := range slices.Sorted(maps.Keys(m.texts)) {
		f := File{Name: name, Key: name + "\n" + m.texts[name], ByID: m.byID}
		if id := debugID.FindStringSubmatch(m.texts[name]); id != nil {
			f.DebugID = id[1]
		}
		list = append(list, f)
	}
	return list
}

func (m *inMemory) Read(name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reads == nil {
		m.reads = map[string]int{}
	}
	m.reads[name]++
	if strings.HasPrefix(name, "unreadable") {
		return nil, errors.New("it is not readable")
	}
	return []byte(m.texts[name]), nil
}

// The rules are those of directories, with and without a memory.
func TestInFindsWhatFindDoes(t *testing.T) {
	for _, memory := range []*Memory{nil, NewMemory(1 << 20), NewMemory(0)} {
		for name, c := range findCases {
			p, files := recorded(c.script), &inMemory{texts: c.files}
			for range 2 {
				found := In(p, files, memory)
				if c.want == "" {
					must.Equal(t, len(found.Scripts), 0, name)
					continue
				}
				must.Equal(t, first(found.Symbolize(p, false)), c.want, name, found.Warnings)
			}
		}
	}
}

func TestInByDebugIDOnly(t *testing.T) {
	files := &inMemory{texts: map[string]string{"app.js.map": mapTo("src/app.ts", `"debugId":"ab-1"`)}, byID: true}
	p := recorded(shop)
	must.Equal(t, len(In(p, files, nil).Scripts), 0)
	p.Meta.DebugIDs = map[string]string{shop: "AB-1"}
	must.Equal(t, first(In(p, files, nil).Symbolize(p, false)), "parse src/app.ts:4")
	must.Equal(t, In(p, &inMemory{texts: map[string]string{"unreadable/app.js.map": ""}}, nil).Warnings, []string{"unreadable/app.js.map: it is not readable"})
}

// A memory has what was used last, and is never larger than it may be.
func TestMemoryKeepsWhatWasUsedLast(t *testing.T) {
	one := sizeOf(must.Get(parse([]byte(mapTo("src/app.ts"))))(t))
	memory := NewMemory(2*one + one/2)
	files := &inMemory{texts: map[string]string{}}
	for _, script := range []string{"a", "b", "c"} {
		files.texts[script+".js.map"] = mapTo("src/app.ts")
	}
	for _, script := range []string{"a", "b", "a", "c", "a", "b"} {
		must.Equal(t, len(In(recorded(script+".js"), files, memory).Scripts), 1, script)
		if memory.room < 0 || memory.order.Len() != len(memory.known) {
			t.Fatalf("%d bytes are left for %d entries", memory.room, memory.order.Len())
		}
	}
	must.Equal(t, files.reads, map[string]int{"a.js.map": 1, "b.js.map": 2, "c.js.map": 1})
	// Another content is another file.
	files.texts["a.js.map"] = mapTo("src/new.ts")
	p := recorded("a.js")
	must.Equal(t, first(In(p, files, memory).Symbolize(p, false)), "parse src/new.ts:4")
}

// Files that nobody would make together: names of sources stay inside, and nothing breaks.
func FuzzIn(f *testing.F) {
	f.Add("assets/app.js.map", mapTo("../../../etc/passwd"), "assets/app.js", "//# sourceMappingURL=../../app.js.map\n//# debugId=ab-1", shop, "ab-1")
	f.Add("app.js.functions.json", table, "app.js.map", `{"version":3,"sections":[]}`, "https://shop.example//app.js/..", "")
	f.Add("", "{", "../app.js", "//# sourceMappingURL=app.js", "app.js", "x")
	f.Fuzz(func(t *testing.T, name1, text1, name2, text2, script, id string) {
		p := recorded(script, script+"?", "other.js")
		p.Meta.DebugIDs = map[string]string{script: id}
		files := &inMemory{texts: map[string]string{name1: text1, name2: text2, name1 + ".map": text2}}
		memory := NewMemory(4096)
		for range 2 {
			found := In(p, files, memory)
			out := found.Symbolize(p, true)
			must.Do(t, out.CheckValid())
			deployed := map[string]bool{}
			for _, name := range scriptsOf(p) {
				deployed[name] = true
			}
			for i := range out.Functions.Name {
				file := out.Function(profile.FunctionID(i)).File
				if !deployed[file] && (strings.HasPrefix(file, "/") || strings.HasPrefix(file, "../") || strings.Contains(file, "/../") || strings.ContainsRune(file, 0)) {
					t.Errorf("a source is %q", file)
				}
			}
			for name := range files.reads {
				if _, listed := files.texts[name]; !listed {
					t.Errorf("%q was read", name)
				}
			}
		}
	})
}

// Finding takes no longer because of what a map or a table claims: these would take hours.
func TestHostileSizes(t *testing.T) {
	const many = 300_000
	ignored := make([]string, many)
	for i := range ignored {
		ignored[i] = "7"
	}
	hostile := mapTo("src/app.ts", `"x_google_ignoreList":[`+strings.Join(ignored, ",")+`]`)
	hostile = strings.Replace(hostile, `"sources":["src/app.ts"]`, `"sources":["src/app.ts"`+strings.Repeat(`,""`, many)+`]`, 1)
	found := In(recorded(shop), &inMemory{texts: map[string]string{"app.js.map": hostile}}, nil)
	must.Equal(t, first(found.Symbolize(recorded(shop), false)), "parse src/app.ts:4")

	at := func(column int32) functable.Position { return functable.Position{Line: 1, Column: column} }
	nested := functable.Table{File: "app.js", Functions: []functable.Function{{Kind: functable.Script, Start: at(1), End: at(4 * many), Parent: -1}}}
	for i := range int32(many) {
		nested.Functions = append(nested.Functions, functable.Function{Kind: functable.Arrow, Start: at(i + 1), End: at(3*many - i), Definition: at(i + 1), Parent: i})
	}
	data := must.Get(nested.Encode())(t)
	found = In(recorded(shop), &inMemory{texts: map[string]string{"app.js.functions.json": string(data)}}, nil)
	must.Equal(t, found.Warnings, []string{"app.js.functions.json: functions are nested more than 2000 deep"})
}
