// Package must says in a line what tests expect: no error, an error, or a value. The
// failure says what the test was about, if that is given.
package must

import (
	"reflect"
	"strings"
	"testing"
)

// Do ends the test if there is an error.
func Do(t testing.TB, err error, about ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%.300q: %v", about, err)
	}
}

// Get is the value of a call, whose error ends the test: must.Get(os.ReadFile(path))(t).
func Get[T any](value T, err error) func(t testing.TB, about ...any) T {
	return func(t testing.TB, about ...any) T {
		t.Helper()
		Do(t, err, about...)
		return value
	}
}

// Fail fails the test unless there is an error that contains a text.
func Fail(t testing.TB, err error, want string, about ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%.300q: %v, want %s", about, err, want)
	}
}

// Refuse is Fail for a call with a value: must.Refuse(Parse(text))(t, "cut short", text).
func Refuse[T any](_ T, err error) func(t testing.TB, want string, about ...any) {
	return func(t testing.TB, want string, about ...any) {
		t.Helper()
		Fail(t, err, want, about...)
	}
}

// Equal fails the test unless two values are deeply equal.
func Equal[T any](t testing.TB, got, want T, about ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%.300q: got %+v, want %+v", about, got, want)
	}
}
