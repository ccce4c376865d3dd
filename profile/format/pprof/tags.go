package pprof

import (
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// A tag is a label. One whose key is ours, for kinds, markers or marks, has a prefix.
const tagPrefix = "tag."

func isOurs(key string) bool {
	return key == kindLabel || key == markerLabel || slices.Contains(codec.LabelKeys(), key)
}

// addTags adds tags to the labels of a sample.
func addTags(labels map[string][]string, tags []profile.Tag) {
	for _, tag := range tags {
		key := tag.Key
		if isOurs(key) || strings.HasPrefix(key, tagPrefix) {
			key = tagPrefix + key
		}
		labels[key] = []string{tag.Value}
	}
}

// tagsOf are the tags among the labels of a sample.
func (r *reader) tagsOf(labels map[string][]string) profile.TagsID {
	var tags []profile.Tag
	for key, values := range labels {
		if len(values) == 0 || r.own && isOurs(key) {
			continue
		}
		if r.own {
			key = strings.TrimPrefix(key, tagPrefix)
		}
		tags = append(tags, profile.Tag{Key: key, Value: values[0]})
	}
	return r.b.Tags(tags)
}
