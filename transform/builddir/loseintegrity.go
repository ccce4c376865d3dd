package builddir

import (
	"bytes"
	"encoding/json"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// loseIntegrity empties the integrity hashes of scripts whose text will be another: those in attributes, and
// those in import maps.
func (p *pageFile) loseIntegrity(loses func(src string) bool) {
	if loses == nil {
		return
	}
	p.eachIntegrity(func(url string, integrity *htmlscan.Attribute) {
		if integrity.Value != "" && loses(url) {
			p.edits = append(p.edits, pageEdit{integrity.Start, integrity.End, integrity.Spell("")})
		}
	})
	for i := range p.seen.Scripts {
		if s := &p.seen.Scripts[i]; isImportMap(i, s) {
			content := p.src[s.ContentStart:s.ContentEnd]
			if edits := hashesInMap(content, loses); edits != nil {
				p.replaceInline(s, edited(content, edits))
			}
		}
	}
}

// hashesInMap returns the edits that empty an import map's integrity hashes of some scripts. A map that is no JSON, which
// browsers ignore, needs none.
func hashesInMap(content []byte, loses func(src string) bool) (edits []pageEdit) {
	if !json.Valid(content) {
		return nil
	}
	eachMember(content, 0, func(key string, start, end int) {
		if key != "integrity" {
			return
		}
		eachMember(content[start:end], start, func(url string, start, end int) {
			if value := content[start:end]; value[0] == '"' && len(value) > len(`""`) && loses(asRead(url)) {
				edits = append(edits, pageEdit{start, end, `""`})
			}
		})
	})
	return edits
}

// eachMember calls a function with the key of each member of a JSON object, and with the place of its value
// in a text in which the object is at an offset. Of what is no object it has none.
func eachMember(object []byte, offset int, do func(key string, start, end int)) {
	d := json.NewDecoder(bytes.NewReader(object))
	if begins(d) != nil {
		return
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return
		}
		end := offset + int(d.InputOffset())
		do(key.(string), end-len(value), end)
	}
}
