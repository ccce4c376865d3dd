package causal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/fixtures"
)

// subject is a program in an engine, ready for its doses.
type subject struct {
	script    *script
	arguments []string
	printed   string
	functions []Function
	indexes   []int // of the functions in the script
	err       error // why it cannot be measured
}

func (of *subject) sites() []site {
	var list []site
	for _, i := range of.indexes {
		list = append(list, of.script.sites[i])
	}
	return list
}

const (
	dosedFunctions = 5
	// Candidates are those with the most time: some cannot have doses.
	candidates = 10
	// leastShare of the time makes a function worth a dose; with fewest calls, the spin
	// would not be a part of what it does.
	leastShare  = 0.01
	fewestCalls = 10
	// mostDose is how large the lowest dose may get because a function is called so often
	// that a single round per call is more than intended.
	mostDose = 2.5
)

// subject prepares a program, once.
func (s *session) subject(ctx context.Context, e *Engine, program fixtures.Program, unit float64) (*subject, error) {
	key := e.Name + "/" + program.Name
	if known := s.subjects[key]; known != nil {
		return known, known.err
	}
	of := &subject{}
	of.err = s.prepare(ctx, e, program, unit, of)
	if ctx.Err() == nil {
		s.subjects[key] = of
	}
	return of, of.err
}

func (s *session) prepare(ctx context.Context, e *Engine, program fixtures.Program, unit float64, of *subject) error {
	folder := filepath.Join(s.folder, e.Name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	var err error
	if of.script, err = flat(ctx, e, program, folder); err != nil {
		return err
	}
	first, err := s.once(ctx, e, Way{Name: clean}, of.script.path, e.Arguments(program), 1)
	if err != nil {
		return err
	}
	of.arguments = scaled(e.Arguments(program), s.options.lasts(e).Seconds()/max(first.seconds, 1e-3))
	run, err := s.once(ctx, e, Way{Name: clean}, of.script.path, of.arguments, 1)
	if err != nil {
		return err
	}
	of.printed = run.printed
	if err := s.rank(ctx, e, program, of); err != nil {
		return err
	}
	if err := s.count(ctx, e, of); err != nil {
		return err
	}
	return s.choose(e, program, of, unit, run.seconds)
}

// Programs are scaled within these bounds.
const (
	leastScale = 0.1
	mostScale  = 16
)

// scaled are a program's arguments for a run that is so much longer. Without arguments
// its scale is 1.
func scaled(args []string, by float64) []string {
	if len(args) == 0 {
		args = []string{"1"}
	}
	args = slices.Clone(args)
	if declared, err := strconv.ParseFloat(args[0], 64); err == nil {
		args[0] = strconv.FormatFloat(declared*min(max(by, leastScale), mostScale), 'f', 2, 64)
	}
	return args
}

// rank finds the functions with the most time by the engine's reference sampler, among
// those that balanced tells apart.
func (s *session) rank(ctx context.Context, e *Engine, program fixtures.Program, of *subject) error {
	found, err := checksIn(e, of.script.path)
	if err != nil {
		return err
	}
	apart, names := map[int]bool{}, map[int]string{}
	for _, f := range found.checked {
		if i := of.script.functionOf(f); i > 0 {
			apart[i], names[i] = true, f.Name
		}
	}
	var way Way
	for _, w := range e.ways(truth.Samplers()) {
		if w.Name == e.Reference {
			way = w
		}
	}
	if way.Sampler == nil {
		return fmt.Errorf("no sampler %q", e.Reference)
	}
	run, err := s.once(ctx, e, way, of.script.path, of.arguments, 1)
	if err != nil {
		return err
	}
	self := merged(run.profile, of.script, apart)
	for i, share := range self {
		if share >= leastShare {
			line := int32(1 + strings.Count(of.script.text[:of.script.sites[i].Head], "\n"))
			of.functions = append(of.functions, Function{Name: cmp.Or(names[i], "(anonymous)"), Line: line, Share: 100 * share})
			of.indexes = append(of.indexes, i)
		}
	}
	order := make([]int, len(of.functions))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(of.functions[b].Share, of.functions[a].Share), of.indexes[a]-of.indexes[b])
	})
	functions, indexes := of.functions, of.indexes
	of.functions, of.indexes = nil, nil
	for _, i := range order[:min(candidates, len(order))] {
		of.functions, of.indexes = append(of.functions, functions[i]), append(of.indexes, indexes[i])
	}
	if len(of.functions) == 0 {
		return errors.New("the reference names no function with 1 % of the time that balanced tells apart")
	}
	return nil
}

// count counts the calls of the candidates.
func (s *session) count(ctx context.Context, e *Engine, of *subject) error {
	if err := os.WriteFile(of.script.path, []byte(of.script.counting(of.sites())), 0o600); err != nil {
		return err
	}
	run, err := s.once(ctx, e, Way{Name: clean}, of.script.path, of.arguments, 1)
	if err != nil {
		return fmt.Errorf("counting calls: %w", err)
	}
	printed, counts, ok := strings.Cut(run.printed, countPrefix)
	if words := strings.Fields(counts); !ok || printed != of.printed || len(words) != len(of.functions) {
		return errors.New("counting calls: it printed something other than the clean program and the counts")
	} else {
		for i := range words {
			if of.functions[i].Calls, err = strconv.ParseInt(words[i], 10, 64); err != nil {
				return fmt.Errorf("counting calls: %w", err)
			}
		}
	}
	return nil
}

// choose keeps the first candidates that can have doses.
func (s *session) choose(e *Engine, program fixtures.Program, of *subject, unit, seconds float64) error {
	before, err := s.checks(e, of, nil)
	if err != nil {
		return err
	}
	functions, indexes := of.functions, of.indexes
	of.functions, of.indexes = nil, nil
	refuse := func(f *Function, why string) {
		s.skip(e.Name, program.Name, fmt.Sprintf("doses of %s, line %d of the bundle", f.Name, f.Line), why)
	}
	for i := range functions {
		f := &functions[i]
		if len(of.functions) == dosedFunctions {
			break
		}
		if f.Calls < fewestCalls {
			refuse(f, fmt.Sprintf("it is called %d times", f.Calls))
			continue
		}
		perRound := float64(f.Calls) * unit / 1e9 / max(seconds, 1e-3)
		if f.Step = max(1, int(math.Round(doses[1]/perRound))); perRound*float64(f.Step) > mostDose*doses[1] {
			refuse(f, fmt.Sprintf("it is called so often that one round per call is %.0f %% of the time", 100*perRound))
			continue
		}
		after, err := s.checks(e, of, of.script.sites[indexes[i]:indexes[i]+1])
		if err != nil {
			return err
		}
		if preset := after.differs(before); preset != "" {
			refuse(f, "a spin would change where "+preset+" has its checks")
			continue
		}
		of.functions, of.indexes = append(of.functions, *f), append(of.indexes, indexes[i])
	}
	if len(of.functions) < 2 {
		return errors.New("fewer than two of its functions can have doses")
	}
	return nil
}

// checks are the checks of the script with spins in functions.
func (s *session) checks(e *Engine, of *subject, functions []site) (*checks, error) {
	text := of.script.text
	if len(functions) > 0 {
		text = of.script.dosed(functions, make([]int, len(functions)))
	}
	if err := os.WriteFile(of.script.path, []byte(text), 0o600); err != nil {
		return nil, err
	}
	return checksIn(e, of.script.path)
}

// tooLong ends a run.
const tooLong = 2 * time.Minute
