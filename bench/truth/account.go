package truth

import (
	"context"
	"fmt"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/fixtures/clocks"
)

// Account measures how much of its time a program of known distribution spends
// in each function, by clocks that are read wherever a function is entered,
// left, suspended or resumed, including recursion, exceptions, generators and async
// functions. It uses neither a sampler nor our transform. It returns shares in percent
// by the keys of the program's Expected; functions that are not in it keep their own
// names. Engines are "goja" and "node".
//
// It rejects real programs, which it cannot wrap, and those marked tiny, where a
// clock costs more than a call.
func Account(ctx context.Context, program fixtures.Program, engineName string) (map[string]float64, error) {
	switch {
	case program.Expected == nil:
		return nil, fmt.Errorf("%s: its distribution is not known: only exact programs can be timed by clocks", program.Name)
	case program.Tiny:
		return nil, fmt.Errorf("%s: its calls are shorter than a reading of the clock", program.Name)
	}
	if err := fixtures.InstallNodeModules(); err != nil {
		return nil, err
	}
	var measured clocks.Measured
	var err error
	switch engineName {
	case "goja":
		measured, err = clocks.Goja(ctx, program)
	case "node":
		measured, err = clocks.V8(ctx, program)
	default:
		return nil, fmt.Errorf("no clocks for engine %q: name goja or node", engineName)
	}
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", program.Name, engineName, err)
	}
	shares, total := map[string]float64{}, measured.Total()
	for name, self := range measured.Self {
		shares[name] = 100 * self / total
	}
	return shares, nil
}
