package service

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// MaxRequests is how many requests may wait for their answers.
const MaxRequests = 64

// Serve answers requests from in on out until in ends, and returns nil, or until the
// input is invalid, and returns an error. It does not wait for requests that are still
// in progress.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &service{ctx: ctx, in: bufio.NewReaderSize(in, 1<<16), out: out, inputs: received{}, atWork: map[uint64]context.CancelFunc{}}
	err := s.greet()
	for err == nil {
		err = s.read()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	_ = s.write(failed{Kind: kindError, Text: err.Error()}) // to whom it may concern
	return err
}

// service is one client's.
type service struct {
	ctx    context.Context
	in     io.Reader
	inputs received // touched by the reader only

	mu      sync.Mutex // of what follows
	out     io.Writer
	outputs sent
	caches  caches
	folders folders
	atWork  map[uint64]context.CancelFunc
}

// greet exchanges hellos.
func (s *service) greet() error {
	head, _, err := readFrame(s.in, maxHello, 0)
	if errors.Is(err, io.EOF) {
		return err
	}
	var theirs hello
	if err != nil || json.Unmarshal(head, &theirs) != nil || theirs.Kind != kindHello {
		return errors.New("what came in is not the hello of a client: `instrument service` is started by the npm packages of fieldprof, and speaks with nobody else")
	}
	if theirs.Protocol != Protocol || theirs.Version != release.Version {
		return fmt.Errorf("the client is fieldprof %s (protocol %d) and the program is fieldprof %s (protocol %d): install the same version of both", theirs.Version, theirs.Protocol, release.Version, Protocol)
	}
	return s.write(hello{kindHello, Protocol, release.Version})
}

// read takes one request in. Changes of the stock happen here, in the order of
// the requests; the work goes on by itself.
func (s *service) read() error {
	head, body, err := readFrame(s.in, MaxHead, MaxBody)
	if err != nil {
		return err
	}
	var r request
	if err := json.Unmarshal(head, &r); err != nil {
		return fmt.Errorf("a head that cannot be read: %w", err)
	}
	if r.ID == 0 {
		return fmt.Errorf("a request %q without an id", r.Kind)
	}
	if r.Kind != kindInstrument && r.Kind != kindWrite && len(body) > 0 {
		return fmt.Errorf("a request %q with a body", r.Kind)
	}
	switch r.Kind {
	case kindCancel:
		s.cancel(r.ID)
	case kindSalt:
		return s.start(r.ID, func(context.Context) error { return s.salt(&r) })
	case kindInstrument, kindWrite:
		files, err := s.inputs.take(r.Files, r.Forget, body)
		if err != nil {
			return err
		}
		work := s.instrument
		if r.Kind == kindWrite {
			work = s.writeTree
		}
		return s.start(r.ID, func(ctx context.Context) error { return work(ctx, &r, files) })
	default:
		return fmt.Errorf("a request %q, which is not known", r.Kind)
	}
	return nil
}

// start works on a request next to the others.
func (s *service) start(id uint64, work func(context.Context) error) error {
	ctx, err := s.begin(id)
	if err != nil {
		return err
	}
	go func() {
		if err := work(ctx); err != nil {
			s.fail(id, err)
		}
	}()
	return nil
}

// begin notes that a request is being worked on.
func (s *service) begin(id uint64) (context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, twice := s.atWork[id]; twice {
		return nil, fmt.Errorf("two requests with the id %d", id)
	}
	if len(s.atWork) == MaxRequests {
		return nil, fmt.Errorf("more than %d requests at a time", MaxRequests)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.atWork[id] = cancel
	return ctx, nil
}

// cancel ends work on a request, if there is any.
func (s *service) cancel(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.atWork[id]; ok {
		cancel()
	}
}

// write sends an answer without files.
func (s *service) write(head any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return writeFrame(s.out, head, nil)
}

// answer sends the last message about a request. From then on its id is free.
func (s *service) answer(id uint64, head any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done(id)
	return writeFrame(s.out, head, nil)
}

// done forgets a request; the caller holds the lock.
func (s *service) done(id uint64) {
	if cancel, ok := s.atWork[id]; ok {
		cancel()
		delete(s.atWork, id)
	}
}

// fail answers with an error.
func (s *service) fail(id uint64, err error) {
	said := failed{Kind: kindError, ID: id, Text: err.Error()}
	if wrong := (*optionError)(nil); errors.As(err, &wrong) {
		said.Option = wrong.option
	}
	if unwritten := (*writeError)(nil); errors.As(err, &unwritten) {
		said.Writing = true
	}
	_ = s.answer(id, said) // a client that does not listen has gone, and the input ends, too
}

func (s *service) salt(r *request) error {
	o, err := decodeOptions(r.Options)
	if err != nil {
		return err
	}
	return s.answer(r.ID, salted{kindSalted, r.ID, o.Salt()})
}

// make instruments the tree of a request. A tree without scripts and pages stays as it is: bundlers have outputs of
// styles or of types alone, some of them in the folder of another output.
func (s *service) make(ctx context.Context, r *request, files []builddir.File) ([]builddir.File, *builddir.Report, error) {
	o, err := decodeOptions(r.Options)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	known := s.caches.take(string(r.Options), files)
	s.mu.Unlock()
	o.Cache = known.cache
	made, report, err := builddir.Files(ctx, files, o)
	s.mu.Lock()
	s.caches.give(known)
	s.mu.Unlock()
	if ctx.Err() != nil {
		return nil, nil, errCancelled
	}
	if err == nil && report.Scripts+report.Pages == 0 {
		made = slices.DeleteFunc(made, func(f builddir.File) bool { return strings.HasPrefix(f.Path, builddir.Folder+"/") })
	}
	return made, report, err
}

func (s *service) instrument(ctx context.Context, r *request, files []builddir.File) error {
	made, report, err := s.make(ctx, r, files)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// The stock changes with what is written, so that numbers mean the same on
	// both sides whatever comes between.
	named, forget, body := s.outputs.name(made, files)
	s.done(r.ID)
	err = writeFrame(s.out, instrumented{kindInstrumented, r.ID, named, forget, messages(report.Warnings, files), report}, body)
	if errors.Is(err, errTooLarge) {
		s.outputs = sent{last: s.outputs.last} // what was named was not sent
	}
	return err
}

// writeTree instruments a tree and writes it to a folder, for a client that wants
// it there and nowhere else.
func (s *service) writeTree(ctx context.Context, r *request, files []builddir.File) error {
	if !filepath.IsAbs(r.Into) {
		return fmt.Errorf("%q is no absolute path of a folder to write to", r.Into)
	}
	made, report, err := s.make(ctx, r, files)
	if err != nil {
		return err
	}
	answer := writtenTree{kindWritten, r.ID, make([]sized, len(made)), messages(report.Warnings, files), report}
	for i, f := range made {
		answer.Files[i] = sized{f.Path, len(f.Data)}
	}
	if !r.Careful || len(report.Warnings) == 0 {
		if err := s.folders.write(r.Into, r.Base, made); err != nil {
			return err
		}
	}
	return s.answer(r.ID, answer)
}

// errCancelled answers a request that was taken back.
var errCancelled = errors.New("cancelled")
