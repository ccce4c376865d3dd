package visits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/test/browser"
)

// Record is what was visited.
type Record struct {
	figures.Origin
	Seed     uint32             `json:"seed"`
	Planned  int                `json:"planned"` // rounds
	Seconds  float64            `json:"seconds"`
	Browsers map[string]string  `json:"browsers"`          // versions
	Missing  map[string]string  `json:"missing,omitempty"` // browsers, and why
	Rounds   map[string][]Round `json:"rounds"`            // by the names of cells
}

// Round is a visit to each build, by name.
type Round map[string]Visit

// visitsFile is what the visits are kept in.
const visitsFile = "page-visits.json"

// Measure visits, or reads what was visited, and evaluates it.
func Measure(ctx context.Context, o Options, progress figures.Progress) (*Report, error) {
	if o.Replay != "" {
		var r Record
		text, err := os.ReadFile(filepath.Join(o.Replay, visitsFile))
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			return nil, err
		}
		return Evaluate(&r), nil
	}
	r, err := look(ctx, o, progress)
	if err != nil {
		return nil, err
	}
	if o.Keep != "" {
		if err := keep(o.Keep, r); err != nil {
			return nil, err
		}
	}
	return Evaluate(r), nil
}

// keep writes visits into a folder.
func keep(dir string, r *Record) error {
	text, err := json.Marshal(r)
	if err := errors.Join(err, os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	return figures.Replace(filepath.Join(dir, visitsFile), append(text, '\n'))
}

// look makes the visits of a plan, until they are all made or the time is over.
func look(ctx context.Context, o Options, progress figures.Progress) (*Record, error) {
	began, p := time.Now(), newPlan(o)
	if len(p.cells) == 0 {
		return nil, fmt.Errorf("no site has %q in its name, or no browser is one of %s", o.Only, strings.Join(browsers, " and "))
	}
	r := &Record{Origin: figures.Here(o.arguments()), Seed: rand.Uint32(), Planned: p.rounds, Browsers: map[string]string{}, Missing: map[string]string{}, Rounds: map[string][]Round{}}
	dir, remove, err := workspace()
	if err != nil {
		return nil, err
	}
	defer remove()
	built, err := buildAll(ctx, p, dir, progress)
	if err != nil {
		return nil, err
	}
	defer browser.Stop()
	sessions, err := r.start(p, built)
	if err != nil {
		return nil, err
	}
	v := &visitor{ctx: ctx, until: began.Add(p.budget), built: built, sessions: sessions, record: r, took: map[Cell]time.Duration{}, progress: progress}
	rng := rand.New(rand.NewPCG(uint64(r.Seed), 0))
	for round := range p.rounds {
		for _, lanes := range schedule(rng, p.cells) {
			v.drive(lanes, fmt.Sprintf("round %d of %d", round+1, p.rounds))
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return r, ctx.Err()
}

func buildAll(ctx context.Context, p plan, dir string, progress figures.Progress) (map[string]*served, error) {
	built := map[string]*served{}
	for _, s := range sites {
		if !slices.ContainsFunc(p.cells, func(c Cell) bool { return c.Site == s.name }) {
			continue
		}
		progress.Show("building the site %s", s.name)
		var err error
		if built[s.name], err = build(ctx, s, dir); err != nil {
			return nil, err
		}
	}
	return built, nil
}

// start starts the browsers of a plan, and makes a visit that does not count in each.
func (r *Record) start(p plan, built map[string]*served) (map[string]*browser.Session, error) {
	sessions := map[string]*browser.Session{}
	for _, c := range p.cells {
		if sessions[c.Browser] != nil || r.Missing[c.Browser] != "" {
			continue
		}
		session, err := browser.Start(c.Browser)
		if err == nil {
			r.Browsers[c.Browser], err = session.Version()
		}
		if err != nil {
			r.Missing[c.Browser] = err.Error()
			continue
		}
		sessions[c.Browser] = session
		visit(session, built[c.Site], recording, Network{})
	}
	if len(sessions) == 0 {
		return nil, fmt.Errorf("no browser can be started: %v", r.Missing)
	}
	return sessions, nil
}

// compare fails the visits that ended on another page than the clean one.
func (r Round) compare() {
	for build, v := range r {
		if want := r[clean].shown; v.Failed == "" && r[clean].Failed == "" && v.shown != want {
			r[build] = Visit{Failed: fmt.Sprintf("the page shows %.80q in the end, the clean one %.80q", differing(v.shown, want), differing(want, v.shown))}
		}
	}
}

// differing is a text from where it differs from another.
func differing(text, from string) string {
	i := 0
	for i < min(len(text), len(from)) && text[i] == from[i] {
		i++
	}
	return text[i:]
}

// visitor makes visits until its time is over.
type visitor struct {
	ctx      context.Context
	until    time.Time
	built    map[string]*served
	sessions map[string]*browser.Session
	progress figures.Progress

	mu     sync.Mutex
	record *Record
	took   map[Cell]time.Duration // the longest turn
}

// drive drives lanes at the same time.
func (v *visitor) drive(lanes [][]turn, round string) {
	var running sync.WaitGroup
	for _, lane := range lanes {
		running.Go(func() {
			for _, t := range lane {
				v.progress.Show("%s: %v", round, t.cell)
				v.take(t)
			}
		})
	}
	running.Wait()
}

// take makes the visits of a turn, unless there is too little time or no browser.
func (v *visitor) take(t turn) {
	session, began := v.sessions[t.cell.Browser], time.Now()
	v.mu.Lock()
	late := began.Add(v.took[t.cell]).After(v.until)
	v.mu.Unlock()
	if session == nil || late || v.ctx.Err() != nil {
		return
	}
	visits := Round{}
	for _, build := range t.builds {
		visits[build] = visit(session, v.built[t.cell.Site], build, networks[t.cell.Network])
	}
	visits.compare()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.record.Rounds[t.cell.String()] = append(v.record.Rounds[t.cell.String()], visits)
	v.took[t.cell] = max(v.took[t.cell], time.Since(began))
}
