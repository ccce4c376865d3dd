package gecko

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// column is a JSON array of numbers, some of which may be missing (null): a
// column of a table. Errors in it are found when it is used, for only then is
// it known where it is.
type column struct {
	values []float64 // NaN: missing
	fault  error
	known  bool // there is such a column
}

// UnmarshalJSON is given well-formed JSON.
func (c *column) UnmarshalJSON(data []byte) error {
	*c = column{known: string(data) != "null"}
	switch {
	case !c.known:
	case data[0] != '[':
		c.fault = fmt.Errorf("%.20s is not an array of numbers", data)
	default:
		c.values = make([]float64, 0, bytes.Count(data, []byte(","))+1)
		eachCell(data, func(cell []byte) {
			v, err := number(cell)
			if err != nil && c.fault == nil {
				c.fault = fmt.Errorf("entry %d: %w", len(c.values), err)
			}
			c.values = append(c.values, v)
		})
	}
	return nil
}

// number reads one cell: a number, true (1), false (0) or null (NaN).
func number(cell []byte) (float64, error) {
	switch cell[0] {
	case 'n':
		return math.NaN(), nil
	case 't':
		return 1, nil
	case 'f':
		return 0, nil
	}
	if len(cell) < 10 { // whole numbers, as most are
		v, whole := 0, true
		for _, c := range cell {
			v = v*10 + int(c-'0')
			whole = whole && c >= '0' && c <= '9'
		}
		if whole {
			return float64(v), nil
		}
	}
	v, err := strconv.ParseFloat(string(cell), 64)
	if err != nil {
		return math.NaN(), fmt.Errorf("%.20s is not a number within range", cell)
	}
	return v, nil
}

// eachCell calls see with each element of an array of well-formed JSON.
func eachCell(array []byte, see func([]byte)) {
	depth, start, quoted := 0, -1, false
	for i := 0; i < len(array); i++ {
		switch c := array[i]; {
		case quoted:
			if c == '\\' {
				i++
			} else if c == '"' {
				quoted = false
			}
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case (c == ',' || c == ']') && depth == 1:
			if start >= 0 {
				see(bytes.TrimRight(array[start:i], " \t\r\n"))
			}
			start = -1
			if c == ']' {
				depth--
			}
			continue
		case c == '"':
			quoted = true
		case c == '[' || c == '{':
			if depth++; depth == 1 {
				continue
			}
		case c == ']' || c == '}':
			depth--
		}
		if start < 0 {
			start = i
		}
	}
}

// rows is a table of Gecko's: rows of cells, and a schema that says which cell is
// which. Cells that hold no numbers are missing.
type rows struct {
	schema map[string]int
	cells  []float64
	ends   []int // of each row in cells
	fault  error
}

func (t *rows) UnmarshalJSON(data []byte) error {
	var table struct {
		Schema map[string]int  `json:"schema"`
		Data   json.RawMessage `json:"data"`
	}
	*t = rows{}
	if t.fault = json.Unmarshal(data, &table); t.fault != nil || len(table.Data) == 0 || string(table.Data) == "null" {
		return nil
	}
	t.schema = table.Schema
	if table.Data[0] != '[' {
		t.fault = fmt.Errorf("data: %.20s is not an array of rows", table.Data)
		return nil
	}
	eachCell(table.Data, func(row []byte) {
		if row[0] != '[' {
			if t.fault == nil {
				t.fault = fmt.Errorf("data[%d]: %.20s is not a row", len(t.ends), row)
			}
			return
		}
		eachCell(row, func(cell []byte) {
			v := math.NaN()
			if cell[0] != '"' && cell[0] != '{' && cell[0] != '[' {
				var err error
				if v, err = number(cell); err != nil && t.fault == nil {
					t.fault = fmt.Errorf("data[%d]: %w", len(t.ends), err)
				}
			}
			t.cells = append(t.cells, v)
		})
		t.ends = append(t.ends, len(t.cells))
	})
	return nil
}

// column is a column of the table by its name in the schema; one that the
// schema does not have has no values.
func (t *rows) column(name string) column {
	at, ok := t.schema[name]
	if !ok || at < 0 {
		return column{fault: t.fault}
	}
	c := column{values: make([]float64, len(t.ends)), fault: t.fault, known: true}
	start := 0
	for i, end := range t.ends {
		c.values[i] = math.NaN()
		if at < end-start {
			c.values[i] = t.cells[start+at]
		}
		start = end
	}
	return c
}

// at is an entry; NaN when it is missing.
func (c *column) at(i int) float64 {
	if i >= len(c.values) {
		return math.NaN()
	}
	return c.values[i]
}

// index is an entry that counts something of which there are n; −1 when it is
// missing.
func (c *column) index(i, n int) (int32, error) {
	v := c.at(i)
	if math.IsNaN(v) {
		return -1, nil
	}
	if v != math.Trunc(v) || v < 0 || v >= float64(n) {
		return -1, fmt.Errorf("%v is not one of %d", v, n)
	}
	return int32(v), nil
}

// position is an entry that is a line or column; 0 when it is missing or
// nonsense.
func (c *column) position(i int) int32 {
	if v := c.at(i); v > 0 && v < math.MaxInt32 {
		return int32(v)
	}
	return 0
}
