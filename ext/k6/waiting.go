package k6

import (
	"slices"
	"strconv"

	"github.com/grafana/sobek"
)

// wait is a function of k6 that waits: for time, for an answer, or until there is room
// for its metrics, which is long where more users have work than there are processors.
type wait struct {
	name string
	// works makes what the function calls back work: it replaces some of the arguments.
	works func(u *user, arguments []sobek.Value)
}

// waits are such functions by their modules.
var waits = map[string][]wait{
	"k6":      {{"sleep", nil}, {"group", (*user).functionsWork}, {"check", (*user).checksWork}},
	"k6/http": {{"get", nil}, {"head", nil}, {"post", nil}, {"put", nil}, {"patch", nil}, {"del", nil}, {"options", nil}, {"request", nil}, {"batch", nil}},
	"k6/ws":   {{"connect", (*user).functionsWork}},
}

// exports are the exports of the module k6, where some functions wait.
func (u *user) exports() map[string]any {
	all := map[string]any{}
	k6 := u.require("k6")
	if k6 == nil {
		return all
	}
	for _, name := range k6.Keys() {
		all[name] = k6.Get(name)
	}
	for _, w := range waits["k6"] {
		all[w.name] = u.waiting(w, k6.Get(w.name))
	}
	return all
}

// waitIn makes the functions of a module of k6 wait.
func (u *user) waitIn(module string) {
	if module == "k6" || len(waits[module]) == 0 {
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
	return u.host.Native(name, func(call sobek.FunctionCall) sobek.Value {
		arguments := call.Arguments
		if w.works != nil {
			arguments = slices.Clone(arguments)
			w.works(u, arguments)
		}
		return within(u.host.Waiting, function, call.This, arguments)
	})
}

// within calls a function in what the host brackets.
func within(bracket func(func()), function sobek.Callable, this sobek.Value, arguments []sobek.Value) (value sobek.Value) {
	var err error
	bracket(func() { value, err = function(this, arguments...) })
	if err != nil {
		panic(err)
	}
	return value
}

// functionsWork makes those of the arguments that are functions work.
func (u *user) functionsWork(arguments []sobek.Value) {
	for i, argument := range arguments {
		arguments[i] = u.working(argument)
	}
}

// checksWork is functionsWork for check, which asks an object for functions by name.
func (u *user) checksWork(arguments []sobek.Value) {
	if len(arguments) < 2 {
		return
	}
	if object, ok := arguments[1].(*sobek.Object); ok {
		arguments[1] = u.host.Runtime().NewDynamicObject(&checks{u, object})
	}
}

// working is a value that works, if it is a function. The functions of k6 refuse those that
// are async.
func (u *user) working(value sobek.Value) sobek.Value {
	function, ok := sobek.AssertFunction(value)
	if !ok || value.(*sobek.Object).Prototype() == u.async {
		return value
	}
	return u.host.Runtime().ToValue(func(call sobek.FunctionCall) sobek.Value {
		return within(u.host.Working, function, call.This, call.Arguments)
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

// checks is an object of a script whose functions work.
type checks struct {
	user   *user
	object *sobek.Object
}

func (c *checks) Get(key string) sobek.Value { return c.user.working(c.object.Get(key)) }
func (c *checks) Has(key string) bool        { return slices.Contains(c.object.Keys(), key) }
func (c *checks) Keys() []string             { return c.object.Keys() }
func (*checks) Set(string, sobek.Value) bool { return false }
func (*checks) Delete(string) bool           { return false }

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
