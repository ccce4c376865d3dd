package forward

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
)

// series is the sum of the chunks of one series.
type series struct {
	series  record.Series
	profile *profile.Profile // attributed
	chunks  int
	frames  int64 // of them, spelled out
}

// fitting are the first of some series that fit into a request.
func (t *target) fitting(all []series) []series {
	all = all[:min(len(all), t.most)]
	frames := int64(0)
	for i := range all {
		if frames += all[i].frames; i > 0 && frames > t.spelled {
			return all[:i]
		}
	}
	return all
}

// oldest is how long ago a profile may have been; Pyroscope refuses what is older than an hour.
const oldest = 30 * time.Minute

// mostSpelled is how many frames the chunks of a series have that are added up, and the series of a request: both
// formats spell stacks out.
const mostSpelled = 1 << 22

// seriesOf adds up chunks, in the order in which its series first occur. A series with too many frames occurs
// again.
func (t *target) seriesOf(ctx context.Context, records [][]byte) (all []series) {
	index := map[string]int{}
	var chunks [][]*record.Chunk
	var frames []int64
	for _, data := range records {
		c, err := record.Decode(data)
		if err != nil {
			t.metrics.dropped.WithLabelValues(t.name, "damaged").Inc()
			continue
		}
		more := record.Spelled(c.Profile)
		i, known := index[c.Key()]
		if !known || frames[i]+more > t.spelled {
			i = len(chunks)
			index[c.Key()] = i
			chunks, frames = append(chunks, nil), append(frames, 0)
		}
		chunks[i], frames[i] = append(chunks[i], c), frames[i]+more
	}
	for i, of := range chunks {
		s := series{series: of[0].Series, chunks: len(of), frames: frames[i]}
		s.profile = t.sum(of)
		if t.options.Symbolize != nil {
			s.profile = t.options.Symbolize(ctx, &s.series, s.profile)
		}
		s.profile = profile.Attribute(s.profile, profile.BySite)
		all = append(all, s)
	}
	return all
}

// sum adds up chunks of one series.
func (t *target) sum(chunks []*record.Chunk) *profile.Profile {
	var latest time.Time
	var lasted time.Duration
	profiles := make([]*profile.Profile, len(chunks))
	for i, c := range chunks {
		timeless := *c.Profile
		timeless.Meta = profile.Meta{Interval: c.Interval}
		profiles[i] = &timeless
		lasted += max(c.Observed, 0)
		if c.At.After(latest) {
			latest = c.At
		}
	}
	merged, err := profile.Merge(profiles...)
	if err != nil {
		panic(err) // they are valid, and a series has one interval
	}
	sum := record.Sum(merged)
	now := t.options.Now()
	if first := now.Add(-oldest); latest.Before(first) {
		latest = first
	}
	if latest.After(now) {
		latest = now
	}
	sum.Meta = profile.Meta{Start: latest, Duration: lasted, Interval: chunks[0].Interval, Program: chunks[0].App, Summed: true}
	return sum
}

// label is a label of a target.
type label struct{ Name, Value string }

// Bounds of Pyroscope.
const (
	maxName  = 1024
	maxValue = 2048
)

// labels returns the labels of a series except its app, sorted by name.
func (s *series) labels() []label {
	values := map[string]string{"sample_rate": strconv.FormatFloat(s.series.Rate, 'g', -1, 64)}
	if s.series.Slow {
		values["slow"] = "true"
	}
	for _, name := range sortedKeys(s.series.Labels) {
		value := s.series.Labels[name]
		if value == "" {
			continue
		}
		to := labelName(name)
		for _, taken := values[to]; taken || to == "service_name"; _, taken = values[to] {
			to += "_"
		}
		values[to] = cut(value, maxValue)
	}
	var all []label
	for _, name := range sortedKeys(values) {
		all = append(all, label{name, values[name]})
	}
	return all
}

// labelName is a name that Prometheus takes, without the "__" in front that it keeps for itself.
func labelName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, cut(name, maxName/2))
	name = strings.TrimLeft(name, "_")
	if name == "" || name[0] <= '9' {
		name = "x_" + name
	}
	return name
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func cut(text string, most int) string {
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}
