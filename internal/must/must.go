// Package must says in a line what tests expect: no error, a value, an error.
//
//	must.Do(t, os.Mkdir(folder, 0o755))
//	text := must.Get(os.ReadFile(path))(t)
//	must.Refuse(Parse("{"))(t, "cut short")
//
// A failure says what the test was about, if that is given.
package must

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// Do ends the test if there is an error.
func Do(t testing.TB, err error, about ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s%v", told(about), err)
	}
}

// Get is the value of a call, whose error ends the test.
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
		t.Errorf("%sthe error is %v, want %q", told(about), err, want)
	}
}

// Refuse is Fail for a call with a value.
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
		t.Errorf("%sgot %+v, want %+v", told(about), got, want)
	}
}

// told introduces a failure with what the test was about.
func told(about []any) string {
	if len(about) == 0 {
		return ""
	}
	return fmt.Sprintf("%.300q: ", about)
}
