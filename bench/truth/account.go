package truth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/fixtures/clocks"
)

// accountEngines are the engines with clocks.
var accountEngines = []string{"goja", "node", "chromium", "firefox", "webkit"}

// Account measures how much of its time a program of known distribution spends
// in each function, by clocks that are read wherever a function is entered,
// left, suspended or resumed, including recursion, exceptions, generators and async
// functions. It uses neither a sampler nor our transform. It returns shares in percent
// by the keys of the program's Expected; functions that are not in it keep their own
// names. WebKit's engine runs in its shell, since a page's clock has a resolution of a
// millisecond there.
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
	case "chromium", "firefox":
		measured.Self, err = accountInPage(ctx, program, browser.Name(engineName))
	case "webkit":
		measured.Self, err = accountInJSC(ctx, program)
	default:
		return nil, fmt.Errorf("no clocks for engine %q: name goja, node, chromium, firefox or webkit", engineName)
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

// accountInPage runs the program with its clocks in a browser.
func accountInPage(ctx context.Context, program fixtures.Program, name browser.Name) (map[string]float64, error) {
	text, err := clocks.Standalone(ctx, program)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "truth-clocks-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, filepath.Base(program.Path))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	var output bytes.Buffer
	result, err := browser.Run(name)(ctx, engine.Program{Path: path, Args: program.V8.Args, Stdout: &output, Stderr: &output}, engine.Settings{Mode: engine.Clean})
	if err := failed(ctx, result, err); err != nil {
		return nil, err
	}
	return readAccount(output.Bytes())
}

func accountInJSC(ctx context.Context, program fixtures.Program) (map[string]float64, error) {
	if err := jscAvailable(); err != nil {
		return nil, err
	}
	text, err := clocks.Standalone(ctx, program)
	if err != nil {
		return nil, err
	}
	printed, _, _, err := runJSC(ctx, text, program.Path, program.V8.Args, 0)
	if err != nil {
		return nil, err
	}
	return readAccount(printed)
}

// readAccount reads the last line of what a program with clocks printed.
func readAccount(printed []byte) (account map[string]float64, err error) {
	printed = bytes.TrimSpace(printed)
	line := printed[bytes.LastIndexByte(printed, '\n')+1:]
	if json.Unmarshal(line, &account) != nil {
		return nil, errors.New("it printed no account of its times")
	}
	return account, nil
}
