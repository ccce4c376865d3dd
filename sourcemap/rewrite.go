package sourcemap

// Place is a position in the generated text before any insertion. Line and
// Column count from 0; Column in UTF-16 code units.
type Place struct{ Line, Column int32 }

// Rewritten is what Rewrite makes of a map.
type Rewritten struct {
	// JSON is the map of the generated text with the insertions in it.
	JSON []byte
	// Originals says for each place, in the order given, what Find says of it
	// in the map before. Where Find knows nothing, Source is "" and Line -1.
	Originals []Original
}

// Rewrite looks up places in a source map and moves its columns behind
// insertions: Parse, Find, Shift and Encode in one.
func Rewrite(data []byte, insertions []Insertion, places []Place) (*Rewritten, error) {
	m, err := Parse(data)
	if err != nil {
		return nil, err
	}
	r := &Rewritten{Originals: make([]Original, len(places))}
	for i, p := range places {
		o, ok := m.Find(int(p.Line), int(p.Column))
		if !ok {
			o = Original{Line: -1}
		}
		r.Originals[i] = o
	}
	r.JSON, err = m.Shift(insertions).Encode()
	return r, err
}
