package k6

import (
	"reflect"
	"slices"

	"github.com/grafana/sobek"
)

// object is an object of k6 with methods that wait.
func (u *user) object(waiting []wait, of *sobek.Object) *sobek.Object {
	methods := map[string]sobek.Value{}
	fixed := false // as are the methods of a Go value
	for _, m := range waiting {
		if method := of.Get(m.name); method != nil {
			methods[m.name] = u.waiting(m, method)
			fixed = of.Set(m.name, methods[m.name]) != nil || fixed
		}
	}
	if !fixed {
		return of
	}
	return u.standIn(of, func(name string, value sobek.Value) sobek.Value {
		if method := methods[name]; method != nil {
			return method
		}
		return value
	})
}

// socketMethods are the methods of the socket that ws.connect calls back with.
var socketMethods = append(each("send", "sendBinary", "ping", "close"),
	wait{name: "on", passes: (*user).functionsWork}, wait{name: "setTimeout", passes: (*user).functionsWork}, wait{name: "setInterval", passes: (*user).functionsWork})

// sockets replaces the sockets that connect calls back with.
func (u *user) sockets(arguments []sobek.Value) {
	for i, argument := range arguments {
		if socket, ok := argument.(*sobek.Object); ok {
			arguments[i] = u.object(socketMethods, socket)
		}
	}
}

// originals replaces objects that stand in for others by the others.
func (u *user) originals(arguments []sobek.Value) {
	for i, argument := range arguments {
		if object, ok := argument.(*sobek.Object); ok && object.ExportType() == reflect.TypeFor[*standIn]() {
			arguments[i] = object.Export().(*standIn).original
		}
	}
}

// standIn is an object with other values for some properties of the original.
type standIn struct {
	original *sobek.Object
	instead  func(name string, value sobek.Value) sobek.Value
}

func (u *user) standIn(original *sobek.Object, instead func(string, sobek.Value) sobek.Value) *sobek.Object {
	return u.host.Runtime().NewDynamicObject(&standIn{original, instead})
}

func (s *standIn) Get(name string) sobek.Value { return s.instead(name, s.original.Get(name)) }
func (s *standIn) Has(name string) bool        { return slices.Contains(s.Keys(), name) }
func (s *standIn) Keys() []string              { return s.original.Keys() }
func (s *standIn) Delete(name string) bool     { return thrown(s.original.Delete(name)) }

func (s *standIn) Set(name string, value sobek.Value) bool {
	return thrown(s.original.Set(name, value))
}

// thrown throws an error in the script, where there is one.
func thrown(err error) (fine bool) {
	if err != nil {
		panic(err)
	}
	return true
}
