package k6

import (
	"strconv"

	"github.com/grafana/sobek"
)

// waits are the functions of k6's modules that wait, or call back while they do.
var waits = map[string][]string{
	"k6":      {"sleep"},
	"k6/http": {"get", "head", "post", "put", "patch", "del", "options", "request", "batch"},
	"k6/ws":   {"connect"},
}

// exports are those of the module k6, whose sleep waits.
func (u *user) exports() map[string]any {
	all := map[string]any{}
	k6 := u.require("k6")
	if k6 == nil {
		return all
	}
	for _, name := range k6.Keys() {
		all[name] = k6.Get(name)
	}
	for _, name := range waits["k6"] {
		if function, ok := sobek.AssertFunction(k6.Get(name)); ok {
			all[name] = u.waiting(name, function)
		}
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
	for _, name := range waits[module] {
		if function, ok := sobek.AssertFunction(object.Get(name)); ok {
			_ = object.Set(name, u.waiting(name, function)) // a script may have frozen it: then waiting is work
		}
	}
}

// waiting is a function that waits, for scripts.
func (u *user) waiting(name string, function sobek.Callable) sobek.Value {
	return u.host.Native(name, func(call sobek.FunctionCall) (value sobek.Value) {
		var err error
		u.host.Waiting(func() { value, err = function(call.This, call.Arguments...) })
		if err != nil {
			panic(err)
		}
		return value
	})
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

// tags are those of samples that are taken at a place.
func (u *user) tags(at place) []string {
	tags := []string{"vu", strconv.FormatUint(u.id, 10)}
	for key, value := range map[string]string{"scenario": at.scenario, "group": at.group} {
		if value != "" {
			tags = append(tags, key, value)
		}
	}
	return tags
}
