package figures

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

type rowsReport struct{ rows []Row }

func (r rowsReport) Table() string { return "a table\n" }
func (r rowsReport) CSV() []Row    { return r.rows }

type drawnReport struct{}

func (drawnReport) Table() string { return "a table\n" }
func (drawnReport) Plots() map[string][]byte {
	return map[string][]byte{"drawn-node.svg": []byte("<svg/>")}
}

type plainReport struct{}

func (plainReport) Table() string { return "a table\n" }

func TestCSV(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, Write(folder, "rows", rowsReport{[]Row{
		{Engine: "node", Program: "acorn", Way: "balanced", Detail: "promise", Figure: "overlap %", Value: 90.123456789, Low: 89, High: 91.5, Truth: 3000, Measured: 2000},
		{Engine: "node", Program: "(mean)", Figure: "tick, \"lost\"", Value: -1.5},
		{Engine: "=cmd()", Program: "<a|b>\n\x1b[31m"},
	}}))
	want := `engine,program,way,detail,figure,value,low,high,n_t,n_m
node,acorn,balanced,promise,overlap %,90.1235,89,91.5,3000,2000
node,(mean),,,"tick, ""lost""",-1.5,,,,
'=cmd(),&lt;a|b> \x1b[31m,,,,0,,,,
`
	if got := string(must.Get(os.ReadFile(filepath.Join(folder, "rows.csv")))(t)); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
	must.Do(t, Write(folder, "plain", plainReport{}))
	if _, err := os.Stat(filepath.Join(folder, "plain.csv")); err == nil {
		t.Error("a report without rows has a CSV")
	}
}

func TestPlotsAreWritten(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, Write(folder, "drawn", drawnReport{}))
	must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(folder, "drawn-node.svg")))(t)), "<svg/>")
}
