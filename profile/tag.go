package profile

import (
	"slices"
	"strings"
)

// Tag says for whom or for what a sample's work was done: a tenant, a rule, a route. The
// program that was profiled names both parts. pprof calls it a label.
type Tag struct{ Key, Value string }

// TagsID is a set of tags: an index into Profile.Tags, whose set 0 is empty.
type TagsID int32

// Tags interns a set of tags, as SortTags returns it.
func (b *Builder) Tags(set []Tag) TagsID {
	sorted := SortTags(set)
	if len(sorted) == 0 {
		return 0
	}
	if b.tags == nil {
		b.tags = map[string]TagsID{}
		for i, known := range b.p.Tags {
			b.tags[textOfTags(known)] = TagsID(i)
		}
		if len(b.p.Tags) == 0 {
			b.p.Tags = [][]Tag{nil}
		}
	}
	key := textOfTags(sorted)
	id, known := b.tags[key]
	if !known {
		id = TagsID(len(b.p.Tags))
		b.tags[key] = id
		b.p.Tags = append(b.p.Tags, sorted)
	}
	return id
}

// SortTags returns a set of tags in order of keys; of equal keys the last counts. A tag
// without a key or a value is none.
func SortTags(set []Tag) []Tag {
	sorted := slices.Clone(set)
	slices.SortStableFunc(sorted, func(a, b Tag) int { return strings.Compare(a.Key, b.Key) })
	kept := sorted[:0]
	for i, tag := range sorted {
		if (i+1 == len(sorted) || sorted[i+1].Key != tag.Key) && tag.Key != "" && tag.Value != "" {
			kept = append(kept, tag)
		}
	}
	return kept
}

// textOfTags tells sets apart.
func textOfTags(set []Tag) string {
	var text strings.Builder
	for _, tag := range set {
		for _, part := range []string{tag.Key, tag.Value} {
			text.WriteString(strings.ReplaceAll(strings.ReplaceAll(part, "\\", "\\\\"), "\n", "\\n"))
			text.WriteByte('\n')
		}
	}
	return text.String()
}

// TagsOf are the tags of a sample.
func (p *Profile) TagsOf(sample int) []Tag {
	if p.Samples.Tags == nil {
		return nil
	}
	if id := p.Samples.Tags[sample]; id > 0 {
		return p.Tags[id]
	}
	return nil
}
