package bias

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
)

// Programs are scaled within these bounds; fixtures are not made for machines that
// would need more.
const (
	leastScale = 0.25
	mostScale  = 16
)

// calibrate runs a block's program once, clean, unless it ran before, and scales it by
// the time it took. A failure recurs in the block, which reports it.
func (c *Collector) calibrate(ctx context.Context, b Block) error {
	e, ok := c.Engines[b.Engine]
	c.lasts[costOf(b)] = b.Lasts
	if _, done := c.scale[costOf(b)]; done || !ok || c.missing[b.Engine] != "" || b.Program.NeedsNPM && c.missing["npm"] != "" {
		return ctx.Err()
	}
	if b.Program.Packs != nil {
		c.scale[costOf(b)] = packScale(b.Engine)
		return ctx.Err()
	}
	c.scale[costOf(b)] = 1
	limited, cancel := context.WithTimeout(ctx, tooLong)
	defer cancel()
	result, err := e.Run(limited, engine.Program{Path: b.Program.Path, Args: e.Arguments(b.Program), Stdout: io.Discard, Stderr: io.Discard}, engine.Settings{Mode: engine.Clean})
	switch {
	case err != nil && e.Missing(err):
		c.missing[b.Engine] = err.Error()
	case err == nil && result.Failure == nil && result.Elapsed > 0:
		c.scale[costOf(b)] = min(max(float64(b.Lasts)/float64(result.Elapsed), leastScale), mostScale)
	}
	return ctx.Err()
}

// arguments are the program's own in an engine, with its scale adjusted to the time that
// a way is to take.
func (c *Collector) arguments(program fixtures.Program, engineName string, way Way) []string {
	args := slices.Clone(c.Engines[engineName].Arguments(program))
	key := engineName + "/" + program.Name
	scale := c.scale[key]
	if way.Lasts > 0 && c.lasts[key] > 0 {
		scale *= float64(way.Lasts) / float64(c.lasts[key])
	}
	if scale == 0 {
		return args
	}
	if len(args) == 0 { // a program without arguments runs at scale 1
		args = []string{"1"}
	}
	if declared, err := strconv.ParseFloat(args[0], 64); err == nil {
		args[0] = strconv.FormatFloat(declared*scale, 'f', 2, 64)
	}
	return args
}
