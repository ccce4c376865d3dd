package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/engine/protocol"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// opening is how long a browser may take to open its page, and reopening one that is started because
// the first did not. They end what hangs, as WebKit does once in hundreds of times: on a busy machine
// Firefox has taken more than a minute.
var (
	opening   = 2 * time.Minute
	reopening = 3 * time.Minute
)

// patience is how long a program may take to notice that it must stop: a busy page asks once
// a second, and then sends its recording.
const patience = 15 * time.Second

var errAfter = errors.New("in a page ticks cannot be held back")

// Run returns the function that runs a program in a browser until it ends or the
// context does, and profiles it. That function's error is a MissingError if the browser
// is not installed.
func Run(name Name) func(context.Context, engine.Program, engine.Settings) (*engine.Result, error) {
	return func(ctx context.Context, program engine.Program, settings engine.Settings) (*engine.Result, error) {
		result, _, err := runBeside(ctx, name, program, settings, nil)
		return result, err
	}
}

func runBeside(ctx context.Context, name Name, program engine.Program, settings engine.Settings, beside *Beside) (*engine.Result, []byte, error) {
	if settings.After > 0 {
		return nil, nil, errAfter
	}
	b, err := Bundle(name, program.Path)
	if err != nil {
		return nil, nil, err
	}
	if _, err := Find(name); err != nil {
		return nil, nil, err
	}
	h, err := newHost(program, settings.Clock != "poll", beside)
	if err != nil {
		return nil, nil, err
	}
	defer h.close()
	if beside != nil && beside.Around != nil {
		h.prepareAround(ctx)
	}
	r := &run{name: name, host: h, program: program, settings: settings}
	if err := r.prepare(b); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", program.Path, err)
	}
	result, err := r.inWindow(ctx, opening)
	if errors.As(err, new(*unopenedError)) {
		result, err = r.inWindow(ctx, reopening)
	}
	return result, h.said, err
}

// run is one running program.
type run struct {
	name     Name
	host     *host
	program  engine.Program
	settings engine.Settings
	script   *instrumented.Script
	outcome  engine.Result
}

// prepare instruments the program and makes the files of the page.
func (r *run) prepare(b *bundle.Bundle) error {
	r.settings.Fill()
	directory, err := os.Getwd()
	if err != nil {
		return err
	}
	o := order{
		Order:  protocol.NewOrder(r.program.Path, r.program.Args, b.Module, r.settings),
		Engine: string(r.name), Directory: directory, Env: environment(), Script: r.host.base + "bundle.js",
	}
	goal := transform.Script
	if b.Module {
		goal = transform.Module
	}
	r.script, err = r.settings.Instrument(b.Code, transform.Options{
		File: o.Script, Target: transform.Web, Goal: goal, SourceMap: b.SourceMap,
		Preloaded: true, Acyclic: true, // page.js brings the runtime, and nothing imports the bundle
	})
	if err != nil {
		return err
	}
	r.outcome.Warn(b.Warnings, r.script)
	files := map[string][]byte{"bundle.js": r.script.Code}
	first := ""
	if r.host.beside != nil && r.host.beside.Script != nil {
		first = besideScript
		files[first] = r.host.beside.Script
	}
	if files[""], err = page(&o, first); err != nil {
		return err
	}
	if files["page.js"], err = fs.ReadFile(runtime.Runners(), "page.js"); err != nil {
		return err
	}
	r.host.serve(files)
	return nil
}

func environment() map[string]string {
	env := map[string]string{}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	return env
}

// inWindow runs the program in a browser that it starts for it. Its error is an unopenedError if
// that browser does not open the page in time: no code of the program has run then.
func (r *run) inWindow(ctx context.Context, inTime time.Duration) (*engine.Result, error) {
	w, err := open(r.name, r.host.base, r.settings.Clock != "poll", r.host.beside)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", r.name, err)
	}
	defer w.close()
	return r.toEnd(ctx, w, inTime)
}

// unopenedError is the error for a browser that did not open its page.
type unopenedError struct{ error }

// toEnd waits for the end of the program, or of its page.
func (r *run) toEnd(ctx context.Context, w *window, inTime time.Duration) (*engine.Result, error) {
	late := time.After(inTime)
	loaded := r.host.loaded
	for {
		select {
		case <-loaded:
			late, loaded = nil, nil
		case <-r.host.reported:
			if r.host.beside != nil {
				if err := r.finishing(ctx, w); err != nil {
					return nil, err
				}
			}
			return r.result()
		case <-w.ended:
			return nil, r.endedEarly(w)
		case <-r.host.lifeline.lost:
			return nil, r.gone("has lost its page: it crashed, or the program left it", w)
		case <-late:
			return nil, &unopenedError{r.gone(fmt.Sprintf("did not open its page within %v", inTime), w)}
		case <-ctx.Done():
			return r.stop()
		}
	}
}

// endedEarly is the error for a browser that ended before the program did.
func (r *run) endedEarly(w *window) error {
	select {
	case <-r.host.loaded:
		return r.gone("ended before the program did", w)
	default:
		return &unopenedError{r.gone("ended before it had opened its page", w)}
	}
}

// gone is the error for a browser that failed.
func (r *run) gone(what string, w *window) error {
	if said := w.said.String(); said != "" {
		return fmt.Errorf("%s %s; it said:\n%s", r.name, what, said)
	}
	return fmt.Errorf("%s %s", r.name, what)
}

// stop ends the program because the context ended.
func (r *run) stop() (*engine.Result, error) {
	close(r.host.stopping)
	stopped := &protocol.Report{Stopped: true}
	if r.settings.Mode != engine.Profile { // the page does not ask
		return r.resultOf(stopped), nil
	}
	select {
	case <-r.host.loaded:
	default: // nothing ran so far
		return r.resultOf(stopped), nil
	}
	select {
	case <-r.host.reported:
		return r.result()
	case <-time.After(patience):
		return nil, engine.ErrStuck
	}
}

func (r *run) result() (*engine.Result, error) {
	if r.host.wrong != nil {
		return nil, r.host.wrong
	}
	return r.resultOf(r.host.report), nil
}

// resultOf assembles the result of the run.
func (r *run) resultOf(report *protocol.Report) *engine.Result {
	result := &r.outcome
	report.Fill(result, r.script)
	if r.name == WebKit { // it never shares memory, which needs no warning
		result.Warnings = slices.DeleteFunc(result.Warnings, func(w string) bool { return strings.HasPrefix(w, "clock: ") })
	}
	if r.settings.Mode == engine.Profile {
		pageScript := r.host.base + "page.js"
		result.Profile = report.Recording.Profile(r.script, func(url string) bool { return url == pageScript })
		result.Profile.Meta.Engine = string(r.name)
	}
	result.Describe(r.program, &r.settings, r.script)
	return result
}
