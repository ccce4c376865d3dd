package k6

import (
	"testing"

	"github.com/grafana/sobek"

	"github.com/fieldprof/fieldprof/transform"
)

// rehearsed is an object of k6: its methods wait for some time.
type rehearsed struct {
	wait     func()
	handlers []sobek.Callable
}

func (o *rehearsed) Invoke()                               { o.wait() }
func (o *rehearsed) Send(string)                           { o.wait() }
func (o *rehearsed) On(_ string, back sobek.Callable)      { o.handlers = append(o.handlers, back) }
func (o *rehearsed) SetTimeout(back sobek.Callable, _ int) { o.handlers = append(o.handlers, back) }

// connect behaves like ws.connect.
func (o *rehearsed) connect(vm *sobek.Runtime) func(string, sobek.Callable) error {
	return func(_ string, setup sobek.Callable) error {
		_, err := setup(sobek.Undefined(), vm.ToValue(&o))
		for _, back := range o.handlers {
			o.wait()
			if err == nil {
				_, err = back(sobek.Undefined())
			}
		}
		return err
	}
}

// The waits in methods of k6's objects are not work, nor is the wait before a function that was
// handed to them.
func TestMethodsWait(t *testing.T) {
	const count = "function count() { for (let i = 0; i < 9999; i++) i += 0 } const handlers = { count: () => count(), work: () => { pass(20); count() } }, pick = (key) => handlers[key];"
	for name, c := range map[string]struct {
		script     string
		idle, busy bool
	}{
		"a metric":           {"const c = new Counter('a'); function run() { for (let i = 0; i < 9; i++) c.add(i) }", true, false},
		"a client":           {"const c = new Client(); function run() { for (let i = 0; i < 9; i++) c.invoke(i) }", true, false},
		"a client by itself": {"const { invoke } = new Client(); function run() { for (let i = 0; i < 9; i++) invoke(i) }", true, false},
		"a stream":           {"const c = new Client(); function run() { for (let i = 0; i < 9; i++) new Stream(c) }", true, false},
		"work between":       {"const c = new Client(); function run() { for (let i = 0; i < 9; i++) { c.invoke(i); pass(20) } }", true, true},
		"a socket":           {"function run() { connect('', (s) => { for (let i = 0; i < 9; i++) s.send('a') }) }", true, false},
		"a handler":          {"function run() { connect('', (s) => { s.on('message', pick('count')); s.setTimeout(pick('count'), 1) }) }", true, false},
		"work of a handler":  {"function run() { connect('', (s) => s.on('message', pick('work'))) }", true, true},
	} {
		r := rehearse(t)
		wait := func() { r.pass(20) }
		r.vm.SetFieldNameMapper(sobek.UncapFieldNameMapper())
		set := func(module, name string, value any) {
			for _, w := range waits[module] {
				if w.name == name {
					_ = r.vm.Set(name, r.u.waiting(w, r.vm.ToValue(value)))
				}
			}
		}
		set("k6/metrics", "Counter", func(sobek.ConstructorCall) *sobek.Object {
			metric := r.vm.NewObject()
			_ = metric.Set("add", wait)
			return metric
		})
		set("k6/net/grpc", "Client", func(sobek.ConstructorCall) *sobek.Object { return r.vm.ToValue(&rehearsed{wait: wait}).ToObject(r.vm) })
		set("k6/net/grpc", "Stream", func(call sobek.ConstructorCall) *sobek.Object {
			if client, ok := call.Argument(0).Export().(*rehearsed); ok {
				client.wait()
			}
			return r.vm.NewObject()
		})
		set("k6/ws", "connect", (&rehearsed{wait: wait}).connect(r.vm))
		r.run(t, count+c.script)
		if ticks := r.end().Meta.Ticks; ticks.Idle > 0 != c.idle || ticks.Taken > 0 != c.busy || ticks.Lost > 0 {
			t.Errorf("%s: %+v", name, ticks)
		}
	}
}

// Scripts get the extension's modules, however they import k6's. Statements import those of k6, too.
func TestImportsOfReplacedModules(t *testing.T) {
	for script, want := range map[string]string{
		"const k = 'k6'; export { sleep as nap } from 'k6'; export * from 'k6/metrics'": "const k = 'k6'; export { sleep as nap } from 'k6/x/fieldprof';import\"k6\"; export * from 'k6/x/fieldprof/metrics';import\"k6/metrics\"",
		"import { sleep } from 'k6'\n; [1].map(sleep)":                                  "import { sleep } from 'k6/x/fieldprof';import\"k6\"\n; [1].map(sleep)",
		"import m, { Counter as C } from \"k6/metrics\"\n(C)":                           "import m, { Counter as C } from \"k6/x/fieldprof/metrics\";import\"k6/metrics\"\n(C)",
		"import * as g from 'k6/net/grpc'; import h from 'k6/http'":                     "import * as g from 'k6/x/fieldprof/net/grpc';import\"k6/net/grpc\"; import h from 'k6/http'",
		"import 'k6';import 'k6'// twice":                                               "import 'k6/x/fieldprof';import\"k6\";import 'k6/x/fieldprof';import\"k6\"// twice",
		"const { Client } = require('k6/net/grpc'), k6 = require('k6')":                 "const { Client } = require('k6/x/fieldprof/net/grpc'), k6 = require('k6/x/fieldprof')",
	} {
		script, err := read("a.js", []byte(script))
		if err != nil {
			t.Fatal(err)
		}
		got, inserted := insert(script.code, redirect(string(script.code), references(script.program, string(script.code), script.prefix)))
		if string(got) != want {
			t.Errorf("%s\nis %s", script.code, got)
		}
		if !transform.Restores(got, inserted, script.code) {
			t.Errorf("%s\ndoes not give back %s", got, script.code)
		}
	}
}
