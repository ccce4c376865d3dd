package figures

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
)

// Row is one cell of a report's main tables: a figure of a program in an engine, with
// its interval. Fields that a figure has no use for are empty.
type Row struct {
	Engine, Program string // "(mean)" and the like sum up programs
	Way, Detail     string
	Figure          string // with its unit
	Value           float64
	Low, High       float64 // of the 95 % interval; both equal Value if the figure has no interval
	Truth, Measured int     // the samples of the truth and of what is compared with it
}

// Rows is a report that is written as CSV, too.
type Rows interface {
	Report
	CSV() []Row
}

var columns = []string{"engine", "program", "way", "detail", "figure", "value", "low", "high", "n_t", "n_m"}

// CSV is rows as text. A figure without an interval has no low and high, and one
// without samples no counts.
func CSV(rows []Row) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(columns); err != nil {
		return nil, err
	}
	for _, r := range rows {
		low, high := number(r.Low), number(r.High)
		if r.Low == r.High {
			low, high = "", ""
		}
		if err := w.Write([]string{inert(r.Engine), inert(r.Program), inert(r.Way), inert(r.Detail), inert(r.Figure),
			number(r.Value), low, high, count(r.Truth), count(r.Measured)}); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// number has the digits that a figure of the bench can bear.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// inert is a text that a spreadsheet does not run as a formula: names come from
// programs.
func inert(text string) string {
	text = strings.ReplaceAll(Cell(text), `\|`, "|")
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}
