package ingest

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/slices"
)

// finish makes chunks of a message: one, and a second one of the time of a slice. Data that
// users must not or cannot have kept is dropped, and counted.
func (h *handler) finish(req *request, m *message) ([]*record.Chunk, error) {
	a := req.app
	if m.refused != "" {
		h.dropped(a, m.refused, 1)
		return nil, nil
	}
	var whole, added *profile.Profile
	if m.profile != nil {
		whole = usual(tidy(m.profile, a.limits.Depth))
		added = sum(whole)
		if err := req.spell(added); err != nil {
			return nil, err
		}
		if most := longestOf(m.source); observed(whole) > most {
			return nil, refused(http.StatusRequestEntityTooLarge, "time", fmt.Sprintf("a profile of more than %v", most))
		}
	}
	c := &record.Chunk{ID: m.id, Source: m.source, View: m.view, Number: m.number, Counts: m.counts,
		Series: record.Series{App: a.Name, Labels: labelsOf(req, m), Rate: usualRate(m.rate)}}
	if n := a.caps.label(c.Labels, a.limits.Values, req.received); n > 0 {
		h.dropped(a, "label-values", n)
	}
	observed := observed(whole)
	c.At = h.placed(req, m, observed)
	chunks := []*record.Chunk{c}
	switch {
	case whole == nil:
	case m.mark != nil:
		slow, err := h.slice(req, m, c, whole, added)
		if err != nil {
			return nil, err
		}
		chunks = append(chunks, slow)
	default:
		c.Observed, c.Interval = observed, whole.Meta.Interval
		c.Profile = added
		if wanted, giveBack := a.examples.want(c, a.examplesPerRoute, req.received); wanted {
			if c.Example = h.encoded(a, whole); c.Example == nil {
				giveBack()
			}
		}
	}
	for _, c := range chunks {
		if a.caps.keep(&c.Series, a.limits.Series, req.received) {
			h.dropped(a, "series", 1)
			c.Profile = withInterval(c.Profile, c.Interval)
			for i := range c.Slices {
				c.Slices[i].Series = c.Series
			}
		}
	}
	h.metrics.chunks.WithLabelValues(a.Name, m.source).Add(float64(len(chunks)))
	return chunks, nil
}

// slice is the chunk of the time of a slice, which is added up. It belongs to no view: c does.
func (h *handler) slice(req *request, m *message, c *record.Chunk, whole, added *profile.Profile) (*record.Chunk, error) {
	series := c.Series
	series.Slow, series.Interval = true, whole.Meta.Interval
	series.Rate = usualRate(c.Rate / max(1, m.weight))
	slow := &record.Chunk{ID: record.IDOf(m.id.String(), "slow"), Series: series, Source: m.source, At: c.At, Profile: added}
	if m.isRest {
		return slow, nil
	}
	mark := tidyMark(*m.mark)
	offset := time.Duration(0)
	if !m.began.IsZero() && !whole.Meta.Start.IsZero() {
		offset = min(max(whole.Meta.Start.Add(mark.Time).Sub(m.began), -time.Hour), time.Hour)
	}
	s := record.Slice{ID: record.IDOf(m.id.String(), "slice"), Series: series, At: c.At.Add(offset), View: m.view, Mark: mark, Trace: h.encoded(req.app, whole)}
	if cause := causeOf(whole, mark, req.app.FirstParty); cause != nil {
		s.Cause, s.CauseGroup, s.CauseTime = cause.Function, string(cause.Group), cause.Time
	}
	slow.Slices = []record.Slice{s}
	return slow, nil
}

func causeOf(p *profile.Profile, mark profile.Mark, hosts []string) *slices.Cause {
	if mark.Duration <= 0 {
		return nil
	}
	found := slices.Of(p, slices.Options{Over: map[profile.What]time.Duration{mark.What: mark.Duration}, FirstParty: slices.Hosts(hosts)})
	for i := range found {
		if found[i].Mark == mark {
			return found[i].Blame.Cause
		}
	}
	return nil
}

// sum adds up a profile. Its marks and metadata are kept with slices and examples.
func sum(p *profile.Profile) *profile.Profile {
	s := record.Sum(p)
	s.Meta = profile.Meta{Interval: p.Meta.Interval, DebugIDs: p.Meta.DebugIDs}
	return s
}

// mostEncoded bounds a profile that is kept whole, in bytes.
const mostEncoded = 1 << 20

// encoded is a profile as it is kept whole; nil if it is too large for that.
func (h *handler) encoded(a *app, p *profile.Profile) []byte {
	data := record.EncodeProfile(p)
	if len(data) > mostEncoded {
		h.dropped(a, "whole-profile", 1)
		return nil
	}
	return data
}

// The longest times that a chunk can claim keep one chunk from outweighing a whole site. Pages send every minute
// or so; files may last longer, and cover several processors.
const longestOfPage, longestObserved = time.Hour, 24 * time.Hour

// longestOf is what a chunk of a source can claim.
func longestOf(source string) time.Duration {
	switch source {
	case "fieldprof", "sentry", "datadog":
		return longestOfPage
	}
	return longestObserved
}

// observed is how long a page was observed: the time of all ticks, idle ones included.
func observed(p *profile.Profile) time.Duration {
	if p == nil {
		return 0
	}
	return time.Duration(min(float64(p.Samples.Ticks())*float64(p.Meta.Interval), math.MaxInt64/2))
}

// usualRate is a rate whose reciprocal has three digits, so that there are few series. A rate
// that is none is 1.
func usualRate(rate float64) float64 {
	if !(rate > 0 && rate < 1) {
		return 1
	}
	weight := 1 / max(rate, 1e-6)
	unit := math.Pow(10, math.Floor(math.Log10(weight))-2)
	return 1 / (math.Round(weight/unit) * unit)
}
