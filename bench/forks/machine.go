package forks

import (
	"time"

	"github.com/dop251/goja"
	"github.com/grafana/sobek"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/gojahost/sobekhost"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// machine is a runtime of either engine with its host.
type machine struct {
	clock    *coordinator.Coordinator
	set      func(name string, value any) error
	run      func(source string, options transform.Options) error
	recorded func() *profile.Profile
}

func inGoja() *machine {
	vm, clock := goja.New(), newClock()
	host := gojahost.New(vm, clock)
	return &machine{clock, vm.Set, func(source string, options transform.Options) error {
		program, _, err := host.CompileWith([]byte(source), options)
		if err == nil {
			_, err = host.RunProgram(program)
		}
		return err
	}, host.Profile}
}

func inSobek() *machine {
	vm, clock := sobek.New(), newClock()
	host := sobekhost.New(vm, clock)
	return &machine{clock, vm.Set, func(source string, options transform.Options) error {
		program, _, err := host.CompileWith([]byte(source), options)
		if err == nil {
			_, err = host.RunProgram(program)
		}
		return err
	}, host.Profile}
}

func newClock() *coordinator.Coordinator {
	return coordinator.New(coordinator.Options{Interval: time.Millisecond})
}

// profile runs a program, whose output is thrown away.
func (m *machine) profile(source string, program fixtures.Program, preset transform.Preset) (*profile.Profile, error) {
	silent := map[string]any{"log": func(...any) {}}
	for name, value := range map[string]any{"console": silent, "argv": append([]string{"", ""}, program.Goja.Args...)} {
		if err := m.set(name, value); err != nil {
			return nil, err
		}
	}
	stop := m.clock.Start()
	defer stop()
	options := transform.Options{File: program.Name + ".js", Selection: transform.Selection{Preset: preset}}
	if err := m.run(source, options); err != nil {
		return nil, err
	}
	return profile.Attribute(m.recorded(), profile.BySite), nil
}
