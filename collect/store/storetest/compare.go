package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/collect/store"
)

// all is a limit that no answer reaches.
const all = math.MaxInt32

func key(g store.Group) string {
	at := "ever"
	if !g.At.IsZero() {
		at = g.At.UTC().Format("2006-01-02 15:04")
	}
	return fmt.Sprintf("%q %s rate %v interval %v", g.Values, at, g.Rate, g.Interval)
}

// sameAnswers asks a store and its model about a selection, and compares the answers.
func (p *pair) sameAnswers(t *testing.T, s store.Selection, by store.Grouping, limit int) {
	t.Helper()
	p.sameTotals(t, s, by)
	p.sameTicks(t, s, by, limit)
}

func (p *pair) sameTotals(t *testing.T, s store.Selection, by store.Grouping) {
	t.Helper()
	want, _ := p.model.Totals(t.Context(), s, by)
	got, err := p.Totals(t.Context(), s, by)
	if err != nil {
		t.Fatalf("Totals of %+v by %+v: %v", s, by, err)
	}
	compare(t, fmt.Sprintf("Totals of %+v by %+v", s, by), totals(t, got), totals(t, want))
}

// totals are totals by their groups, without the groups in which there is nothing.
func totals(t *testing.T, of []store.Total) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, total := range of {
		maps.DeleteFunc(total.INP, func(_ int16, n int64) bool { return n == 0 })
		maps.DeleteFunc(total.P75, func(_ int16, n int64) bool { return n == 0 })
		if total.Chunks == 0 && total.Views == 0 {
			continue
		}
		group := key(total.Group)
		total.Group = store.Group{}
		if _, twice := found[group]; twice {
			t.Errorf("two totals of the group %s", group)
		}
		found[group] = fmt.Sprintf("%+v", total)
	}
	return found
}

func compare(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for group, text := range want {
		if got[group] != text {
			t.Errorf("%s:\n%s is  %s\nshould be %s", what, group, got[group], text)
			return
		}
	}
	for group, text := range got {
		if _, known := want[group]; !known {
			t.Errorf("%s:\n%s is  %s\nand should not be there", what, group, text)
			return
		}
	}
}

// ticks are ticks by group and site.
type ticks struct {
	of   map[string]map[store.Hash]int64
	rest map[string]int64
	site map[store.Hash]int64
}

func ticksOf(t *testing.T, from *store.Ticks) ticks {
	t.Helper()
	if len(from.Rest) != len(from.Groups) {
		t.Fatalf("%d groups, and the rest of %d", len(from.Groups), len(from.Rest))
	}
	found := ticks{map[string]map[store.Hash]int64{}, map[string]int64{}, map[store.Hash]int64{}}
	groups := map[string]bool{}
	for i, g := range from.Groups {
		if groups[key(g)] {
			t.Errorf("two groups %s", key(g))
		}
		groups[key(g)] = true
		found.of[key(g)] = map[store.Hash]int64{}
		found.rest[key(g)] = from.Rest[i]
	}
	for _, sum := range from.Sums {
		of := found.of[key(from.Groups[sum.Group])]
		if _, twice := of[sum.Site]; twice {
			t.Errorf("a site has two sums in a group")
		}
		of[sum.Site] = sum.Ticks
		found.site[sum.Site] += sum.Ticks
	}
	return found
}

// sameTicks allows any choice among sites that have the same number of ticks.
func (p *pair) sameTicks(t *testing.T, s store.Selection, by store.Grouping, limit int) {
	t.Helper()
	what := fmt.Sprintf("Ticks of %+v by %+v, at most %d", s, by, limit)
	whole, _ := p.model.Ticks(t.Context(), s, by, all)
	answer, err := p.Ticks(t.Context(), s, by, limit)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	want, got := ticksOf(t, whole), ticksOf(t, answer)
	if len(got.site) != min(limit, len(want.site)) {
		t.Errorf("%s: there are %d sites, and should be %d", what, len(got.site), min(limit, len(want.site)))
		return
	}
	least, most := int64(math.MaxInt64), int64(0)
	for site, n := range want.site {
		if _, kept := got.site[site]; kept {
			least = min(least, n)
		} else {
			most = max(most, n)
		}
	}
	if least < most {
		t.Errorf("%s: a site with %d ticks is left out, and one with %d is not", what, most, least)
	}
	texts := func(of ticks, rest func(group string) int64) map[string]string {
		found := map[string]string{}
		for group, sites := range of.of {
			for site, n := range sites {
				if _, kept := got.site[site]; kept && n != 0 {
					found[fmt.Sprintf("%s site %x", group, uint64(site))] = fmt.Sprint(n)
				}
			}
			if n := rest(group); n != 0 {
				found[group+" rest"] = fmt.Sprint(n)
			}
		}
		return found
	}
	compare(t, what, texts(got, func(group string) int64 { return got.rest[group] }),
		texts(want, func(group string) (rest int64) {
			for site, n := range want.of[group] {
				if _, kept := got.site[site]; !kept {
					rest += n
				}
			}
			return rest
		}))
}

func (p *pair) sameValues(t *testing.T, s store.Selection) {
	t.Helper()
	got, err := p.Values(t.Context(), s)
	if err != nil {
		t.Fatalf("Values of %+v: %v", s, err)
	}
	want, _ := p.model.Values(t.Context(), s)
	for name, values := range got {
		if !slices.IsSortedFunc(values, func(a, b store.Value) int { return cmp.Compare(b.Chunks, a.Chunks) }) {
			t.Errorf("the most frequent value of %s is not the first: %v", name, values)
		}
		slices.SortFunc(values, func(a, b store.Value) int {
			return cmp.Or(cmp.Compare(b.Chunks, a.Chunks), cmp.Compare(a.Text, b.Text))
		})
	}
	if len(got) != 0 || len(want) != 0 {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("Values of %+v:\n%.500q\nshould be\n%.500q", s, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
}
