package jsonstream

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
)

// Writer writes JSON by hand: arrays are long, and what stands around them is the
// format's own affair. Errors surface in Flush.
type Writer struct {
	*bufio.Writer
	number []byte
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{Writer: bufio.NewWriterSize(w, 1<<16)} }

// Text writes JSON as it is.
func (w *Writer) Text(s string) *Writer {
	w.WriteString(s)
	return w
}

// Int writes a number.
func (w *Writer) Int(v int64) *Writer {
	w.number = strconv.AppendInt(w.number[:0], v, 10)
	w.Write(w.number)
	return w
}

// Quoted writes a string.
func (w *Writer) Quoted(s string) *Writer {
	data, _ := json.Marshal(s) // a string always has a JSON form
	w.Write(data)
	return w
}

// Ints writes an array of n numbers.
func (w *Writer) Ints(n int, at func(i int) int64) *Writer {
	w.Text("[")
	for i := range n {
		if i > 0 {
			w.Text(",")
		}
		w.Int(at(i))
	}
	return w.Text("]")
}
