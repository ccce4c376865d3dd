package k6

import (
	"slices"
	"strconv"
	"strings"

	"github.com/grafana/sobek"
)

// wait is a function of k6 that waits: for time, for an answer, or until there is room for its
// metrics, which is long where more users have work than there are processors. Or it is a
// constructor, and methods of its objects wait.
type wait struct {
	name    string
	passes  replacing
	methods []wait
}

// replacing replaces some of a function's arguments, such as functions that are called back,
// which work.
type replacing func(u *user, arguments []sobek.Value)

// waits are such functions by their modules.
var waits = map[string][]wait{
	"k6":      {{name: "sleep"}, {name: "group", passes: (*user).functionsWork}, {name: "check", passes: (*user).checksWork}},
	"k6/http": each("get", "head", "post", "put", "patch", "del", "options", "request", "batch"),
	"k6/ws":   {{name: "connect", passes: (*user).socketsWork}},
	"k6/metrics": {
		{name: "Counter", methods: each("add")}, {name: "Gauge", methods: each("add")},
		{name: "Rate", methods: each("add")}, {name: "Trend", methods: each("add")},
	},
	"k6/net/grpc": {{name: "Client", methods: each("connect", "invoke", "healthCheck", "close")}, {name: "Stream", passes: (*user).originals}},
}

// each returns functions that wait and call nothing back.
func each(names ...string) (all []wait) {
	for _, name := range names {
		all = append(all, wait{name: name})
	}
	return all
}

// replaced are modules whose exports k6 keeps to itself: scripts that import them get a module
// of the extension, whose name begins with its own.
var replaced = []string{"k6", "k6/metrics", "k6/net/grpc"}

// replacement is the name of the module that scripts get.
func replacement(module string) string { return moduleName + strings.TrimPrefix(module, "k6") }

// exports are the exports of a module that is replaced.
func (u *user) exports(module string) map[string]any {
	all := map[string]any{}
	original := u.require(module)
	if original == nil {
		return all
	}
	for _, name := range original.Keys() {
		all[name] = original.Get(name)
	}
	for _, w := range waits[module] {
		all[w.name] = u.waiting(w, original.Get(w.name))
	}
	return all
}

// waitIn makes the functions of a module of k6 wait.
func (u *user) waitIn(module string) {
	if slices.Contains(replaced, module) || len(waits[module]) == 0 {
		return
	}
	object := u.require(module)
	if object == nil {
		return
	}
	if exports, ok := object.Get("default").(*sobek.Object); ok {
		object = exports
	}
	for _, w := range waits[module] {
		if function := object.Get(w.name); function != nil {
			_ = object.Set(w.name, u.waiting(w, function)) // a script may have frozen it: then waiting is work
		}
	}
}

// waiting is a function of k6 that waits, for scripts. It has the name that the original has in
// stacks.
func (u *user) waiting(w wait, original sobek.Value) sobek.Value {
	function, ok := sobek.AssertFunction(original)
	if !ok {
		return original
	}
	name := original.ToObject(u.host.Runtime()).Get("name").String()
	if constructor, ok := sobek.AssertConstructor(original); ok {
		return u.host.Native(name, func(call sobek.ConstructorCall) *sobek.Object {
			arguments := u.pass(w.passes, call.Arguments)
			return u.object(w.methods, within(u.host.Waiting, func() (*sobek.Object, error) { return constructor(call.NewTarget, arguments...) }))
		})
	}
	return u.host.Native(name, func(call sobek.FunctionCall) sobek.Value {
		arguments := u.pass(w.passes, call.Arguments)
		return within(u.host.Waiting, func() (sobek.Value, error) { return function(call.This, arguments...) })
	})
}

// pass returns the arguments that a function gets.
func (u *user) pass(passes replacing, arguments []sobek.Value) []sobek.Value {
	if passes != nil {
		arguments = slices.Clone(arguments)
		passes(u, arguments)
	}
	return arguments
}

// within makes a call inside a bracket of the host.
func within[V any](bracket func(func()), call func() (V, error)) (value V) {
	var err error
	bracket(func() { value, err = call() })
	if err != nil {
		panic(err)
	}
	return value
}

// functionsWork makes the functions among the arguments work.
func (u *user) functionsWork(arguments []sobek.Value) {
	for i, argument := range arguments {
		arguments[i] = u.working(argument, nil)
	}
}

// socketsWork is functionsWork for connect, which calls back with a socket, and later calls the
// handlers that the socket was given.
func (u *user) socketsWork(arguments []sobek.Value) {
	for i, argument := range arguments {
		arguments[i] = u.working(argument, (*user).sockets)
	}
}

// checksWork is functionsWork for check, which asks an object for functions by name.
func (u *user) checksWork(arguments []sobek.Value) {
	if len(arguments) < 2 {
		return
	}
	if object, ok := arguments[1].(*sobek.Object); ok {
		arguments[1] = u.standIn(object, func(_ string, value sobek.Value) sobek.Value { return u.working(value, nil) })
	}
}

// working is a value that works, if it is a function. The functions of k6 refuse those that
// are async.
func (u *user) working(value sobek.Value, passes replacing) sobek.Value {
	function, ok := sobek.AssertFunction(value)
	if !ok || value.(*sobek.Object).Prototype() == u.async {
		return value
	}
	return u.host.Runtime().ToValue(func(call sobek.FunctionCall) sobek.Value {
		arguments := u.pass(passes, call.Arguments)
		return within(u.host.Working, func() (sobek.Value, error) { return function(call.This, arguments...) })
	})
}

// asyncFunctions returns the prototype of async functions.
func asyncFunctions(rt *sobek.Runtime) (*sobek.Object, error) {
	function, err := rt.RunString("async () => {}")
	if err != nil {
		return nil, err
	}
	return function.ToObject(rt).Prototype(), nil
}

// require returns what a module of k6 exports, or nil.
func (u *user) require(module string) *sobek.Object {
	rt := u.vu.Runtime()
	require, ok := sobek.AssertFunction(rt.Get("require"))
	if !ok {
		return nil
	}
	exports, err := require(sobek.Undefined(), rt.ToValue(module))
	if err != nil {
		return nil
	}
	object, _ := exports.(*sobek.Object)
	return object
}

// tags are the tags of samples that are taken at a place.
func (u *user) tags(at place) []string {
	tags := []string{"vu", strconv.FormatUint(u.id, 10)}
	for key, value := range map[string]string{"scenario": at.scenario, "group": at.group} {
		if value != "" {
			tags = append(tags, key, value)
		}
	}
	return tags
}
