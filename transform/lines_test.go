package transform

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// One line of many functions in non-ASCII text: anything that counts a column from
// the beginning of the line, or sorts what is sorted already, never ends here.
func TestLongLineIsLinear(t *testing.T) {
	must.NotForRaces(t)
	const size = 20 << 20
	const unit = `function é(){a();return"` + "漢字かな交じり文、😀 und ein langer Satz in ASCII, damit Schritte sich lohnen" + `"};b=é=>é+"😀";`
	src := []byte(strings.Repeat(unit, size/len(unit)))
	result := clean(t, src, Options{Selection: Selection{Preset: Precise}})
	assertReversible(t, src, result)
	at := newPositions(result.Code)
	last := result.Table.Functions[len(result.Table.Functions)-1]
	want := at.source(len(result.Code) - len(`;`))
	if last.End != want {
		t.Errorf("the last arrow ends at %v, the table says %v", want, last.End)
	}
}
