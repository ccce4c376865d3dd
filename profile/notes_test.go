package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestNotes(t *testing.T) {
	got := Notes([]string{"a", "", "a", "b\x1b[31m\nc\u202e", "\xff"}, []string{"b", "a", strings.Repeat("ö", 1000)})
	want := []string{"a", "b [31m c", "\uFFFD", "b", strings.Repeat("ö", 300) + "…"}
	must.Equal(t, got, want)
	must.Equal(t, Notes(got), got, "again")
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprint(i))
	}
	if got := Notes(many); len(got) != 20 || got[19] != "81 more notes" {
		t.Errorf("%q", got)
	}
	if Notes() != nil {
		t.Error("there are notes")
	}
}

func TestMergedNotes(t *testing.T) {
	p, q := (&Builder{Meta: Meta{Notes: []string{"a", "b"}}}).Profile(), (&Builder{Meta: Meta{Notes: []string{"b", "c"}}}).Profile()
	merged := must.Get(Merge(p, q))(t)
	must.Equal(t, merged.Meta.Notes, []string{"a", "b", "c"})
}
