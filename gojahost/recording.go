package gojahost

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// recording is what one host records, or all hosts of a pool together. Hosts add to it
// from their goroutines, and any goroutine may read it: a reader that holds the lock copies
// references and the runs of ticks outside the program, and formats nothing.
type recording struct {
	coordinator *coordinator.Coordinator
	options     Options
	cpu         thread
	goSide      atomic.Pointer[goRecording] // while Go is recorded, too

	mu      sync.Mutex // guards what follows
	ring    recorder
	members map[int32]*member // by their host's number
	last    int32             // number
	outside goneRuns
	skid    *coordinator.Histogram
	base    int64         // when it was last emptied; 0: never
	missed  int64         // deadlines by then
	made    int64         // and by when it was made
	ended   profile.Ticks // the accounts of runtimes that are gone
	size    atomic.Int32  // how many members there are, readable without the lock

	known   sync.RWMutex // guards what follows
	scripts scripts
	natives natives
	stats   transform.Stats // of the scripts
	tags    tagTable
	meters  meters
}

// member is a runtime of a recording. It does not refer to its host, which may be
// dropped at any time.
type member struct {
	counter *coordinator.Counter
	missed  int64 // of its account when the recording was last emptied
	dropped int64
}

func newRecording(c *coordinator.Coordinator, options Options) *recording {
	options = options.withDefaults()
	r := &recording{
		coordinator: c, options: options, cpu: thread{on: options.CPU},
		members: map[int32]*member{}, scripts: newScripts(), skid: &coordinator.Histogram{}, missed: c.Missed(),
	}
	r.made = r.missed
	r.ring.limit, r.ring.keep = options.MaxSamples, int64(options.Keep)
	r.tags.limit = options.MaxTags
	r.meters.since = c.Now()
	return r
}

// join registers another runtime.
func (r *recording) join() (id int32, m *member) {
	m = &member{counter: r.coordinator.Register()}
	m.counter.Keep(r.ring.keep + r.ring.keep/parts) // the oldest segment may be so old
	m.counter.KeepRuns(r.share)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	r.members[r.last] = m
	r.size.Store(int32(len(r.members)))
	return r.last, m
}

// maxOutside bounds the runs of ticks outside the program of all runtimes together.
const maxOutside = 1 << 18

// share is how many of them a runtime may have.
func (r *recording) share() int { return max(maxOutside/max(int(r.size.Load()), 1), 32) }

// leave unregisters a runtime. Its samples stay.
func (r *recording) leave(id int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[id]
	if m == nil {
		return
	}
	r.coordinator.Unregister(m.counter)
	if len(r.members) == 1 && r.options.alone {
		return // its account goes on
	}
	delete(r.members, id)
	r.size.Store(int32(len(r.members)))
	dropped, till := m.counter.Forgotten()
	if dropped > m.dropped {
		r.outside.out.add(dropped-m.dropped, till)
	}
	r.outside.out.ever += m.dropped
	r.ended = sum(r.ended, m.counter.Ticks())
	r.outside.add(m.counter.TakeOutside(), r.ring.keep)
	r.outside.forget(r.ring.since(r.coordinator.Elapsed()))
}

// add keeps a sample with its stack.
func (r *recording) add(frames []goja.StackFrame, s sample) {
	r.mu.Lock()
	s.missed = r.coordinator.Missed() // no less than in the sample before, nor when it was last emptied
	r.skid.Add(s.skid)                // emptying replaces it
	r.ring.add(frames, s)
	r.mu.Unlock()
}

// natives are the names of registered functions.
type natives struct {
	names []string
	ids   map[string]int32
}

// native returns the number of a registered function's name.
func (r *recording) native(name string) int32 {
	r.known.Lock()
	defer r.known.Unlock()
	n := &r.natives
	id, known := n.ids[name]
	if !known {
		if n.ids == nil {
			n.ids = map[string]int32{}
		}
		id = int32(len(n.names))
		n.names, n.ids[name] = append(n.names, name), id
	}
	return id
}

// nativeName is the inverse of native.
func (r *recording) nativeName(id int32) string {
	r.known.RLock()
	defer r.known.RUnlock()
	return r.natives.names[id]
}

// script finds a script by the name that goja knows.
func (r *recording) script(name string) *script {
	r.known.RLock()
	defer r.known.RUnlock()
	return r.scripts.named[name]
}

// symbols are what the scripts' tables and maps know.
func (r *recording) symbols() map[string]profile.Script {
	r.known.RLock()
	defer r.known.RUnlock()
	scripts := make(map[string]profile.Script, len(r.scripts.named))
	for name, s := range r.scripts.named {
		scripts[name] = s.Symbols()
	}
	return scripts
}

// compiled lists the scripts.
func (r *recording) compiled() []*script {
	r.known.RLock()
	defer r.known.RUnlock()
	return slices.Collect(maps.Values(r.scripts.named))
}
