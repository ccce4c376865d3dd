package esbuildplugin

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// metafile is esbuild's, of which only sizes change and to which outputs and their
// imports of the runtime are added: the rest stays as it was written.
type metafile struct {
	text    string
	inputs  []string // names
	outputs map[string]output
	order   []string
	end     int // where the list of outputs ends
}

// output is one of the metafile's.
type output struct {
	sizeStart, sizeEnd int // its size in the text; 0 where it has none
	imports            int // where its list of imports begins; 0 where it has none
	importsNothing     bool
	isEntry            bool
}

// readMetafile finds the outputs and the names of inputs in a metafile; "" has none.
// Metafiles are large, and the rest is not needed, so it is skipped and not parsed.
func readMetafile(text string) (*metafile, error) {
	m := &metafile{text: text, outputs: map[string]output{}}
	if text == "" {
		return m, nil
	}
	_, err := eachMember(text, 0, func(key string, start int) (int, error) {
		switch key {
		case `"inputs"`:
			return eachMember(text, start, m.readInput)
		case `"outputs"`:
			end, err := eachMember(text, start, m.readOutput)
			m.end = end - len("}")
			return end, err
		}
		return skipValue(text, start)
	})
	if err != nil {
		return nil, fmt.Errorf("the metafile: %w", err)
	}
	return m, nil
}

// readInput records the name of the input whose object starts at an offset, and returns its end.
func (m *metafile) readInput(key string, start int) (int, error) {
	var name string
	if err := json.Unmarshal([]byte(key), &name); err != nil {
		return 0, err
	}
	m.inputs = append(m.inputs, name)
	return skipValue(m.text, start)
}

// readOutput records the output whose object starts at an offset, and returns its end.
func (m *metafile) readOutput(key string, start int) (int, error) {
	var name string
	if err := json.Unmarshal([]byte(key), &name); err != nil {
		return 0, err
	}
	var o output
	end, err := eachMember(m.text, start, func(key string, at int) (int, error) {
		end, err := skipValue(m.text, at)
		switch {
		case err != nil:
			return 0, err
		case key == `"entryPoint"`:
			o.isEntry = true
		case key == `"bytes"`:
			o.sizeStart, o.sizeEnd = at, at+len(strings.TrimRight(m.text[at:end], space))
		case key == `"imports"` && m.text[at] == '[':
			o.imports = at + len("[")
			o.importsNothing = strings.TrimLeft(m.text[o.imports:end], space) == "]"
		}
		return end, nil
	})
	m.outputs[name] = o
	m.order = append(m.order, name)
	return end, err
}

// present is what an output is now.
type present struct {
	name    string
	bytes   int
	imports string // the file of the runtime that its checks are from; "": it is no module
}

// present gives it all files, some of which import files of the runtime.
func (w *work) present(files []api.OutputFile) []present {
	all := make([]present, len(files))
	for i, f := range files {
		all[i] = present{w.place.named(f.Path, api.MetafileAbsPath), len(f.Contents), ""}
		if imports, ok := w.imports[f.Path]; ok {
			all[i].imports = w.place.named(imports, api.MetafileAbsPath)
		}
	}
	return all
}

// renewed is the metafile of what is there now, in esbuild's own style. Outputs that
// it does not list are added.
func (m *metafile) renewed(all []present) string {
	if m.text == "" || m.end == 0 {
		return m.text
	}
	now := make(map[string]present, len(all))
	for _, p := range all {
		now[p.name] = p
	}
	var b strings.Builder
	at := 0
	write := func(from, to int, text string) {
		b.WriteString(m.text[at:from])
		b.WriteString(text)
		at = to
	}
	for _, name := range m.order {
		o := m.outputs[name]
		is, ok := now[name]
		if !ok {
			continue
		}
		importing := o.imports > 0 && is.imports != ""
		if importing && o.imports < o.sizeStart {
			write(o.imports, o.imports, m.listed(is.imports, o.importsNothing))
		}
		if o.sizeEnd > 0 {
			write(o.sizeStart, o.sizeEnd, strconv.Itoa(is.bytes))
		}
		if importing && o.imports > o.sizeStart {
			write(o.imports, o.imports, m.listed(is.imports, o.importsNothing))
		}
	}
	list := strings.TrimRight(m.text[at:m.end], space)
	b.WriteString(list)
	m.addTo(&b, all)
	b.WriteString(m.text[at+len(list):])
	return b.String()
}

// isCompact reports whether the metafile has no lines, unlike esbuild's own.
func (m *metafile) isCompact() bool { return !strings.Contains(m.text, "\n") }

// listed is an import at the head of a list, of nothing else or of others.
func (m *metafile) listed(path string, alone bool) string {
	entry, end := "\n        {\n          \"path\": %s,\n          \"kind\": \"import-statement\"\n        }", "\n      "
	if m.isCompact() {
		entry, end = `{"path":%s,"kind":"import-statement"}`, ""
	}
	if !alone {
		end = ","
	}
	quoted, _ := json.Marshal(path) // a string
	return fmt.Sprintf(entry, quoted) + end
}

// addTo writes the outputs that the metafile has not.
func (m *metafile) addTo(b *strings.Builder, all []present) {
	entry := "\n    %s: {\n      \"imports\": [%s],\n      \"exports\": [],\n      \"inputs\": {},\n      \"bytes\": %d\n    }"
	if m.isCompact() {
		entry = `%s:{"imports":[%s],"exports":[],"inputs":{},"bytes":%d}`
	}
	isFirst := len(m.order) == 0
	for _, p := range all {
		if _, listed := m.outputs[p.name]; listed {
			continue
		}
		if !isFirst {
			b.WriteByte(',')
		}
		isFirst = false
		imports := ""
		if p.imports != "" {
			imports = m.listed(p.imports, true)
		}
		name, _ := json.Marshal(p.name) // a string
		fmt.Fprintf(b, entry, name, imports, p.bytes)
	}
}
