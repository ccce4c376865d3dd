package esbuildplugin

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// metafile is esbuild's, of which only sizes change and to which outputs are
// added: the rest stays as it is written.
type metafile struct {
	text    string
	outputs map[string]output
	order   []string
	end     int // where the list of outputs ends
}

// output is one of the metafile's.
type output struct {
	sizeStart, sizeEnd int // its size in the text; 0 where it has none
	isEntry            bool
}

// readMetafile finds the outputs in a metafile; "" has none. Metafiles are large,
// and nobody asks for the rest, so that is skipped and not parsed.
func readMetafile(text string) (*metafile, error) {
	m := &metafile{text: text, outputs: map[string]output{}}
	if text == "" {
		return m, nil
	}
	_, err := eachMember(text, 0, func(key string, start int) (int, error) {
		if key != `"outputs"` {
			return skipValue(text, start)
		}
		end, err := eachMember(text, start, m.readOutput)
		m.end = end - len("}")
		return end, err
	})
	if err != nil {
		return nil, fmt.Errorf("the metafile: %w", err)
	}
	return m, nil
}

// readOutput notes the output whose object starts at an offset, and gives its end.
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
		}
		return end, nil
	})
	m.outputs[name] = o
	m.order = append(m.order, name)
	return end, err
}

// size is how large an output is now.
type size struct {
	name  string
	bytes int
}

func (w *work) sizes(files []api.OutputFile) []size {
	sizes := make([]size, len(files))
	for i, f := range files {
		sizes[i] = size{w.place.named(f.Path, api.MetafileAbsPath), len(f.Contents)}
	}
	return sizes
}

// renewed is the metafile with sizes as they are now, in esbuild's own style. What
// it does not list is added.
func (m *metafile) renewed(sizes []size) string {
	if m.text == "" || m.end == 0 {
		return m.text
	}
	bytesOf := make(map[string]int, len(sizes))
	var b strings.Builder
	for _, s := range sizes {
		bytesOf[s.name] = s.bytes
	}
	at := 0
	for _, name := range m.order {
		o := m.outputs[name]
		is, ok := bytesOf[name]
		if !ok || o.sizeEnd == 0 {
			continue
		}
		b.WriteString(m.text[at:o.sizeStart])
		b.WriteString(strconv.Itoa(is))
		at = o.sizeEnd
	}
	list := strings.TrimRight(m.text[at:m.end], space)
	b.WriteString(list)
	m.addTo(&b, sizes)
	b.WriteString(m.text[at+len(list):])
	return b.String()
}

// addTo writes the outputs that the metafile has not.
func (m *metafile) addTo(b *strings.Builder, sizes []size) {
	entry := "\n    %s: {\n      \"imports\": [],\n      \"exports\": [],\n      \"inputs\": {},\n      \"bytes\": %d\n    }"
	if !strings.Contains(m.text, "\n") {
		entry = `%s:{"imports":[],"exports":[],"inputs":{},"bytes":%d}`
	}
	isFirst := len(m.order) == 0
	for _, s := range sizes {
		if _, listed := m.outputs[s.name]; listed {
			continue
		}
		if !isFirst {
			b.WriteByte(',')
		}
		isFirst = false
		name, _ := json.Marshal(s.name) // a string
		fmt.Fprintf(b, entry, name, s.bytes)
	}
}
