package services

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

// The settings that Options leave open: how long a process is under load before it is the next one's turn,
// and how many processes a way has, one after the other.
const (
	usualWindow = 10 * time.Second
	leastWindow = time.Second
	usualSets   = 5
)

// fullness is the load, as a part of what one clean process can answer.
const fullness = 0.5

// Options say what is measured.
type Options struct {
	Only     string        // services with this text in their name
	Duration time.Duration // for which services that are recorded are under load, all sets together
	Window   time.Duration // of a turn; a short Duration makes it shorter
	Sets     int           // of processes
}

// Measure measures each service.
func Measure(ctx context.Context, o Options, progress figures.Progress) (*Report, error) {
	if o.Sets <= 0 {
		o.Sets = usualSets
	}
	if o.Window <= 0 { // there is at least one turn in a set
		o.Window = min(usualWindow, max(o.Duration/time.Duration(o.Sets), leastWindow))
	}
	r := &Report{Origin: figures.Here(fmt.Sprintf("services --duration %v", o.Duration)), Window: o.Window}
	r.Seed = rand.Uint64() >> 12
	if o.Only != "" {
		r.Command += " --only " + o.Only
	}
	for _, program := range fixtures.Services() {
		if !strings.Contains(program.Name, o.Only) {
			continue
		}
		s, err := measure(ctx, program, o, r.Seed, progress)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", program.Name, err)
		}
		r.Services = append(r.Services, *s)
	}
	if len(r.Services) == 0 {
		return nil, fmt.Errorf("there is no service with %q in its name", o.Only)
	}
	return r, nil
}

func measure(ctx context.Context, program fixtures.Program, o Options, seed uint64, progress figures.Progress) (s *Service, err error) {
	if err := program.InstallPackages(); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "services-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	progress.Show("%s: building", program.Name)
	if err := build(ctx, program, folder); err != nil {
		return nil, err
	}
	requests, err := requestsOf(ctx, strings.TrimSuffix(program.Name, ".mjs"))
	if err != nil {
		return nil, err
	}
	s = &Service{Name: program.Name}
	l := &loading{folder, requests, o.Window, rand.New(rand.NewPCG(seed, 0))}
	blocks := max(1, int(o.Duration/o.Window)/o.Sets)
	for set := range o.Sets {
		progress.Show("%s: set %d of %d", program.Name, 1+set, o.Sets)
		if err := s.compare(ctx, l, blocks); err != nil {
			return nil, err
		}
	}
	s.sumUp()
	progress.Show("%s: node --cpu-prof", program.Name)
	if err := s.sample(ctx, l); err != nil {
		return nil, err
	}
	return s, s.read(folder)
}

// loading is how processes of a service are put under load.
type loading struct {
	folder   string // of the builds
	requests []request
	window   time.Duration
	random   *rand.Rand
}

// compare starts a set of processes, one a way, and has them under load by turns, in blocks.
func (s *Service) compare(ctx context.Context, l *loading, blocks int) error {
	processes := map[string]*process{}
	for _, i := range l.random.Perm(len(byTurns)) { // a machine that is warm at the start favours none
		p, err := start(ctx, l.folder, byTurns[i])
		if err != nil {
			return err
		}
		defer p.kill()
		processes[p.way] = p
	}
	if err := s.warm(ctx, l, processes); err != nil {
		return err
	}
	var set []Block
	for range blocks {
		b := Block{}
		seed := l.random.Uint64() // all of a block get the same requests, at the same moments
		for _, i := range l.random.Perm(len(byTurns)) {
			way := byTurns[i]
			w, err := processes[way].load(ctx, l, s.PerSecond, seed)
			if err != nil {
				return fmt.Errorf("%s: %w", way, err)
			}
			b[way] = w
		}
		set = append(set, b)
	}
	s.Sets = append(s.Sets, set)
	return processes[continuous].end()
}

// warm has each process answer as much as it can. That of the first clean one says how much load
// there is in all windows.
func (s *Service) warm(ctx context.Context, l *loading, processes map[string]*process) error {
	for _, way := range byTurns {
		most, err := processes[way].load(ctx, l, 0, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", way, err)
		}
		if s.PerSecond == 0 {
			s.PerSecond = math.Round(fullness * float64(most.Requests) / l.window.Seconds())
		}
	}
	return nil
}

// sample has a clean process under load while V8 samples it.
func (s *Service) sample(ctx context.Context, l *loading) error {
	p, err := start(ctx, l.folder, sampled)
	if err != nil {
		return err
	}
	defer p.kill()
	for range 4 {
		if _, err := p.load(ctx, l, s.PerSecond, l.random.Uint64()); err != nil {
			return err
		}
	}
	return p.end()
}

// sumUp compares the windows of each block.
func (s *Service) sumUp() {
	s.CPU = s.compared(func(w Window) float64 { return w.CPU })
	s.P50 = s.compared(func(w Window) float64 { return w.P50 })
	s.P99 = s.compared(func(w Window) float64 { return w.P99 })
}

// compared is a figure of the windows: in the clean processes, and by what others differ in the
// same block. Sets are what intervals draw: windows of one process have its layout in common.
func (s *Service) compared(figure func(Window) float64) Compared {
	var values []float64
	floor, change := make([][]float64, len(s.Sets)), make([][]float64, len(s.Sets))
	for i, set := range s.Sets {
		for _, b := range set {
			first, second := math.Log(figure(b[clean])), math.Log(figure(b[again]))
			values = append(values, figure(b[clean]))
			floor[i] = append(floor[i], second-first)
			change[i] = append(change[i], math.Log(figure(b[continuous]))-(first+second)/2)
		}
	}
	percents := func(logs [][]float64, seed uint64) estimate.Estimate { // of two sets or more
		return estimate.Nested(logs, seed).Percents()
	}
	return Compared{Clean: figures.Median(values), Floor: percents(floor, 1), Change: percents(change, 2)}
}
