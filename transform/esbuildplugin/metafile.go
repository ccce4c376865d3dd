package esbuildplugin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
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
	start, end int // of its object in the text
	isEntry    bool
}

// readMetafile finds the outputs in a metafile; "" has none.
func readMetafile(text string) (*metafile, error) {
	m := &metafile{text: text, outputs: map[string]output{}}
	if text == "" {
		return m, nil
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	err := eachMember(decoder, func(key string) error {
		if key != "outputs" {
			return decoder.Decode(&skipped{})
		}
		if err := eachMember(decoder, func(name string) error { return m.readOutput(decoder, name) }); err != nil {
			return err
		}
		m.end = int(decoder.InputOffset()) - len("}")
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the metafile: %w", err)
	}
	return m, nil
}

// skipped is a value that nobody asks for.
type skipped struct{}

func (*skipped) UnmarshalJSON([]byte) error { return nil }

func (m *metafile) readOutput(decoder *json.Decoder, name string) error {
	var raw json.RawMessage
	if err := decoder.Decode(&raw); err != nil {
		return err
	}
	end := int(decoder.InputOffset())
	o := output{start: end - len(raw), end: end}
	if bytes.Contains(raw, []byte(`"entryPoint"`)) {
		var entry struct{ EntryPoint *string }
		if err := json.Unmarshal(raw, &entry); err != nil {
			return err
		}
		o.isEntry = entry.EntryPoint != nil
	}
	m.outputs[name] = o
	m.order = append(m.order, name)
	return nil
}

// eachMember reads an object; the value of each key is for do to read.
func eachMember(decoder *json.Decoder, do func(key string) error) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('{') {
		return fmt.Errorf("%v is no object", token)
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		if err := do(key.(string)); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
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

// bytesOfOutput is the size in an output's object; those of its inputs have
// another name.
var bytesOfOutput = regexp.MustCompile(`"bytes"\s*:\s*(\d+)`)

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
		matches := bytesOfOutput.FindAllStringSubmatchIndex(m.text[o.start:o.end], -1)
		if !ok || len(matches) == 0 {
			continue
		}
		last := matches[len(matches)-1]
		b.WriteString(m.text[at : o.start+last[2]])
		b.WriteString(strconv.Itoa(is))
		at = o.start + last[3]
	}
	list := strings.TrimRight(m.text[at:m.end], " \t\r\n")
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
