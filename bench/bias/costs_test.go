package bias

import (
	"reflect"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The main thread's time is the cost, and in browsers the wall clock's.
func TestReadCosts(t *testing.T) {
	folder := t.TempDir()
	if costs := must.Get(ReadCosts(folder))(t); len(costs) != 0 {
		t.Errorf("without files: %v", costs)
	}
	must.Write(t, folder, "overhead.json", `{"engines":{
		"node":{"balanced":{"means":{"libraries":{"idle":{"these":{},"others":{"main":{"value":3,"low":2,"high":4},"process":{"value":9,"low":9,"high":9}}},"sharedSettled":{}}}},"fine":{"means":{}}}}}`)
	must.Write(t, folder, "overhead-browsers.json", `{"engines":{"firefox":{"balanced":{"means":{"libraries":{"idle":{"others":{"wall":{"value":6,"low":4,"high":8}}}}}}}}}`)
	want := Costs{"node": {"balanced": {Value: 3, Low: 2, High: 4}}, "firefox": {"balanced": {Value: 6, Low: 4, High: 8}}}
	if got := must.Get(ReadCosts(folder))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	must.Write(t, folder, "overhead.json", "[")
	if _, err := ReadCosts(folder); err == nil {
		t.Error("a broken file was read")
	}
}
