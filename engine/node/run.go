package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/engine/protocol"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// patience is how long a program may take to notice that it must stop, and to write its
// recording. It includes the two seconds that the runtime gives a program to react to a
// signal itself.
const patience = 15 * time.Second

// ErrMissing says that there is no Node.
var ErrMissing = errors.New("there is no node on the PATH: install Node.js 20 or newer (https://nodejs.org; on Debian: apt-get install nodejs)")

// order adds to an order where files are.
type order struct {
	protocol.Order
	Script string `json:"script"`         // the bundle
	Job    bool   `json:"job,omitempty"`  // it runs in a promise job, as an ES module does
	Report string `json:"report"`         // where the report goes
	Stop   string `json:"stop"`           // a file whose existence means stop
	Live   string `json:"live,omitempty"` // how the files with what is streamed begin
}

// Bundle makes the script as which a program runs, before checks are inserted.
func Bundle(path string) (*bundle.Bundle, error) {
	return bundle.Make(path, bundle.Target{Engine: "node", Node: true, Await: true})
}

// Run runs a program until it ends or the context does, and profiles it.
func Run(ctx context.Context, program engine.Program, settings engine.Settings) (*engine.Result, error) {
	return Command{}.Run(ctx, program, settings)
}

// RunWith is Run with options for node itself.
func RunWith(ctx context.Context, program engine.Program, settings engine.Settings, options ...string) (*engine.Result, error) {
	return Command{Options: options}.Run(ctx, program, settings)
}

// Command is how node is started.
type Command struct {
	Path    string // of the executable; "": the node on the PATH
	Options []string
}

// Run runs a program until it ends or the context does, and profiles it.
func (c Command) Run(ctx context.Context, program engine.Program, settings engine.Settings) (*engine.Result, error) {
	b, err := Bundle(program.Path)
	if err != nil {
		return nil, err
	}
	node := c.Path
	if node == "" {
		if node, err = exec.LookPath("node"); err != nil {
			return nil, ErrMissing
		}
	}
	folder, err := os.MkdirTemp("", "instrument-node-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if folder, err = filepath.EvalSymlinks(folder); err != nil { // the form in which modules are named
		return nil, err
	}
	r := &run{node: node, options: c.Options, folder: folder, program: program, settings: settings}
	if err := r.prepare(b); err != nil {
		return nil, fmt.Errorf("%s: %w", program.Path, err)
	}
	return r.toEnd(ctx)
}

// fileURL is the URL of a file as Node spells it.
func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	var b strings.Builder
	b.WriteString("file://")
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#%<>?[\\]^`{|}~", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// run is one running program.
type run struct {
	node, folder string
	options      []string
	program      engine.Program
	settings     engine.Settings
	script       *instrumented.Script
	order        order
	outcome      engine.Result
}

// The files of the folder.
const (
	launcherFile = "node.cjs" // from package runtime
	checksFile   = "checks.mjs"
	orderFile    = "order.json"
)

// prepare instruments the program and fills the folder.
func (r *run) prepare(b *bundle.Bundle) error {
	absolute, err := filepath.Abs(r.program.Path)
	if err != nil {
		return err
	}
	r.settings.Fill()
	in := func(name string) string { return filepath.Join(r.folder, name) }
	r.order = order{
		Order:  protocol.NewOrder(absolute, r.program.Args, b.Module, r.settings),
		Script: in("bundle.js"), Job: b.ESM, Report: in("report.json"), Stop: in("stop"),
	}
	if r.settings.Live != nil {
		r.order.Live = in("live")
	}
	file, goal := r.order.Script, transform.FunctionBody
	if b.Module {
		r.order.Script = in("bundle.mjs")
		file, goal = fileURL(r.order.Script), transform.Module
	}
	r.script, err = r.settings.Instrument(b.Code, transform.Options{
		File: file, Target: transform.Web, Goal: goal, SourceMap: b.SourceMap, ChecksModule: "./" + checksFile,
		Acyclic: true, // nothing imports the bundle
	})
	if err != nil {
		return err
	}
	r.outcome.Warn(b.Warnings, r.script)
	launcher, err := fs.ReadFile(runtime.Runners(), launcherFile)
	if err != nil {
		return err
	}
	checks, err := fs.ReadFile(runtime.Files(), checksFile)
	if err != nil {
		return err
	}
	text, err := json.Marshal(r.order)
	if err != nil {
		return err
	}
	for path, content := range map[string][]byte{r.order.Script: r.script.Code, in(launcherFile): launcher, in(checksFile): checks, in(orderFile): text} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// toEnd runs the program until its process ends.
func (r *run) toEnd(ctx context.Context) (*engine.Result, error) {
	cmd := exec.Command(r.node, append(r.options, filepath.Join(r.folder, launcherFile), filepath.Join(r.folder, orderFile))...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r.program.Stdin, r.program.Stdout, r.program.Stderr
	cmd.WaitDelay = time.Second // in case a child of the program still holds its streams
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer r.show()()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // the process's state has the error, too
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		if err := r.stop(ctx, cmd, ended); err != nil {
			return nil, err
		}
	}
	return r.result(ctx, cmd.ProcessState)
}

// stop ends a running program because the context ended.
func (r *run) stop(ctx context.Context, cmd *exec.Cmd, ended <-chan struct{}) error {
	kill := func(why error) error {
		_ = cmd.Process.Kill()
		<-ended
		return why
	}
	if r.settings.Mode != engine.Profile { // the program does not watch for the file
		return kill(nil)
	}
	how := "now"
	if errors.Is(ctx.Err(), context.Canceled) {
		how = "signal"
	}
	if err := os.WriteFile(r.order.Stop, []byte(how), 0o600); err != nil {
		return kill(err)
	}
	select {
	case <-ended:
		return nil
	case <-time.After(patience):
		return kill(engine.ErrStuck)
	}
}

// result assembles the result of the run.
func (r *run) result(ctx context.Context, state *os.ProcessState) (*engine.Result, error) {
	result := &r.outcome
	defer func() { result.Describe(r.program, &r.settings, r.script) }()
	text, err := os.ReadFile(r.order.Report)
	if err != nil {
		if r.settings.Mode != engine.Profile {
			result.Stopped = ctx.Err() != nil
			result.ExitCode = state.ExitCode()
			return result, nil
		}
		return nil, fmt.Errorf("node ended (%v) before it could write its profile, which is lost", state)
	}
	report, err := protocol.ReadReport(text)
	if err != nil {
		return nil, err
	}
	report.Fill(result, r.script)
	if !report.Stopped {
		result.ExitCode = state.ExitCode()
	}
	if r.settings.Mode == engine.Profile {
		result.Profile = report.Recording.Profile(r.script, r.isOurs)
		result.Profile.Meta.Engine = "node"
	}
	return result, nil
}

// isOurs reports whether a file has code that started the program.
func (r *run) isOurs(url string) bool {
	return url == filepath.Join(r.folder, launcherFile) || strings.HasPrefix(url, "node:internal/")
}
