package jsonstream

import (
	"encoding/json"
	"io"
	"strconv"
)

// Writer writes JSON by hand: arrays are long, and the text around them is up to
// the format. Errors surface in Flush.
type Writer struct {
	to   io.Writer
	text []byte // that is yet to be written
	err  error
}

// writerSize is how much text is written at once.
const writerSize = 64 << 10

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{to: w, text: make([]byte, 0, writerSize+1<<10)}
}

// Text writes JSON verbatim.
func (w *Writer) Text(s string) *Writer {
	w.text = append(w.text, s...)
	return w.spill()
}

// JSON writes JSON as it is.
func (w *Writer) JSON(text []byte) *Writer {
	w.text = append(w.text, text...)
	return w.spill()
}

// Int writes a number.
func (w *Writer) Int(v int64) *Writer {
	w.text = strconv.AppendInt(w.text, v, 10)
	return w.spill()
}

// Quoted writes a string.
func (w *Writer) Quoted(s string) *Writer {
	data, _ := json.Marshal(s) // a string always has a JSON form
	return w.JSON(data)
}

// Ints writes an array of n numbers.
func (w *Writer) Ints(n int, at func(i int) int64) *Writer {
	w.text = append(w.text, '[')
	for i := range n {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		w.Int(at(i))
	}
	return w.Text("]")
}

// spill writes what there is when it is enough.
func (w *Writer) spill() *Writer {
	if len(w.text) >= writerSize {
		w.Flush()
	}
	return w
}

// Flush writes what is left, and reports the first error of all.
func (w *Writer) Flush() error {
	if w.err == nil {
		_, w.err = w.to.Write(w.text)
	}
	w.text = w.text[:0]
	return w.err
}
