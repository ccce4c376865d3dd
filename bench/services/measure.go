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

// usual is how long a process is under load before it is the next one's turn, unless Options
// have another one.
const usual = 10 * time.Second

// fullness is the load, as a part of what one clean process can answer.
const fullness = 0.5

// Options say what is measured.
type Options struct {
	Only     string        // services with this text in their name
	Duration time.Duration // for which the service that is recorded is under load
	Window   time.Duration // of a turn
}

// Measure measures each service.
func Measure(ctx context.Context, o Options, progress figures.Progress) (*Report, error) {
	if o.Window <= 0 {
		o.Window = usual
	}
	r := &Report{Origin: figures.Here(fmt.Sprintf("services --duration %v", o.Duration)), Window: o.Window}
	if o.Only != "" {
		r.Command += " --only " + o.Only
	}
	for _, program := range fixtures.Services() {
		if !strings.Contains(program.Name, o.Only) {
			continue
		}
		s, err := measure(ctx, program, o, progress)
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

func measure(ctx context.Context, program fixtures.Program, o Options, progress figures.Progress) (s *Service, err error) {
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
	l := &loading{folder, requests, o.Window}
	if err := s.compare(ctx, l, max(2, int(o.Duration/o.Window)), progress); err != nil {
		return nil, err
	}
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
}

// compare has three processes under load by turns, in blocks.
func (s *Service) compare(ctx context.Context, l *loading, blocks int, progress figures.Progress) error {
	ways := []string{clean, again, continuous}
	processes := make([]*process, len(ways))
	for i, way := range ways {
		p, err := start(ctx, l.folder, way)
		if err != nil {
			return err
		}
		defer p.kill()
		if processes[i] = p; i == 0 {
			most, err := p.load(ctx, l, 0, 0)
			if err != nil {
				return err
			}
			s.PerSecond = math.Round(fullness * float64(most.Requests) / l.window.Seconds())
		}
		if _, err := p.load(ctx, l, s.PerSecond, 0); err != nil { // to warm up
			return err
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	for block := range blocks {
		progress.Show("%s: %d of %d blocks, %.0f requests a second", s.Name, block, blocks, s.PerSecond)
		b := Block{}
		for _, i := range random.Perm(len(ways)) {
			w, err := processes[i].load(ctx, l, s.PerSecond, uint64(1+block))
			if err != nil {
				return fmt.Errorf("%s: %w", ways[i], err)
			}
			b[ways[i]] = w
		}
		s.Blocks = append(s.Blocks, b)
	}
	s.sumUp()
	return processes[2].end()
}

// sample has a clean process under load while V8 samples it.
func (s *Service) sample(ctx context.Context, l *loading) error {
	p, err := start(ctx, l.folder, sampled)
	if err != nil {
		return err
	}
	defer p.kill()
	for n := range 4 {
		if _, err := p.load(ctx, l, s.PerSecond, uint64(n)); err != nil {
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

// compared is a figure of the windows: in the clean process, and by what other processes differ
// in the same block.
func (s *Service) compared(figure func(Window) float64) Compared {
	var values, floor, change []float64
	for _, b := range s.Blocks {
		first, second := math.Log(figure(b[clean])), math.Log(figure(b[again]))
		values = append(values, figure(b[clean]))
		floor = append(floor, second-first)
		change = append(change, math.Log(figure(b[continuous]))-(first+second)/2)
	}
	percents := func(logs []float64, seed uint64) estimate.Estimate { // of two blocks or more
		return estimate.Stratified([][]float64{logs}, seed).Percents()
	}
	return Compared{Clean: figures.Median(values), Floor: percents(floor, 1), Change: percents(change, 2)}
}
