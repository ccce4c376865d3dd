package api

import (
	"time"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// Bounds on answers.
const (
	maxRows  = 5000
	maxSteps = 1000 // of a trend
)

func serveApps(r *request) error {
	return r.reply(struct {
		Apps []string `json:"apps"`
	}{append([]string{}, r.grant.apps...)})
}

func serveValues(r *request) error {
	s, err := r.selection()
	if err != nil {
		return err
	}
	values, err := r.api.Answers.Values(r.ctx, s)
	if err != nil {
		return err
	}
	return r.reply(values)
}

func serveOverview(r *request) error {
	overview, err := r.overview()
	if err != nil {
		return err
	}
	return r.reply(overview)
}

func (r *request) overview() (*answer.Overview, error) {
	s, err := r.selection()
	if err != nil {
		return nil, err
	}
	by := r.labels("by", []string{record.Route, record.Release})
	if err := r.mistake(); err != nil {
		return nil, err
	}
	return r.api.Answers.Overview(r.ctx, s, by)
}

func serveFunctions(r *request) error {
	functions, err := r.functions()
	if err != nil {
		return err
	}
	return r.reply(functions)
}

func (r *request) functions() (*answer.Functions, error) {
	s, err := r.selection()
	if err != nil {
		return nil, err
	}
	options, limit := r.profileOptions(), r.number("limit", 100, 1, maxRows)
	if err := r.mistake(); err != nil {
		return nil, err
	}
	return r.api.Answers.Functions(r.ctx, s, options, limit)
}

func (r *request) profileOptions() answer.ProfileOptions {
	return answer.ProfileOptions{KeepIgnored: r.choice("ignored", "keep") != "", Deployed: r.is("deployed")}
}

func serveTrend(r *request) error {
	trend, err := r.trend()
	if err != nil {
		return err
	}
	return r.reply(trend)
}

func (r *request) trend() (*answer.Trend, error) {
	s, err := r.selection()
	if err != nil {
		return nil, err
	}
	f := answer.Function{Name: r.text("name"), File: r.text("file"), Line: int32(r.number("line", 0, 0, 1<<30))}
	if f.Name == "" {
		r.wrong("name: which function? Name it as %s/functions does", root)
	}
	step := r.step(&s, maxSteps)
	if err := r.mistake(); err != nil {
		return nil, err
	}
	return r.api.Answers.Trend(r.ctx, s, f, step)
}

// step reads the length of the steps that a range is divided into. By default there are about fifty.
func (r *request) step(s *store.Selection, most int) time.Duration {
	all := s.To.Sub(s.From)
	usual := 365 * dayLength
	for _, nice := range []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, dayLength, 7 * dayLength} {
		if all/nice <= 50 {
			usual = nice
			break
		}
	}
	step := r.length("step", usual, time.Minute, maxRange).Truncate(time.Minute) // the store has minutes
	if step > 0 && all/step > time.Duration(most) {
		r.wrong("step: %v makes more than %d steps; take a longer one", step, most)
	}
	return step
}

func serveSlices(r *request) error {
	s, err := r.selection()
	if err != nil {
		return err
	}
	kinds := []string{string(profile.Interaction), string(profile.LongFrame), string(profile.LongTask), string(profile.Load), string(profile.Navigation), string(profile.Measure)}
	q := store.SliceQuery{What: profile.What(r.choice("what", kinds...)), Name: r.text("name"), Target: r.text("target"), Limit: r.number("limit", 100, 1, maxRows)}
	if err := r.mistake(); err != nil {
		return err
	}
	slices, err := r.api.Answers.Slices(r.ctx, s, q)
	if err != nil {
		return err
	}
	return r.reply(slices)
}

// named returns the app and the ID that a request names.
func (r *request) named() (app string, id record.ID, err error) {
	if app, err = r.app(); err != nil {
		return "", id, err
	}
	if id, err = record.ParseID(r.PathValue("id")); err != nil {
		return "", id, wrong("the address has %s where an id belongs: %v", quoted(r.PathValue("id")), err)
	}
	return app, id, nil
}

func serveSlice(r *request) error {
	app, id, err := r.named()
	if err != nil {
		return err
	}
	slice, _, err := r.api.Answers.Slice(r.ctx, app, id)
	if err != nil {
		return err
	}
	return r.reply(slice)
}

func serveSliceProfile(r *request) error {
	app, id, err := r.named()
	if err != nil {
		return err
	}
	export, err := r.export(app + "-slice-" + id.String()[:8])
	if err != nil {
		return err
	}
	_, result, err := r.api.Answers.Slice(r.ctx, app, id)
	if err != nil {
		return err
	}
	return export(result, nil)
}

func serveExamples(r *request) error {
	s, err := r.selection()
	if err != nil {
		return err
	}
	limit := r.number("limit", 100, 1, maxRows)
	if err := r.mistake(); err != nil {
		return err
	}
	examples, err := r.api.Answers.Examples(r.ctx, s, limit)
	if err != nil {
		return err
	}
	return r.reply(examples)
}

func serveExampleProfile(r *request) error {
	app, id, err := r.named()
	if err != nil {
		return err
	}
	export, err := r.export(app + "-example-" + id.String()[:8])
	if err != nil {
		return err
	}
	result, err := r.api.Answers.Example(r.ctx, app, id)
	if err != nil {
		return err
	}
	return export(result, nil)
}

func serveBudgets(r *request) error {
	app, err := r.app()
	if err != nil {
		return err
	}
	budgets := answer.Budgets{Budgets: []answer.BudgetRow{}}
	if r.api.Budgets != nil {
		budgets.Budgets = append(budgets.Budgets, r.api.Budgets(app)...)
	}
	return r.reply(budgets)
}

func serveProfile(r *request) error {
	s, err := r.selection()
	if err != nil {
		return err
	}
	export, err := r.export(s.App + "-" + s.From.UTC().Format("20060102T1504"))
	if err != nil {
		return err
	}
	options := r.profileOptions()
	if err := r.mistake(); err != nil {
		return err
	}
	result, err := r.api.Answers.Profile(r.ctx, s, options)
	if err != nil {
		return err
	}
	return export(result, nil)
}

func serveDiff(r *request) error {
	before, after, err := r.sides()
	if err != nil {
		return err
	}
	options, limit := r.profileOptions(), r.number("limit", 100, 1, maxRows)
	var export export
	if r.text("format") != "" {
		if export, err = r.comparison(before.App + "-diff"); err != nil {
			return err
		}
	}
	if err := r.mistake(); err != nil {
		return err
	}
	if export == nil {
		diff, err := r.api.Answers.Diff(r.ctx, before, after, options, limit)
		if err != nil {
			return err
		}
		return r.reply(diff)
	}
	comparison, err := r.api.Answers.Compare(r.ctx, before, after, options)
	if err != nil {
		return err
	}
	return export(comparison.After, comparison.Before)
}

// sides returns the two selections that a request compares.
func (r *request) sides() (before, after store.Selection, err error) {
	s, err := r.selection()
	if err != nil {
		return s, s, err
	}
	now := r.api.Now()
	before, after = s, s
	before.Where, after.Where = r.pairs("before", s.Where), r.pairs("after", s.Where)
	if r.text("before-from") != "" || r.text("before-to") != "" {
		before.To = r.moment("before-to", now, s.From)
		before.From = r.moment("before-from", now, before.To.Add(-s.To.Sub(s.From)))
		r.checkRange("before-from", "before-to", before.From, before.To)
	} else if r.text("before") == "" && r.text("after") == "" {
		r.wrong("before: what is compared? Say before=release:1.1&after=release:1.2, or before-from=now-48h&before-to=now-24h")
	}
	return before, after, r.mistake()
}
