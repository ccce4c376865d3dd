package profile

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// tagged has three samples: without tags, of one tenant, and of another.
func tagged() *Profile {
	var b Builder
	b.Meta.Interval = 1
	stack := b.Stack(NoStack, b.Frame(b.Function(Function{Name: "f", Flags: Checked}), 0, 0))
	b.Sample(Sample{Time: 1, Stack: stack, Weight: 1, Kind: Loop})
	b.Sample(Sample{Time: 3, Stack: stack, Weight: 1, Kind: Loop, Tags: b.Tags([]Tag{{"tenant", "a"}, {"route", "/"}, {"tenant", "b"}})})
	b.Sample(Sample{Time: 2, Stack: NoStack, Weight: 1, Kind: Program, Tags: b.Tags([]Tag{{"tenant", "a\nroute\n/"}})})
	return b.Profile()
}

// tagsOf spells out the tags of all samples.
func tagsOf(p *Profile) string {
	var all []string
	for i := range p.Len() {
		var tags []string
		for _, tag := range p.TagsOf(i) {
			tags = append(tags, tag.Key+"="+strings.ReplaceAll(tag.Value, "\n", "|"))
		}
		all = append(all, strings.Join(tags, " "))
	}
	return strings.Join(all, ", ")
}

// Tags stay with their samples, whatever is done with the profile.
func TestTagsStayWithTheirSamples(t *testing.T) {
	p := tagged()
	must.Do(t, p.CheckValid())
	const all = ", tenant=a|route|/, route=/ tenant=b"
	must.Equal(t, tagsOf(p), all)
	must.Equal(t, tagsOf(Attribute(p, BySite)), all, "attributed")
	must.Equal(t, tagsOf(Symbolize(p, nil)), all, "symbolized")
	must.Equal(t, tagsOf(Fold(p, func(Function) bool { return true })), all, "folded")
	must.Equal(t, tagsOf(Between(p, 2, 9)), strings.TrimPrefix(all, ", "), "a part")
	must.Equal(t, tagsOf(Focus(p, func(f Function) bool { return f.Name == "f" })), ", route=/ tenant=b", "focused")
	var b Builder
	b.Meta.Interval = 1
	b.Sample(Sample{Time: 9, Stack: NoStack, Weight: 1, Kind: Program, Tags: b.Tags([]Tag{{"other", "c"}})})
	must.Equal(t, tagsOf(must.Get(Merge(b.Profile(), p))(t)), all+", other=c", "merged")
	p.Samples.Tags[0] = 9
	if err := p.CheckValid(); err == nil || !strings.Contains(err.Error(), "tags 9 of 3") {
		t.Errorf("unknown tags: %v", err)
	}
}
