package api

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// Grafana's JSON data sources read lists of flat rows, with a column for each key and null for
// unknown values.

// flameRow is a row of a nested set, the form that the flame graph panel draws: callers come before
// their callees, and each row has its level.
type flameRow struct {
	Level int     `json:"level"`
	Value float64 `json:"value"` // ms in all sessions, estimated
	Self  float64 `json:"self"`
	Label string  `json:"label"`
}

// Bounds on a flame graph. Calls smaller than a pixel are left out, and larger ones if there are
// still too many rows.
const (
	leastPercent = 0.05
	maxFlames    = 20_000
	maxLevels    = 300
)

func grafanaFlame(r *request) error {
	s, err := r.selection()
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
	return r.reply(flames(result.Profile, result.Scale))
}

func flames(p *profile.Profile, scale float64) []flameRow {
	ms := func(ticks int64) float64 { return float64(ticks) * float64(p.TickTime()) / 1e6 * scale }
	for least := leastPercent; ; least *= 2 {
		tree := view.NewTree(p, view.TopDown, view.TreeOptions{Depth: maxLevels, MinPercent: least})
		var all int64
		rows := []flameRow{{Label: "all"}}
		tree.Walk(func(n *view.Node, depth int) {
			if depth == 0 {
				all += n.Total
			}
			rows = append(rows, flameRow{Level: depth + 1, Value: ms(n.Total), Self: ms(n.Self), Label: labelOf(n)})
		})
		if len(rows) <= maxFlames {
			all += tree.Hidden.Total
			rows[0].Value, rows[0].Self = ms(all), ms(tree.Hidden.Total)
			return rows
		}
	}
}

func labelOf(n *view.Node) string {
	if n.File == "" {
		return n.Name
	}
	return n.Name + " (" + n.File + ")"
}

// grafanaTable serves the overview, with the labels as columns.
func grafanaTable(r *request) error {
	overview, err := r.overview()
	if err != nil {
		return err
	}
	rows := []map[string]any{}
	for i := range overview.Rows {
		row := measures(&overview.Rows[i])
		for _, label := range overview.By {
			row[label] = overview.Rows[i].Labels[label]
		}
		rows = append(rows, row)
	}
	return r.reply(rows)
}

// measures are the figures of a row, each with its interval.
func measures(row *answer.OverviewRow) map[string]any {
	cells := map[string]any{"views": row.Views, "all_views": row.AllViews, "long_tasks": row.LongTasks}
	for name, e := range map[string]*answer.Estimate{"inp": row.INP, "slow_share": row.SlowShare, "cpu": row.CPU, "busy_share": row.BusyShare} {
		addEstimate(cells, name, e)
	}
	return cells
}

func addEstimate(cells map[string]any, name string, e *answer.Estimate) {
	cells[name], cells[name+"_low"], cells[name+"_high"] = nil, nil, nil
	if e != nil {
		cells[name], cells[name+"_low"], cells[name+"_high"] = e.Value, e.Low, e.High
	}
}

// grafanaFunctions serves the hottest functions.
func grafanaFunctions(r *request) error {
	functions, err := r.functions()
	if err != nil {
		return err
	}
	return r.reply(append([]answer.FunctionRow{}, functions.Functions...))
}

// maxPoints bounds a series of figures, each of which is made of several blocks of time.
const maxPoints = 100

// grafanaSeries serves a measure over time: the share of a function, or a figure of the overview.
func grafanaSeries(r *request) error {
	known := slices.Sorted(maps.Keys(measures(&answer.OverviewRow{})))
	known = slices.DeleteFunc(known, func(name string) bool { return slices.Contains(intervalEnds, name) })
	if r.choice("measure", append([]string{"share"}, known...)...) == "share" || r.text("measure") == "" && r.text("name") != "" {
		return r.grafanaTrend()
	}
	s, err := r.selection()
	if err != nil {
		return err
	}
	step := r.step(&s, maxPoints)
	if r.text("measure") == "" {
		r.wrong("measure: which? share (of the function that name= names), %s", known)
	}
	if err := r.mistake(); err != nil {
		return err
	}
	points, err := r.api.Answers.Course(r.ctx, s, step)
	if err != nil {
		return err
	}
	rows := []map[string]any{}
	for _, p := range points {
		rows = append(rows, pointRow(p, r.text("measure")))
	}
	return r.reply(rows)
}

// intervalEnds are the columns that come with their figures.
var intervalEnds = []string{"inp_low", "inp_high", "slow_share_low", "slow_share_high", "cpu_low", "cpu_high", "busy_share_low", "busy_share_high"}

// pointRow is the row of one step; its figures are null if nothing is known of it.
func pointRow(p answer.CoursePoint, measure string) map[string]any {
	row := map[string]any{"time": p.At.UnixMilli(), measure: nil}
	if p.Row == nil {
		return row
	}
	cells := measures(p.Row)
	for _, column := range []string{measure, measure + "_low", measure + "_high"} {
		if value, known := cells[column]; known {
			row[column] = value
		}
	}
	return row
}

// grafanaTrend serves the share of a function over time.
func (r *request) grafanaTrend() error {
	trend, err := r.trend()
	if err != nil {
		return err
	}
	rows := []map[string]any{}
	for _, p := range trend.Points {
		row := map[string]any{"time": p.At.UnixMilli()}
		addEstimate(row, "self", p.Self)
		addEstimate(row, "total", p.Total)
		rows = append(rows, row)
	}
	return r.reply(rows)
}
