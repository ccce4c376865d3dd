package symbols

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// sourceMap is a map whose sources are named as inside names them, but each one differently.
type sourceMap struct {
	*sourcemap.Map
	others map[string]string // the names that are not those of inside, by what the map has
}

// sourceTable is a function table of the same names.
type sourceTable struct {
	*functable.Table
	sources []string // what the table has, by function
}

// up replaces "../" in a name, as in the output paths of esbuild.
const up = "_.._/"

// apart names the sources that inside would call as it calls another one: those that lead
// further up say by how much, and what is still the same is numbered.
func apart(sources []string) map[string]string {
	groups, seen, taken := map[string][]string{}, map[string]bool{}, map[string]bool{}
	for _, source := range sources {
		if name := inside(source); name != "" && !seen[source] {
			seen[source], taken[name] = true, true
			groups[name] = append(groups[name], source)
		}
	}
	var others map[string]string
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		group := groups[name]
		if len(group) == 1 {
			continue
		}
		if others == nil {
			others = map[string]string{}
		}
		slices.SortFunc(group, func(a, b string) int { return cmp.Or(cmp.Compare(ups(a), ups(b)), cmp.Compare(a, b)) })
		number := 1
		for _, source := range group[1:] {
			other := strings.Repeat(up, ups(source)-ups(group[0])) + name
			for taken[other] {
				number++
				other = fmt.Sprintf("%s (%d)", name, number)
			}
			taken[other], others[source] = true, other
		}
	}
	return others
}

// ups counts the folders that a source is above where its path begins.
func ups(source string) (n int) {
	if _, rest, ok := strings.Cut(source, "://"); ok {
		source = rest
	}
	for part := range strings.SplitSeq(path.Clean(strings.ReplaceAll(source, `\`, "/")), "/") {
		if part != ".." {
			break
		}
		n++
	}
	return n
}

func nameOf(source string, others map[string]string) string {
	if name, ok := others[source]; ok {
		return name
	}
	return inside(source)
}

// namedBy is the table with the names that a map has for its sources, some of which may have no function.
func (t *sourceTable) namedBy(m *sourceMap) *functable.Table {
	if m == nil || len(m.others) == 0 {
		return t.Table
	}
	named := *t.Table
	named.Functions = slices.Clone(t.Functions)
	for i := range named.Functions {
		if o := named.Functions[i].Original; o != nil {
			other := *o
			other.Source = nameOf(t.sources[i], m.others)
			named.Functions[i].Original = &other
		}
	}
	return &named
}
