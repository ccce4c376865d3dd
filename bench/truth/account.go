package truth

import (
	"context"
	"fmt"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/fixtures/clocks"
)

// Account measures how much of its time a program of known distribution spends
// in each function, by clocks that are read wherever a function is entered,
// left, suspended or resumed; recursion, exceptions, generators and async
// functions included. It knows no sampler and nothing of our transform. It gives
// shares in percent by the keys of the program's Expected, and by their own names
// for functions that are not in it. Engines are "goja" and "node".
//
// It refuses real programs, which it cannot wrap, and those marked tiny, where a
// clock costs more than a call.
func Account(ctx context.Context, program fixtures.Program, engineName string) (map[string]float64, error) {
	switch {
	case program.Expected == nil:
		return nil, fmt.Errorf("%s: its distribution is not known: there are clocks for the exact programs alone", program.Name)
	case program.Tiny:
		return nil, fmt.Errorf("%s: its calls are shorter than the reading of a clock", program.Name)
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
		return nil, fmt.Errorf("there are no clocks for engine %q: name goja or node", engineName)
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
