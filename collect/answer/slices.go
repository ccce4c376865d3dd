package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
	slow "github.com/fieldprof/fieldprof/profile/slices"
)

// Bounds of a question about slices: how many are counted, how many are read with their traces, and how
// many bytes these have.
const mostSlices, mostTraces, mostTraceBytes = 10_000, 500, 16 << 20

// Slices are what was slow.
func (s *Service) Slices(ctx context.Context, of store.Selection, q store.SliceQuery) (*Slices, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = mostTraces
	}
	q.Limit, q.Traces = mostSlices, 0
	all, err := s.store.Slices(ctx, of, q)
	if err != nil {
		return nil, err
	}
	q.Limit, q.Traces = mostTraces, mostTraceBytes
	worst, err := s.store.Slices(ctx, of, q)
	if err != nil {
		return nil, err
	}
	t, err := s.tracer(ctx, of.App)
	if err != nil {
		return nil, err
	}
	t.weights = weightsOfSlices(all)
	out := &Slices{Slices: []SliceRow{}}
	causes := map[record.ID]*CauseRow{}
	unread, err := t.blame(ctx, worst, func(of *record.Slice, row SliceRow) {
		causes[of.ID] = row.Cause
		out.Slices = append(out.Slices, row)
	})
	if err != nil {
		return nil, err
	}
	traced := len(out.Slices)
	for i := traced; i < min(limit, len(all)); i++ {
		row, err := t.stored(&all[i])
		if err != nil {
			return nil, err
		}
		out.Slices = append(out.Slices, row)
	}
	out.Slices = out.Slices[:min(limit, len(out.Slices))]
	if out.Subjects, err = t.subjects(all, causes); err != nil {
		return nil, err
	}
	if len(all) == mostSlices {
		out.Notes = append(out.Notes, fmt.Sprintf("there are more slices; the longest %d are counted", mostSlices))
	}
	if len(all) > traced {
		out.Notes = append(out.Notes, fmt.Sprintf("the causes of the %d longest are found with the maps of now; of the others, as they arrived", traced))
	}
	out.Notes = append(out.Notes, t.weights.notes()...)
	if unread > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("the traces of %d slices cannot be read", unread))
	}
	return out, nil
}

// Bounds of what the traces of a question take in memory when they are unpacked: bytes of their contents, and
// units of their tables.
const mostContent, mostUnits = 32 << 20, 1 << 20

// blame finds the causes of slices in their traces, until these have been too much.
func (t *tracer) blame(ctx context.Context, list []record.Slice, each func(*record.Slice, SliceRow)) (unread int, _ error) {
	content, units := uint64(0), 0
	for i := range list {
		if err := ctx.Err(); err != nil {
			return unread, err
		}
		if content += record.Unpacked(list[i].Trace); i > 0 && (content > mostContent || units > mostUnits) {
			return unread, nil
		}
		row, blamed, whole, err := t.row(&list[i])
		if err != nil {
			return unread, err
		}
		if blamed == nil {
			unread++
		} else {
			units += unitsOf(whole.raw)
		}
		each(&list[i], row)
	}
	return unread, nil
}

// unitsOf is about what a profile takes: a frame is remembered with its function in the sources.
func unitsOf(p *profile.Profile) int {
	return 4*len(p.Frames.Function) + len(p.Stacks.Parent) + p.Len()
}

func weightsOfSlices(all []record.Slice) weights {
	var rates []weighted
	for i := range all {
		rates = append(rates, weighted{all[i].Rate, 1})
	}
	return weightsOf(rates)
}

// row describes a slice. If its trace cannot be read, the cause is the stored one, and blamed is nil.
func (t *tracer) row(of *record.Slice) (row SliceRow, blamed *slow.Slice, whole *traced, err error) {
	blamed, whole, err = t.blamed(of)
	switch {
	case errors.Is(err, errTrace):
		row, err = t.stored(of)
		return row, nil, nil, err
	case err != nil:
		return row, nil, nil, err
	}
	row = t.described(of)
	row.Why = blamed.Explain()
	if c := blamed.Blame.Cause; c != nil {
		row.Cause = &CauseRow{named(c.Function), string(c.Group), share(c.Time, of.Mark.Duration)}
	}
	return row, blamed, whole, nil
}

// described is what is known of a slice without its trace, but for the cause.
func (t *tracer) described(of *record.Slice) SliceRow {
	m := &of.Mark
	row := SliceRow{ID: of.ID.String(), At: of.At, What: string(m.What), Name: m.Name, Target: m.Target, DurationMs: ms(m.Duration),
		Weight: t.weights.of(of.Rate), Labels: map[string]string{}}
	maps.Copy(row.Labels, of.Labels)
	return row
}

// stored describes a slice with the cause that was found when it arrived.
func (t *tracer) stored(of *record.Slice) (row SliceRow, err error) {
	row = t.described(of)
	row.Cause, err = t.storedCause(of)
	return row, err
}

// storedCause is the cause that was found when the slice arrived, by its original name.
func (t *tracer) storedCause(of *record.Slice) (*CauseRow, error) {
	if of.Cause == (profile.Function{}) {
		return nil, nil
	}
	f, err := t.function(of.Labels[record.Release], of.Cause)
	return &CauseRow{named(f), of.CauseGroup, share(of.CauseTime, of.Mark.Duration)}, err
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func share(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// named is a function as answers name it.
func named(f profile.Function) Function {
	name := f.Name
	switch {
	case name != "":
	case f.Flags&profile.TopLevel != 0:
		name = profile.DisplayTopLevel
	default:
		name = profile.DisplayAnonymous
	}
	return Function{name, f.File, f.Line}
}

// mostCauses is how many causes a subject has.
const mostCauses = 5

// gatheredSubject adds up the slices of a subject.
type gatheredSubject struct {
	row       Subject
	durations []weighted
	spent     float64 // ms of all sessions
	causes    map[CauseRow]float64
}

// subjects sums slices up by what was slow.
func (t *tracer) subjects(all []record.Slice, causes map[record.ID]*CauseRow) ([]Subject, error) {
	by := map[slow.Subject]*gatheredSubject{}
	for i := range all {
		of := &all[i]
		key := slow.Subject{What: of.Mark.What, Name: of.Mark.Name, Target: of.Mark.Target}
		g := by[key]
		if g == nil {
			g = &gatheredSubject{row: Subject{What: string(key.What), Name: key.Name, Target: key.Target}, causes: map[CauseRow]float64{}}
			by[key] = g
		}
		cause, known := causes[of.ID]
		if !known {
			var err error
			if cause, err = t.storedCause(of); err != nil {
				return nil, err
			}
		}
		g.add(of, cause, t.weights.of(of.Rate))
	}
	list := slices.SortedFunc(maps.Values(by), func(a, b *gatheredSubject) int {
		return cmp.Or(cmp.Compare(b.spent, a.spent), cmp.Compare(a.row.What, b.row.What), cmp.Compare(a.row.Name, b.row.Name), cmp.Compare(a.row.Target, b.row.Target))
	})
	rows := make([]Subject, len(list))
	for i, g := range list {
		rows[i] = g.finish()
	}
	return rows, nil
}

func (g *gatheredSubject) add(of *record.Slice, cause *CauseRow, weight float64) {
	duration := ms(of.Mark.Duration)
	g.row.Count++
	g.row.All += weight
	g.row.MaxMs = max(g.row.MaxMs, duration)
	g.spent += weight * duration
	g.durations = append(g.durations, weighted{duration, weight})
	if cause != nil {
		g.causes[CauseRow{Function: cause.Function, Group: cause.Group}] += weight
	}
}

func (g *gatheredSubject) finish() Subject {
	g.row.P50Ms, g.row.P75Ms = quantileOf(g.durations, 0.5), quantileOf(g.durations, 0.75)
	g.row.Causes = []CauseRow{}
	for cause, weight := range g.causes {
		cause.Share = weight / g.row.All
		g.row.Causes = append(g.row.Causes, cause)
	}
	slices.SortFunc(g.row.Causes, func(a, b CauseRow) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	g.row.Causes = g.row.Causes[:min(mostCauses, len(g.row.Causes))]
	return g.row
}

// Slice is one slice, and its profile.
func (s *Service) Slice(ctx context.Context, app string, id record.ID) (*Slice, *Result, error) {
	of, err := s.store.Slice(ctx, app, id)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.tracer(ctx, app)
	if err != nil {
		return nil, nil, err
	}
	t.weights = weightsOfSlices([]record.Slice{*of})
	row, blamed, whole, err := t.row(of)
	if err != nil {
		return nil, nil, err
	}
	m := &of.Mark
	out := &Slice{SliceRow: row, InputDelayMs: ms(m.InputDelay), ProcessingMs: ms(m.Processing), PresentationMs: ms(m.Presentation),
		Groups: map[string]float64{}, Functions: []SliceFunction{}}
	if blamed == nil {
		return out, &Result{Profile: (&profile.Builder{}).Profile(), Scale: 1, Source: noSource}, nil
	}
	b := &blamed.Blame
	for group, d := range b.Groups {
		out.Groups[string(group)] = ms(d)
	}
	for _, f := range b.Functions[:min(mostFunctions, len(b.Functions))] {
		out.Functions = append(out.Functions, SliceFunction{named(f.Function), string(f.Group), ms(f.Self), ms(f.Total)})
	}
	if b.Handler != nil {
		handler := named(*b.Handler)
		out.Handler = &handler
	}
	return out, t.result(whole, profile.Between(whole.p, m.Time, m.End())), nil
}

// mostFunctions is how many functions of a slice are listed.
const mostFunctions = 200

func noSource(string) (string, bool) { return "", false }
