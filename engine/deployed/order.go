package deployed

import (
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
)

// Order is what the runtime is told of a run: Order in runtime/src/run.
type Order struct {
	Mode     string   `json:"mode"`
	Interval float64  `json:"interval"` // ms
	Seed     uint32   `json:"seed"`
	Clock    string   `json:"clock,omitempty"`
	Path     string   `json:"path"` // of the program, as its user named it or whole
	Args     []string `json:"args"`
	Module   bool     `json:"module"`
}

var modes = map[engine.Mode]string{engine.Profile: "profile", engine.Clean: "clean", engine.Idle: "idle", engine.Armed: "armed"}

// NewOrder words what is to be run, and how.
func NewOrder(path string, args []string, b *bundle.Bundle, settings engine.Settings) Order {
	return Order{
		Mode:     modes[settings.Mode],
		Interval: float64(settings.Interval) / float64(time.Millisecond),
		Seed:     uint32(settings.Seed),
		Clock:    settings.Clock,
		Path:     path,
		Args:     append([]string{}, args...),
		Module:   b.Module,
	}
}
