// Package engine runs one program in a JavaScript engine and returns its
// profile.
//
// Each engine is a package of its own (engine/goja, engine/node, and
// engine/browser for Chromium, Firefox and WebKitGTK). Their Run functions have the
// same shape: a Program and Settings go in, a Result comes out. The error of Run says
// what kept the program from starting, such as a missing file or a syntax error. An
// error that the program did not catch is in Result.Failure, next to the profile, which
// exists either way.
package engine

import (
	"crypto/x509"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// Program is the program to run.
type Program struct {
	Path   string    // the entry file: JavaScript or TypeScript
	Args   []string  // what follows the program's own name in process.argv
	Stdin  io.Reader // nil: nothing to read; only Node has a standard input
	Stdout io.Writer
	Stderr io.Writer
}

// Settings say how to profile it. The zero value profiles with preset
// balanced at the engine's default interval.
type Settings struct {
	transform.Selection
	Interval time.Duration // 0: DefaultInterval
	Seed     uint64        // of the clock's jitter; 0 picks one
	// After holds ticks back for so long after the program's start, as if it were recorded
	// from then on: for benchmarks of programs that have settled. In goja, and in Node
	// with shared memory, where the program must not rest meanwhile.
	After time.Duration
	// Clock says where ticks come from in Node and browsers: "shared" memory,
	// checks that "poll" the clock, or "", which means shared memory if it is
	// available. Pages whose checks poll are not isolated. goja has its own clock.
	Clock string
	// Live shows the program to a server while it runs. In browsers it does not apply:
	// instrument serve shows their pages.
	Live *Live
	// Mode is for tests and benchmarks; the zero Mode profiles.
	Mode Mode
}

// Live says which server of live profiles is shown a run.
type Live struct {
	URL string
	// Roots are the certificates that it is trusted by over HTTPS; nil: those of the system.
	Roots *x509.CertPool
	// Lost receives a line that says why there is no connection. Any goroutine may call it.
	Lost func(why string)
}

// Rule is the rule of attribution for the preset. Classic has that of Facebook's
// polyfill: a sample belongs to the function whose check took it.
func (s *Settings) Rule() profile.Rule {
	if s.Preset == transform.Classic {
		return profile.OwnFrame
	}
	return profile.BySite
}

// Instrument makes the script that runs: with the checks that the settings select, or
// with none in mode Clean. The options say the rest, such as target and file.
func (s *Settings) Instrument(code []byte, options transform.Options) (*instrumented.Script, error) {
	if s.Mode == Clean {
		return instrumented.Plain(options.File, code, options.SourceMap)
	}
	options.Selection = s.Selection
	return instrumented.Make(code, options)
}

// Fill sets the interval and the seed if they are not set.
func (s *Settings) Fill() {
	if s.Interval <= 0 {
		s.Interval = DefaultInterval
	}
	if s.Seed == 0 {
		s.Seed = rand.Uint64()
	}
}

// DefaultInterval is the gap between ticks if Settings has none.
const DefaultInterval = time.Millisecond

// Mode says what happens to the flag.
type Mode uint8

// The modes.
const (
	Profile Mode = iota // a coordinator raises the flag
	Clean               // the program runs as it is, without checks
	Idle                // the code has checks, but nothing raises the flag
	Armed               // the flag is up at every check
)

// ErrStuck says that a program could not be stopped.
var ErrStuck = errors.New("the program is inside a built-in that cannot be interrupted; its profile is lost")

// Result is the result of a run.
type Result struct {
	// Profile holds the stacks as captured, symbolized, with their site kinds:
	// profile.Attribute turns it into time per function. Nil in mode Clean.
	Profile *profile.Profile
	// Functions lists the functions of the program as profiles name them. Those that
	// the checks tell apart are flagged Checked. Nil in mode Clean.
	Functions func() []profile.Function
	// ExitCode is the code that the program passed to process.exit, 1 if it failed,
	// otherwise 0.
	ExitCode int
	// Failure is the error that the program did not catch, or nil. Its text is ready
	// to print: message and stack in original positions.
	Failure error
	// Stopped says that the context ended the run.
	Stopped bool
	// Warnings name what could not be instrumented.
	Warnings []string
	// Elapsed is how long the program ran, and CPU the processor time the
	// process spent meanwhile (0 if the system does not provide it).
	Elapsed, CPU time.Duration
}

// Warn adds the warnings of the bundler and those of the script's transform.
func (r *Result) Warn(bundler []string, script *instrumented.Script) {
	r.Warnings = append(r.Warnings, bundler...)
	for _, w := range script.Warnings {
		r.Warnings = append(r.Warnings, w.String())
	}
}

// Describe adds the script's functions, unless it ran without checks, and to the
// profile, if there is one, its program and preset.
func (r *Result) Describe(program Program, settings *Settings, script *instrumented.Script) {
	if settings.Mode != Clean {
		symbols := script.Symbols()
		r.Functions = symbols.Functions
	}
	if r.Profile != nil {
		r.Profile.Meta.Program, r.Profile.Meta.Preset = program.Path, settings.Label()
	}
}
