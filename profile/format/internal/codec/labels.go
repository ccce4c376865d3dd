package codec

import (
	"fmt"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// Label is a mark that a sample falls within, for formats that have labels on samples.
type Label struct{ Key, Value string }

// Labels are the labels of all samples. Samples with the same ones share a set; set 0 is empty.
type Labels struct {
	Sets [][]Label
	of   []int // the set of each sample; nil if there are no marks
}

// Of is the set of a sample.
func (l *Labels) Of(sample int) int {
	if l.of == nil {
		return 0
	}
	return l.of[sample]
}

// labelled are the kinds of stretch that become labels. Other kinds may be named by a
// page, which is not to choose the keys of labels.
var labelled = [...]profile.What{profile.Interaction, profile.LongFrame, profile.LongTask, profile.Load, profile.Navigation, profile.Measure}

// LabelKeys are all keys of labels.
func LabelKeys() (keys []string) {
	for _, what := range labelled {
		keys = append(keys, string(what))
	}
	return keys
}

// NewLabels finds, for each sample and each kind of stretch, the innermost mark around the
// sample: the one that began last. A sample stands for the time before it.
func NewLabels(p *profile.Profile) Labels {
	l := Labels{Sets: [][]Label{nil}}
	if len(p.Marks) == 0 {
		return l
	}
	l.of = make([]int, p.Len())
	var open [len(labelled)][]*profile.Mark // that have begun, the last on top
	var around, before [len(labelled)]*profile.Mark
	known := map[string]int{"[]": 0}
	set, next := 0, 0
	for i, at := range p.Samples.Time {
		for ; next < len(p.Marks) && int64(p.Marks[next].Time) < at; next++ {
			m := &p.Marks[next]
			if kind := slices.Index(labelled[:], m.What); kind >= 0 {
				open[kind] = append(open[kind], m)
			}
		}
		for kind := range open {
			around[kind] = nil
			for n := len(open[kind]); n > 0 && around[kind] == nil; n-- {
				if m := open[kind][n-1]; int64(m.End()) >= at {
					around[kind] = m
				} else {
					open[kind] = open[kind][:n-1]
				}
			}
		}
		if around != before {
			set, before = l.set(around[:], known), around
		}
		l.of[i] = set
	}
	return l
}

// set is the number of the set of the labels of some marks.
func (l *Labels) set(marks []*profile.Mark, known map[string]int) int {
	var set []Label
	for _, m := range marks {
		if m != nil {
			set = append(set, Label{string(m.What), labelOf(m)})
		}
	}
	key := fmt.Sprintf("%q", set)
	id, ok := known[key]
	if !ok {
		id = len(l.Sets)
		known[key] = id
		l.Sets = append(l.Sets, set)
	}
	return id
}

func labelOf(m *profile.Mark) string {
	switch {
	case m.Target != "" && m.Name != "":
		return m.Name + " " + m.Target
	case m.Name == "":
		return string(m.What)
	}
	return m.Name
}
