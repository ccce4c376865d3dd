package figures

import (
	"maps"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Reports that are not there are left out of several, and one that cannot be read is an error.
func TestReadAll(t *testing.T) {
	type report struct{ N int }
	folder := t.TempDir()
	must.Refuse(ReadAll[report](folder, "a", "b"))(t, "a.json: no such file")
	must.Write(t, folder, "b.json", `{"N": 2}`)
	reports := must.Get(ReadAll[report](folder, "a", "b", "c"))(t)
	if names := slices.Collect(maps.Keys(reports)); !slices.Equal(names, []string{"b"}) || reports["b"].N != 2 {
		t.Errorf("%v", reports)
	}
	must.Refuse(Read[report](folder, "a"))(t, "a.json")
	must.Write(t, folder, "c.json", "[")
	must.Refuse(ReadAll[report](folder, "b", "c"))(t, "c.json: ")
}
