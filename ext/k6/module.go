package k6

import (
	"strings"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/js/modules"
	"go.k6.io/k6/lib"
	"go.k6.io/k6/metrics"

	"github.com/fieldprof/fieldprof/gojahost/sobekhost"
)

// module replaces a module of k6. The one that replaces none is imported first by scripts with
// checks.
type module struct{ of string }

// instance is the module in the runtime of a virtual user: what k6 exports.
type instance struct{ exports modules.Exports }

func (i *instance) Exports() modules.Exports { return i.exports }

// NewModuleInstance makes the runtime of a virtual user observable.
func (m *module) NewModuleInstance(vu modules.VU) modules.Instance {
	s := current.Load().begin()
	if s == nil || vu.InitEnv() == nil {
		return &instance{}
	}
	u, err := s.userOf(vu)
	if err != nil {
		s.gs.Logger.WithError(err).Warn("fieldprof: a virtual user is not recorded")
		return &instance{}
	}
	if m.of == "" {
		return &instance{modules.Exports{Named: map[string]any{}}}
	}
	return &instance{modules.Exports{Named: u.exports(m.of)}}
}

// user is a virtual user.
type user struct {
	vu    modules.VU
	host  *sobekhost.Host
	id    uint64 // 0 for setup, teardown and the first look at the script
	tasks map[place]*sobekhost.Task
	none  *sobekhost.Task
	async *sobek.Object // the prototype of async functions
}

// place is where in a test a virtual user is.
type place struct{ scenario, group string }

// armed has every check take a sample. Tests count them, which no clock disturbs.
var armed bool

// handClock replaces the machine's clock in tests.
var handClock func() time.Duration

// userOf returns the user of a runtime. The user joins the session with the first script.
func (s *session) userOf(vu modules.VU) (*user, error) {
	s.mu.Lock()
	u := s.joined[vu.Runtime()]
	s.mu.Unlock()
	if u != nil {
		return u, nil
	}
	return s.join(vu)
}

// join makes a runtime one of the session's.
func (s *session) join(vu modules.VU) (*user, error) {
	host, err := s.pool.Host(vu.Runtime())
	if err != nil {
		return nil, err
	}
	if armed {
		host.Arm()
	}
	for _, names := range s.bindings() {
		if err := host.Install(names); err != nil {
			return nil, err
		}
	}
	async, err := asyncFunctions(vu.Runtime())
	if err != nil {
		return nil, err
	}
	u := &user{vu: vu, host: host, async: async, tasks: map[place]*sobekhost.Task{}, none: host.As()}
	host.TagBy(u.task)
	vu.Runtime().SetAsyncContextTracker(resumption{host})
	u.rests(vu)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users = append(s.users, u)
	s.joined[vu.Runtime()] = u
	for native := range s.natives {
		u.waitIn(native)
	}
	return u, nil
}

// task says for whom the user works now.
func (u *user) task() *sobekhost.Task {
	state := u.vu.State()
	if state == nil { // the script's top level
		return u.none
	}
	tags := state.Tags.GetCurrentValues().Tags
	var at place
	if scenario := lib.GetScenarioState(u.vu.Context()); scenario != nil { // which may be no tag of metrics
		at.scenario = scenario.Name
	}
	at.group, _ = tags.Get(metrics.TagGroup.String())
	at.group = strings.TrimPrefix(at.group, lib.GroupSeparator)
	if u.id = state.VUID; u.tasks[at] == nil {
		u.tasks[at] = u.host.As(u.tags(at)...)
	}
	return u.tasks[at]
}

// resumption tells a host when the event loop goes on with what a promise was waited for:
// a function that awaits checks before, not after.
type resumption struct{ host *sobekhost.Host }

func (resumption) Grab() any     { return nil }
func (r resumption) Resumed(any) { r.host.Rested() }
func (resumption) Exited()       {}

var _ sobek.AsyncContextTracker = resumption{}
