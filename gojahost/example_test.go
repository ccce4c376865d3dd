package gojahost_test

import (
	"fmt"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

const source = `
function slow() { let s = 0; for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 65521; return s; }
function quick() { return 1; }
for (let i = 0; i < 5; i++) slow() + quick();
`

// A Go program that embeds goja needs five lines to profile its scripts.
func Example() {
	vm := goja.New()

	clock := coordinator.New(coordinator.Options{Interval: time.Millisecond})
	host := gojahost.New(vm, clock)
	stop := clock.Start()
	_, err := host.RunScript("app.js", source)
	stop()

	hottest := view.Flat(profile.Attribute(host.Profile(), profile.BySite))[0]
	fmt.Println(hottest.Name, hottest.File, hottest.Line, err)
	// Output: slow app.js 2 <nil>
}
