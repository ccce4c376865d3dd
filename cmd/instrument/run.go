package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/internal/serve/certificate"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live/client"
	"github.com/fieldprof/fieldprof/profile/view"
)

// runner is the Run of an engine.
type runner func(context.Context, engine.Program, engine.Settings) (*engine.Result, error)

// engines by the name that --engine gives them.
var engines = map[string]runner{
	"goja":     goja.Run,
	"node":     node.Run,
	"chromium": browser.Run(browser.Chromium),
	"firefox":  browser.Run(browser.Firefox),
	"webkit":   browser.Run(browser.WebKit),
}

// engineNames lists them for help and messages.
const engineNames = "goja, node, chromium, firefox or webkit"

// presetNames lists the presets for help.
const presetNames = "classic, balanced, fine or precise"

// runFlags are the flags of instrument run, as given.
type runFlags struct {
	engine string
	clock  string
	presetFlags
	interval time.Duration
	output   string
	top      int
	timeout  time.Duration
	seed     uint64
	json     bool
	live     string
}

func newRun(stdout, stderr io.Writer) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] app.js [-- args]",
		Short: "Run a program and profile it",
		Long: `Run a JavaScript or TypeScript program in goja, which is embedded, or with --engine
in Node or a browser that is installed, and profile it. Imports are bundled first:
ES modules, CommonJS, TypeScript, JSX, packages in node_modules. The program's
output is left alone; the table of the profile goes to standard error.`,
		Example: `  instrument run app.js
  instrument run -o app.cpuprofile app.ts      # opens in DevTools and VS Code
  instrument run --preset precise --top 5 app.js
  instrument run --engine firefox app.js
  instrument run --live http://localhost:8080 app.js
  instrument run --timeout 10s server.js -- --port 8080`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runProgram(cmd.Context(), f, args, cmd.ArgsLenAtDash(), stdout, stderr)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.engine, "engine", "goja", "`name` of the engine: "+engineNames)
	flags.StringVar(&f.clock, "clock", "auto", "`name` of the clock in Node and browsers: shared (a worker raises ticks in shared memory), poll (checks read the time), or auto")
	f.presetFlags.addTo(flags)
	flags.DurationVar(&f.interval, "interval", engine.DefaultInterval, "time between ticks")
	flags.StringVarP(&f.output, "output", "o", "", "write the profile to `file`, in the format that its extension names")
	flags.IntVar(&f.top, "top", 20, "rows of the table (0: no table)")
	flags.DurationVar(&f.timeout, "timeout", 0, "stop the program after this long (0: never)")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the clock's jitter (0: a new one for each run)")
	flags.StringVar(&f.live, "live", "", "show the run while it goes on, in goja or Node, in the panel of the instrument serve at `URL`")
	flags.BoolVar(&f.json, "json", false, "print the table and the health line as JSON to standard output, and the program's output to standard error")
	return cmd
}

// settings checks the flags.
func (f *runFlags) settings() (engine.Settings, error) {
	s := engine.Settings{Interval: f.interval, Seed: f.seed, Clock: f.clock}
	var err error
	if s.Selection, err = f.selection(); err != nil {
		return s, err
	}
	switch {
	case f.clock != "auto" && f.clock != "shared" && f.clock != "poll":
		return s, usageError("--clock %s: choose auto, shared or poll", f.clock)
	case f.clock != "auto" && f.engine == "goja":
		return s, usageError("--clock %s: goja has its own clock", f.clock)
	case engines[f.engine] == nil:
		return s, usageError("--engine: no engine %q: choose %s", f.engine, engineNames)
	case f.interval <= 0:
		return s, usageError("--interval %v: the gap between ticks must be above zero, such as 1ms", f.interval)
	case f.interval < minInterval:
		return s, usageError("--interval %v: the shortest gap between ticks is %v", f.interval, minInterval)
	case f.live != "" && f.interval > maxLiveInterval:
		return s, usageError("--interval %v: the longest gap between ticks of a live profile is %v", f.interval, maxLiveInterval)
	case f.timeout < 0:
		return s, usageError("--timeout %v: a duration must not be negative, such as 10s", f.timeout)
	case f.live != "" && f.engine != "goja" && f.engine != "node":
		return s, usageError("--live: only goja and Node show a run; for pages open the site with instrument serve")
	case f.top < 0:
		return s, usageError("--top %d: a number of rows must not be negative", f.top)
	}
	return s, nil
}

// minInterval is the shortest gap the clock can keep.
const minInterval = 50 * time.Microsecond

// maxLiveInterval is the longest gap of which the protocol of live profiles knows (docs/live.md).
const maxLiveInterval = time.Minute

// runProgram is instrument run.
func runProgram(ctx context.Context, f runFlags, args []string, dash int, stdout, stderr io.Writer) error {
	settings, err := f.settings()
	if err != nil {
		return err
	}
	switch {
	case dash < 0:
		dash = len(args)
	case dash == 0 && len(args) > 0:
		dash = 1 // as for other commands, a name that begins with a dash may follow --
	}
	switch {
	case dash == 0:
		return usageError("name a program: instrument run app.js")
	case dash > 1:
		return usageError("one program at a time, not %q; its arguments go after --, as in instrument run %s -- %s", args[:dash], args[0], args[1])
	}
	program := engine.Program{Path: args[0], Args: args[dash:], Stdin: os.Stdin, Stdout: stdout, Stderr: stderr}
	if f.json {
		program.Stdout = stderr
	}
	if f.live != "" {
		if _, err := client.Endpoint(f.live); err != nil {
			return usageError("--live: %v", err)
		}
		settings.Live = &engine.Live{URL: f.live, Roots: certificate.Trusted(""), Lost: func(why string) {
			fmt.Fprintf(stderr, "instrument: warning: --live: %s\n", why)
		}}
	}
	var out *output
	if f.output != "" {
		if out, err = openOutput(f.output); err != nil {
			return err
		}
		defer out.Discard()
	}
	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	if f.timeout > 0 {
		var cancel context.CancelFunc
		running, cancel = context.WithTimeout(running, f.timeout)
		defer cancel()
	}
	defer outlivePipes()()
	if f.engine != "node" { // which gets the streams themselves, and does with them as Node does
		program.Stdout, program.Stderr = watched{program.Stdout, end}, watched{program.Stderr, end}
	}
	result, err := engines[f.engine](running, program, settings)
	if err != nil {
		return err
	}
	err = finish(running, &f, &settings, result, out, watched{stdout, end}, watched{stderr, end})
	if errors.Is(err, syscall.EPIPE) {
		return &exitError{code: exitUnread}
	}
	return err
}

// finish writes and prints the result of a run, and chooses the exit code.
func finish(running context.Context, f *runFlags, settings *engine.Settings, result *engine.Result, out *output, stdout, stderr io.Writer) error {
	for _, w := range result.Warnings {
		fmt.Fprintf(stderr, "instrument: warning: %v\n", w)
	}
	if result.Failure != nil {
		fmt.Fprintln(stderr, result.Failure)
	}
	attributed := profile.Attribute(result.Profile, settings.Rule())
	if out != nil {
		if err := out.write(attributed); err != nil {
			return err
		}
	}
	if f.json {
		table := view.NewTop(attributed, f.top)
		if f.top == 0 { // none, where view means all
			table.Functions = []view.TopRow{}
		}
		if err := view.EncodeJSON(stdout, table); err != nil {
			return err
		}
	} else {
		if f.top > 0 {
			view.WriteTop(stderr, attributed, f.top)
		}
		fmt.Fprintln(stderr, attributed.HealthLine()) // the warnings have said what was lost
	}
	switch why := context.Cause(running); {
	case errors.Is(why, errUnread):
		return &exitError{code: exitUnread}
	case errors.Is(running.Err(), context.Canceled):
		return &exitError{exitInterrupted, "interrupted; the profile has what ran until then"}
	case result.Stopped:
		fmt.Fprintf(stderr, "instrument: stopped after %v (--timeout)\n", f.timeout)
		return nil
	case result.ExitCode != 0:
		return &exitError{code: result.ExitCode}
	}
	return nil
}
