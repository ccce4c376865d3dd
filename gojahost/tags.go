package gojahost

import (
	"context"
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
)

// OtherTag is the value of the one tag of all sets that came when there were too many.
const OtherTag = "(other)"

// Bounds of a set of tags: anything beyond them is cut off.
const (
	maxTags = 8   // in a set
	maxTag  = 200 // bytes of a key or a value
)

// tagTable numbers sets of tags, from 1; 0 is the empty set.
type tagTable struct {
	limit int
	sets  [][]profile.Tag
	ids   map[string]profile.TagsID
}

// bounded is a set of tags within the bounds, in order.
func bounded(tags []profile.Tag) []profile.Tag {
	set := profile.SortTags(tags)
	set = set[:min(len(set), maxTags)]
	for i, tag := range set {
		set[i] = profile.Tag{Key: cut(tag.Key), Value: cut(tag.Value)}
	}
	return set
}

// id returns a set's number. It is the caller's to hold the lock.
func (t *tagTable) id(set []profile.Tag) profile.TagsID {
	id, ok := t.find(set)
	if ok {
		return id
	}
	if len(t.sets) >= t.limit {
		set = []profile.Tag{{Key: "tags", Value: OtherTag}}
		if id, ok := t.find(set); ok {
			return id
		}
	}
	t.sets = append(t.sets, set)
	id = profile.TagsID(len(t.sets))
	t.ids[fmt.Sprintf("%q", set)] = id
	return id
}

func (t *tagTable) find(set []profile.Tag) (profile.TagsID, bool) {
	if len(set) == 0 {
		return 0, true
	}
	if t.ids == nil {
		t.ids = map[string]profile.TagsID{}
	}
	id, ok := t.ids[fmt.Sprintf("%q", set)]
	return id, ok
}

// cut bounds a text, which stays valid UTF-8.
func cut(text string) string {
	if len(text) > maxTag {
		text = text[:maxTag]
	}
	return strings.ToValidUTF8(text, "")
}

// tagged makes tags those of a task.
func (r *recording) tagged(tags []profile.Tag, labels context.Context) whom {
	set := bounded(tags)
	r.known.Lock()
	defer r.known.Unlock()
	return whom{r.tags.id(set), set, labels}
}

// tagsOf is the inverse of tagged.
func (r *recording) tagsOf(id profile.TagsID) []profile.Tag {
	if id == 0 {
		return nil
	}
	r.known.RLock()
	defer r.known.RUnlock()
	return r.tags.sets[id-1]
}
