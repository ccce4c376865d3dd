package bias

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// Programs are scaled within these bounds; fixtures are not made for machines that
// would need more.
const (
	leastScale = 0.25
	mostScale  = 16
	// mostCorrection of the scale of a longer run bounds one that does not get longer.
	mostCorrection = 8
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

// argue sets a recording's arguments: the program's own in the engine, with the scale
// adjusted to the time that its way is to take. It returns by how much: 0 if nothing is known.
func (c *Collector) argue(program fixtures.Program, r *Recording) (scale float64) {
	args := slices.Clone(c.Engines[r.Engine].Arguments(program))
	key := r.Engine + "/" + program.Name
	scale = c.scale[key]
	if long, usual := r.Way.Lasts, c.lasts[key]; long > 0 && usual > 0 {
		scale *= float64(long) / float64(usual)
		if pace := c.pace[paceOf(r)]; pace > 0 {
			scale = min(float64(long)/float64(pace), scale*mostCorrection)
		}
	}
	if program.Packs != nil {
		args = append(args, strconv.FormatUint(1+seed(fmt.Sprint(c.Seed), fmt.Sprint(r.Round))%1000, 10)) // the order
	}
	r.Args = args
	if scale == 0 {
		return 0
	}
	if len(args) == 0 { // a program without arguments runs at scale 1
		r.Args = []string{"1"}
	}
	if declared, err := strconv.ParseFloat(r.Args[0], 64); err == nil {
		r.Args[0] = strconv.FormatFloat(declared*scale, 'f', 2, 64)
	}
	return scale
}

// took notes how long a run at a scale took. It reports whether that was as long as it should have
// been: the run that calibrates is too short to tell how fast a program gets, so longer
// runs go by others of their use. All presets go by balanced, and so have the same
// arguments and can be compared.
func (c *Collector) took(r *Recording, scale float64, long time.Duration) bool {
	enough := float64(long) >= longEnough*float64(r.Way.Lasts)
	usual := r.Way.Lasts == 0 && r.Way.Preset == transform.Balanced && r.Way.Clock == "" && !r.Way.NoInlining
	if scale > 0 && (usual || !enough) {
		c.pace[paceOf(r)] = time.Duration(float64(long) / scale)
	}
	return enough
}

const longEnough = 0.9

// paceOf is the key of runs that are about as fast as each other.
func paceOf(r *Recording) string { return r.Engine + "/" + r.Program + " " + string(r.Way.Use) }
