// Package protocol defines the messages between this process and the one that runs a
// program: an order goes out, a report with a recording comes back, both in JSON. The
// other side is runtime/src/run.
package protocol

import (
	"time"

	"github.com/fieldprof/fieldprof/engine"
)

// Order tells the runtime what to run: Order in runtime/src/run.
type Order struct {
	Mode     string   `json:"mode"`
	Interval float64  `json:"interval"` // ms
	Seed     uint32   `json:"seed"`
	After    float64  `json:"after,omitempty"` // ms
	Clock    string   `json:"clock,omitempty"`
	Path     string   `json:"path"` // of the program, as the user named it or absolute
	Args     []string `json:"args"`
	Module   bool     `json:"module"`
}

var modes = map[engine.Mode]string{engine.Profile: "profile", engine.Clean: "clean", engine.Idle: "idle", engine.Armed: "armed"}

// NewOrder is the order to run a program as the settings say.
func NewOrder(path string, args []string, module bool, settings engine.Settings) Order {
	return Order{
		Mode:     modes[settings.Mode],
		Interval: float64(settings.Interval) / float64(time.Millisecond),
		Seed:     uint32(settings.Seed),
		After:    float64(settings.After) / float64(time.Millisecond),
		Clock:    settings.Clock,
		Path:     path,
		Args:     append([]string{}, args...),
		Module:   module,
	}
}
