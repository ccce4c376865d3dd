// Package must ends a test at a step that it needs and that fails:
//
//	must.Do(t, os.Mkdir(folder, 0o755))
//	text := must.Get(os.ReadFile(path))(t)
package must

import "testing"

// Do ends the test if there is an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Result is a value, or an error in its place.
type Result[T any] struct {
	value T
	err   error
}

// Get takes what a function returns.
func Get[T any](value T, err error) Result[T] { return Result[T]{value, err} }

// OrFail gives the value, or ends the test if there is an error.
func (r Result[T]) OrFail(t testing.TB) T {
	t.Helper()
	Do(t, r.err)
	return r.value
}
