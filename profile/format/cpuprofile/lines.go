package cpuprofile

import (
	"math"
	"sort"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// V8 does not say on which line execution was at a sample, only how many hits of a node were on each line
// (positionTicks). They are dealt out to the samples of the node so that any stretch of them has about the same shares.

// lineHits are the hits of a node on a line.
type lineHits struct {
	line  int32
	until int64 // the sum of these and of the hits before them
}

// readLines reads the hits by line. Entries that make no sense say nothing.
func (n *Node) readLines(in *jsonstream.Reader) error {
	if in.Kind() != '[' {
		return in.Skip()
	}
	sum := int64(0)
	return in.Array(func(int) error {
		if in.Kind() != '{' {
			return in.Skip()
		}
		var line, hits float64
		err := in.Members(jsonstream.Members{{"line", &line}, {"ticks", &hits}})
		if at := codec.Position(line); err == nil && at > 0 && hits >= 1 && hits <= math.MaxInt32 {
			sum += int64(hits)
			n.lines = append(n.lines, lineHits{at, sum})
		}
		return err
	})
}

// linesWithin are the hits by line, none if they are more than the samples that they are of.
func (n *Node) linesWithin(samples int64) []lineHits {
	if len(n.lines) == 0 || n.lines[len(n.lines)-1].until > samples {
		return nil
	}
	return n.lines
}

// deal hands the lines of a node to its samples, one after the other.
type deal struct {
	lines         []lineHits
	samples, step int64
	next          int64 // of as many places as there are samples
}

// newDeal goes through all places in steps of about the golden section, which spreads lines evenly.
func newDeal(lines []lineHits, samples int64) *deal {
	step := max(1, int64(float64(samples)*0.618))
	for durations.Divisor(step, samples) != 1 {
		step--
	}
	return &deal{lines: lines, samples: samples, step: step}
}

// line is the line of the next sample, 0 if it is not known.
func (d *deal) line() int32 {
	at := d.next
	d.next = (d.next + d.step) % d.samples
	if i := sort.Search(len(d.lines), func(i int) bool { return at < d.lines[i].until }); i < len(d.lines) {
		return d.lines[i].line
	}
	return 0
}

// dealLines prepares the lines of all nodes, given how many samples they have.
func (t *reader) dealLines(samples []int64) {
	for i := range t.f.Nodes {
		if lines := t.f.Nodes[i].linesWithin(samples[i]); lines != nil {
			if t.deals == nil {
				t.deals = make([]*deal, len(t.f.Nodes))
			}
			t.deals[i] = newDeal(lines, samples[i])
		}
	}
}
