package overhead

import (
	"encoding/json"
	"testing"

	"github.com/fieldprof/fieldprof/internal/golden"
	"github.com/fieldprof/fieldprof/internal/must"
)

func TestTable(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, f golden.File) {
		var r Report
		must.Do(t, json.Unmarshal(f.Files[0].Data, &r))
		f.Compare(t, 1, r.Table())
	})
}
