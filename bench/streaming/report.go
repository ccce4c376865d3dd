package streaming

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Report is what streaming costs a page.
type Report struct {
	figures.Origin
	Rounds int   `json:"rounds"`
	Rows   []Row `json:"rows"`
}

// Row is one load. Shares are in percent of the time that passed; a part is in percent of
// the thread's time with recording alone.
type Row struct {
	Load        string  `json:"load"`
	Busy        float64 `json:"busy"` // share of the thread's time
	Added       Spread  `json:"added"`
	Noise       Spread  `json:"noise"`
	AddedPart   Spread  `json:"addedPart"`
	NoisePart   Spread  `json:"noisePart"`
	ScriptAdded Spread  `json:"scriptAdded"`
	ScriptNoise Spread  `json:"scriptNoise"`
	Batches     float64 `json:"batches"` // a second
	Bytes       float64 `json:"bytes"`   // a second
}

// Spread is the middle of the rounds, and the quarters below and above.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

func spreadOf(values []float64) Spread {
	return Spread{figures.Median(values), figures.Quantile(values, 0.25), figures.Quantile(values, 0.75)}
}

func (s Spread) String() string {
	return fmt.Sprintf("%+.2f %% (%+.2f…%+.2f)", s.Median, s.Low, s.High)
}

func rowOf(l load, rounds []round) Row {
	var busy, added, noise, addedPart, noisePart, scripts, scriptNoise, batches, bytes []float64
	for _, r := range rounds {
		share := func(of, than float64) float64 { return 100 * (of - than) / r.plain.clock }
		busy = append(busy, share(r.plain.tasks, 0))
		added = append(added, share(r.streamed.tasks, r.plain.tasks))
		noise = append(noise, share(r.again.tasks, r.plain.tasks))
		addedPart = append(addedPart, 100*(r.streamed.tasks/r.plain.tasks-1))
		noisePart = append(noisePart, 100*(r.again.tasks/r.plain.tasks-1))
		scripts = append(scripts, share(r.streamed.scripts, r.plain.scripts))
		scriptNoise = append(scriptNoise, share(r.again.scripts, r.plain.scripts))
		batches = append(batches, float64(r.batches)/r.streamed.clock)
		bytes = append(bytes, float64(r.bytes)/r.streamed.clock)
	}
	return Row{
		Load: l.name, Busy: figures.Median(busy), Added: spreadOf(added), Noise: spreadOf(noise), AddedPart: spreadOf(addedPart),
		NoisePart: spreadOf(noisePart), ScriptAdded: spreadOf(scripts), ScriptNoise: spreadOf(scriptNoise), Batches: figures.Median(batches), Bytes: figures.Median(bytes),
	}
}

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. A page in Chromium that streams its profile at %d ms, against the same page that only records; %d rounds of each, the median and the quarters around it. "+
		"*Added* is the time of the page's thread in percent of the time that passed, in all tasks and *by scripts* in them; *of its work* is in percent of what the thread did. The noise is recording alone against itself.\n\n",
		r.InShort(), interval, r.Rounds)
	b.WriteString("| work | thread busy | added | noise | by scripts | noise | of its work | noise | batches/s | KB/s |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %.0f %% | **%v** | %v | **%v** | %v | %v | %v | %.1f | %.1f |\n",
			row.Load, row.Busy, row.Added, row.Noise, row.ScriptAdded, row.ScriptNoise, row.AddedPart, row.NoisePart, row.Batches, row.Bytes/1000)
	}
	return b.String()
}
