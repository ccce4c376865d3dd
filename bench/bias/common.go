package bias

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
)

// A mean has the programs that are fit for it, and these are not the same for each preset: the
// more functions one tells apart, the lower is the floor, and one that checks little has too few
// samples of some. So means by the presets differ by their programs too. Common has the programs
// of all of them.

// Common are the presets' promises over the programs that are in the mean of each.
type Common struct {
	Programs []string              `json:"programs"`
	Ways     map[string]Comparison `json:"ways"`
}

// commonOf is nil where the means are of the same programs as it is, or too few have it for a mean.
func commonOf(name string, means map[string]*Mean, cells map[string]map[string]*Cell) *Common {
	var ways []string
	shared := map[string]int{}
	for _, way := range wayNames(means) {
		if wayRank(way) >= len(presets) || means[way].Programs < estimate.FewestForMean {
			continue
		}
		ways = append(ways, way)
		for program, cell := range cells[way] {
			if promise, ok := cell.Overlaps[Promise]; ok && promise.Alone == "" {
				shared[program]++
			}
		}
	}
	maps.DeleteFunc(shared, func(_ string, n int) bool { return n < len(ways) })
	differ := slices.ContainsFunc(ways, func(way string) bool { return means[way].Programs > len(shared) })
	if !differ || len(shared) < estimate.FewestForMean {
		return nil
	}
	c := &Common{slices.Sorted(maps.Keys(shared)), map[string]Comparison{}}
	for _, way := range ways {
		var g gathered
		for _, program := range c.Programs {
			g.add(cells[way][program], Promise, cells[way][program].Overlaps[Promise])
		}
		c.Ways[way] = g.mean(seed(name, way, "common"))
	}
	return c
}

func (c *Common) table(b *strings.Builder) {
	if c == nil {
		return
	}
	fmt.Fprintf(b, "\nThe rows above are of different programs. These are the promises over the %d programs that all of them have: %s.\n\n", len(c.Programs), strings.Join(c.Programs, ", "))
	head(b, "way", "promise: overlap", "floor", "bias")
	for _, way := range wayNames(c.Ways) {
		of := c.Ways[way]
		line(b, ruled(way), interval(of.Overlap), interval(of.Floor), biasText(of.Bias))
	}
}
