package api

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Bounds on parameters.
const (
	maxQuery  = 16 << 10 // bytes of all together
	maxText   = 2 << 10  // bytes of one
	maxWhere  = 50       // values of labels
	maxBy     = 4        // labels of a grouping
	maxRange  = 2 * 366 * 24 * time.Hour
	dayLength = 24 * time.Hour
)

// parameters are the parameters of a request. The methods that read one remember the first mistake;
// mistake returns it.
type parameters struct {
	values url.Values
	err    error
}

// readParameters parses a query, and refuses unknown parameters.
func readParameters(u *url.URL, known []string) (*parameters, error) {
	if len(u.RawQuery) > maxQuery {
		return nil, &problem{414, "the parameters are longer than 16 KiB"}
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, wrong("the query of the URL is malformed: %v", err)
	}
	for name, texts := range values {
		if !slices.Contains(known, name) {
			if len(known) == 0 {
				return nil, wrong("%s: this address takes no parameters", quoted(name))
			}
			return nil, wrong("%s: unknown parameter; this address takes %s", quoted(name), strings.Join(known, ", "))
		}
		if len(texts) > 1 && !slices.Contains([]string{"where", "before", "after"}, name) {
			return nil, wrong("%s: given %d times; once is enough", name, len(texts))
		}
		for _, text := range texts {
			if len(text) > maxText || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				return nil, wrong("%s: a text in UTF-8 of at most %d bytes", name, maxText)
			}
		}
	}
	return &parameters{values: values}, nil
}

// quoted quotes a text of the client's, shortened.
func quoted(text string) string {
	const most = 80
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}

// mistake returns the first mistake.
func (p *parameters) mistake() error { return p.err }

func (p *parameters) wrong(format string, args ...any) {
	if p.err == nil {
		p.err = wrong(format, args...)
	}
}

func (p *parameters) text(name string) string { return p.values.Get(name) }

// number reads a whole number.
func (p *parameters) number(name string, without, least, most int) int {
	text := p.values.Get(name)
	if text == "" {
		return without
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		p.wrong("%s: a whole number from %d to %d, not %s", name, least, most, quoted(text))
	}
	return n
}

// choice reads a parameter that must be one of a few words; it is "" if the parameter is absent.
func (p *parameters) choice(name string, from ...string) string {
	text := p.values.Get(name)
	if text != "" && !slices.Contains(from, text) {
		p.wrong("%s: %s, not %s", name, strings.Join(from, ", "), quoted(text))
	}
	return text
}

// is reports whether a parameter is 1.
func (p *parameters) is(name string) bool {
	switch text := p.values.Get(name); text {
	case "1":
		return true
	case "", "0":
	default:
		p.wrong("%s: 1, or leave it out, not %s", name, quoted(text))
	}
	return false
}

// moment reads a time: RFC 3339, now, or a time before now, such as now-90m or now-7d.
func (p *parameters) moment(name string, now, without time.Time) time.Time {
	text := p.values.Get(name)
	if text == "" {
		return without
	}
	if before, relative := strings.CutPrefix(text, "now"); relative {
		if before == "" {
			return now
		}
		if d, ok := lengthOf(strings.TrimPrefix(before, "-")); ok && before[0] == '-' && d <= maxRange {
			return now.Add(-d)
		}
	} else if at, err := time.Parse(time.RFC3339, text); err == nil && at.Year() >= 2000 && at.Year() < 2200 {
		return at
	}
	p.wrong("%s: a moment such as 2026-11-23T09:00:00Z, now, now-90m or now-7d, not %s", name, quoted(text))
	return without
}

// length reads a duration, such as 30m, 1h or 7d.
func (p *parameters) length(name string, without, least, most time.Duration) time.Duration {
	text := p.values.Get(name)
	if text == "" {
		return without
	}
	d, ok := lengthOf(text)
	if !ok || d < least || d > most {
		p.wrong("%s: a duration such as 30m, 1h or 7d, from %v to %v, not %s", name, least, most, quoted(text))
	}
	return d
}

// lengthOf parses a duration as Go writes it, or in days.
func lengthOf(text string) (time.Duration, bool) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		return time.Duration(n) * dayLength, err == nil && n > 0 && n <= 10_000
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d > 0
}

// pairs reads values of labels, LABEL:VALUE. They replace those that a label has in to.
func (p *parameters) pairs(name string, to map[string][]string) map[string][]string {
	all := map[string][]string{}
	for label, values := range to {
		all[label] = values
	}
	own := map[string][]string{}
	for _, text := range p.values[name] {
		label, value, ok := strings.Cut(text, ":")
		if !ok || !isLabel(label) {
			p.wrong("%s: LABEL:VALUE, such as route:/cart, not %s; the labels are %s, and x-… of your own", name, quoted(text), strings.Join(record.Known, ", "))
			continue
		}
		own[label] = append(own[label], value)
	}
	if len(p.values[name]) > maxWhere {
		p.wrong("%s: given %d times; at most %d", name, len(p.values[name]), maxWhere)
	}
	for label, values := range own {
		all[label] = values
	}
	return all
}

func isLabel(name string) bool {
	return slices.Contains(record.Known, name) || strings.HasPrefix(name, "x-") && len(name) > 2
}

// labels reads names of labels, separated by commas. An empty parameter is an empty list.
func (p *parameters) labels(name string, without []string) []string {
	if !p.values.Has(name) {
		return without
	}
	text := p.values.Get(name)
	if text == "" {
		return nil
	}
	by := strings.Split(text, ",")
	for i, label := range by {
		if !isLabel(label) || slices.Contains(by[:i], label) {
			p.wrong("%s: labels separated by commas, such as route,release, not %s; the labels are %s, and x-… of your own", name, quoted(text), strings.Join(record.Known, ", "))
		}
	}
	if len(by) > maxBy {
		p.wrong("%s: at most %d labels", name, maxBy)
	}
	return by
}

// app is the app that a request is about.
func (r *request) app() (string, error) { return r.grant.of(r.text("app")) }

// selection reads what a question is about. The time is the last day by default.
func (r *request) selection() (store.Selection, error) {
	app, err := r.app()
	if err != nil {
		return store.Selection{}, err
	}
	now := r.api.Now()
	s := store.Selection{App: app, Where: r.pairs("where", nil), Slow: r.is("slow")}
	s.To = r.moment("to", now, now)
	s.From = r.moment("from", now, s.To.Add(-dayLength))
	r.checkRange("from", "to", s.From, s.To)
	return s, r.mistake()
}

func (p *parameters) checkRange(from, to string, start, end time.Time) {
	switch {
	case !start.Before(end):
		p.wrong("%s and %s: %s is not before %s", from, to, start.Format(time.RFC3339), end.Format(time.RFC3339))
	case end.Sub(start) > maxRange:
		p.wrong("%s and %s: more than two years", from, to)
	}
}
