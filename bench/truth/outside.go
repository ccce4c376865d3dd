package truth

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// outside is the sampler's name.
const outside = "goja-outside"

// ExactOnly reports whether a sampler runs exact programs only, because it has no bundler.
func (s *Sampler) ExactOnly() bool { return s.Name == outside }

// sampleOutside runs a program in goja in another process and reads, at random moments,
// from that process's memory which function is running. It has nothing in common with
// the sampler of goja.go or with our profiles: neither the clock (the system's, in a
// process that does nothing else), nor goja's cooperation (it notices nothing, and is
// read in the middle of instructions), nor the names, which are goja's own for the
// source as it is, without a bundler or a source map. So it runs exact programs only,
// and knows self time only: a stack is one function.
func sampleOutside(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	if program.Expected == nil && program.Packs == nil {
		return nil, errors.New("only exact programs run without a bundler")
	}
	c, err := startChild(ctx, program, s.arguments(program.Goja))
	if err != nil {
		return nil, err
	}
	defer c.end()
	o := outsider{memory: memoryOf(c.cmd.Process.Pid), machine: c.greeting.Machine, sources: c.greeting.Sources, known: map[uint64]bool{}}
	interval := s.interval(gojaInterval)
	ended := c.run()
	began := time.Now()
	for running := true; running; {
		sleep(time.Duration(rand.ExpFloat64() * float64(interval)))
		select {
		case err = <-ended:
			running = false
		default:
			o.sample(time.Since(began))
		}
	}
	if err != nil {
		return nil, err
	}
	functions, err := c.describe(o.seen())
	if err != nil {
		return nil, err
	}
	cpu, err := c.wait()
	if err != nil {
		return nil, err
	}
	p, err := o.profile(functions, profile.Meta{Interval: interval, Engine: "goja", Program: program.Path, Clock: "another process"})
	return &Run{Profile: p, CPU: cpu, Output: c.output.Bytes()}, err
}

// outsider reads the memory of a process with goja in it.
type outsider struct {
	memory  memory
	machine uint64   // the address of the virtual machine
	sources []uint64 // the addresses of the program's sources
	known   map[uint64]bool
	samples []outsideSample
}

// outsideSample is the address of the running function's code; 0 if nothing was running.
type outsideSample struct {
	time time.Duration
	code uint64
}

// sample reads which function is running. A builtin has no code: its time goes to the
// nearest caller that has some. The machine goes on meanwhile, but each word is read as a
// whole; an address that is then no code of the program is dropped.
func (o *outsider) sample(at time.Duration) {
	words := o.memory.read(o.machine+gojaLayout.code, gojaLayout.callers-gojaLayout.code+16)
	if words == nil {
		return
	}
	code := binary.NativeEndian.Uint64(words)
	header := words[gojaLayout.callers-gojaLayout.code:]
	callers, depth := binary.NativeEndian.Uint64(header), binary.NativeEndian.Uint64(header[8:])
	for ; code == 0 && depth > 0 && depth < 1<<20; depth-- {
		caller := o.memory.read(callers+(depth-1)*gojaLayout.caller+gojaLayout.callerCode, 8)
		if caller == nil {
			return
		}
		code = binary.NativeEndian.Uint64(caller)
	}
	if code == 0 || o.isCode(code) {
		o.samples = append(o.samples, outsideSample{at, code})
	}
}

// isCode reports whether compiled code of the program is at an address: it refers to a
// source.
func (o *outsider) isCode(code uint64) bool {
	is, ok := o.known[code]
	if !ok {
		source := o.memory.read(code+gojaLayout.codeSource, 8)
		is = source != nil && slices.Contains(o.sources, binary.NativeEndian.Uint64(source))
		o.known[code] = is
	}
	return is
}

// seen are the addresses of code.
func (o *outsider) seen() []uint64 {
	var list []uint64
	for code, is := range o.known {
		if is {
			list = append(list, code)
		}
	}
	slices.Sort(list)
	return list
}

// profile makes a profile of the samples from the first in the program to the last.
func (o *outsider) profile(functions map[uint64]profile.Function, meta profile.Meta) (*profile.Profile, error) {
	in := func(s outsideSample) bool { return s.code != 0 }
	first := slices.IndexFunc(o.samples, in)
	b := profile.Builder{Meta: meta}
	if first < 0 {
		return b.Profile(), nil
	}
	last := len(o.samples)
	for !in(o.samples[last-1]) {
		last--
	}
	for _, s := range o.samples[first:last] {
		sample := profile.Sample{Time: int64(s.time - o.samples[first].time), Weight: 1, Kind: profile.Own}
		if in(s) {
			f := functions[s.code]
			sample.Stack = b.Stack(profile.NoStack, b.Frame(b.Function(f), f.Line, f.Column))
		} else {
			sample.Kind, sample.Stack = profile.Idle, b.Pseudo(profile.NoStack, profile.NameIdle)
		}
		b.Sample(sample)
	}
	b.Meta.Duration = o.samples[last-1].time - o.samples[first].time
	p := b.Profile()
	return p, p.CheckValid()
}

// child is the process with goja in it. It says where things are, is told to run, says
// that it has, and is asked which functions are at the addresses.
type child struct {
	cmd      *exec.Cmd
	greeting greeting
	output   bytes.Buffer
	orders   *json.Encoder
	answers  *json.Decoder
	close    func()
}

// greeting are the addresses of a child's virtual machine and of its program's sources.
type greeting struct {
	Machine uint64
	Sources []uint64
	Failed  string
}

// startChild starts this executable again, whose main calls Child.
func startChild(ctx context.Context, program fixtures.Program, args []string) (*child, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	order := childOrder{Path: program.Path, Args: args}
	for _, p := range program.Packs {
		order.Packs = append(order.Packs, p.Path)
	}
	text, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	theirs, answers, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.CommandContext(ctx, executable), answers: json.NewDecoder(theirs), close: func() { theirs.Close() }}
	c.cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	c.cmd.Stdout, c.cmd.Stderr = &c.output, &c.output
	c.cmd.ExtraFiles = []*os.File{answers}
	orders, err := c.cmd.StdinPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	answers.Close()
	if err != nil {
		c.close()
		return nil, err
	}
	c.orders = json.NewEncoder(orders)
	if err := c.hear(&c.greeting); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// hear reads an answer.
func (c *child) hear(answer any) error {
	if err := c.answers.Decode(answer); err != nil {
		_ = c.cmd.Wait()
		return fmt.Errorf("the process with goja ended: %w\n%s", err, lastBytes(c.output.Bytes()))
	}
	return nil
}

// run has the program run. Its end comes on the channel.
func (c *child) run() <-chan error {
	ended := make(chan error, 1)
	go func() {
		var end greeting
		err := c.orders.Encode("run")
		if err == nil {
			err = c.hear(&end)
		}
		if err == nil && end.Failed != "" {
			err = errors.New(end.Failed)
		}
		ended <- err
	}()
	return ended
}

// describe asks which functions are at the addresses.
func (c *child) describe(code []uint64) (map[uint64]profile.Function, error) {
	if err := c.orders.Encode(code); err != nil {
		return nil, err
	}
	functions := map[uint64]profile.Function{}
	return functions, c.hear(&functions)
}

// wait waits for the end of the process, and returns its processor time.
func (c *child) wait() (time.Duration, error) {
	if err := c.cmd.Wait(); err != nil {
		return 0, err
	}
	return c.cmd.ProcessState.UserTime() + c.cmd.ProcessState.SystemTime(), nil
}

func (c *child) end() {
	if c.cmd.ProcessState == nil {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
	}
	c.close()
}
