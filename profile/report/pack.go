package report

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// A page holds its content gzipped, in base64: a million samples as JSON text take
// longer to read than all else. Unpacked, it begins with a head, which is JSON;
// the columns follow it, of numbers as typed arrays have them, so that the page has
// nothing to decode. Which column lies where, the head says.

// column is where one lies.
type column struct {
	At    int `json:"at"` // bytes after the head
	Count int `json:"count"`
	Bytes int `json:"bytes"` // of a number: 1, 2, 4, or 8 for a float
}

// packer collects columns.
type packer struct{ data []byte }

// pack adds a column of whole numbers, none of them negative, in the fewest bytes.
func pack[Number ~int | ~int32 | ~int64](to *packer, values []Number) column {
	greatest := Number(0)
	for _, v := range values {
		greatest = max(greatest, v)
	}
	c := column{Count: len(values), Bytes: 8}
	for _, width := range []int{1, 2, 4} {
		if uint64(greatest) < 1<<(8*width) {
			c.Bytes = width
			break
		}
	}
	for len(to.data)%c.Bytes != 0 {
		to.data = append(to.data, 0)
	}
	c.At = len(to.data)
	for _, v := range values {
		switch c.Bytes {
		case 1:
			to.data = append(to.data, uint8(v))
		case 2:
			to.data = binary.LittleEndian.AppendUint16(to.data, uint16(v))
		case 4:
			to.data = binary.LittleEndian.AppendUint32(to.data, uint32(v))
		default:
			to.data = binary.LittleEndian.AppendUint64(to.data, math.Float64bits(float64(v)))
		}
	}
	return c
}

// write writes the element that holds a head and the columns.
func (k *packer) write(w io.Writer, head any) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	for len(text)%8 != 0 { // columns begin where typed arrays may
		text = append(text, ' ')
	}
	if _, err := fmt.Fprintf(w, `<script type="application/gzip" id="content" data-head="%d" data-size="%d">`, len(text), len(text)+len(k.data)); err != nil {
		return err
	}
	coder := base64.NewEncoder(base64.StdEncoding, w)
	zip, err := gzip.NewWriterLevel(coder, gzip.BestSpeed)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{text, k.data} {
		if _, err := zip.Write(part); err != nil {
			return err
		}
	}
	if err := zip.Close(); err != nil {
		return err
	}
	if err := coder.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "</script>\n")
	return err
}
