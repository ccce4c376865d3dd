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
	Load        string         `json:"load"`
	Busy        float64        `json:"busy"` // share of the thread's time
	Added       figures.Spread `json:"added"`
	Noise       figures.Spread `json:"noise"`
	AddedPart   figures.Spread `json:"addedPart"`
	NoisePart   figures.Spread `json:"noisePart"`
	ScriptAdded figures.Spread `json:"scriptAdded"`
	ScriptNoise figures.Spread `json:"scriptNoise"`
	Batches     float64        `json:"batches"` // a second
	Bytes       float64        `json:"bytes"`   // a second
}

func rowOf(l load, rounds []round) Row {
	var busy, added, noise, addedPart, noisePart, scripts, scriptNoise, batches, bytes []float64
	for _, r := range rounds {
		share := func(of, than float64) float64 { return 100 * (of - than) / r.plain.Clock }
		busy = append(busy, share(r.plain.Tasks, 0))
		added = append(added, share(r.streamed.Tasks, r.plain.Tasks))
		noise = append(noise, share(r.again.Tasks, r.plain.Tasks))
		addedPart = append(addedPart, 100*(r.streamed.Tasks/r.plain.Tasks-1))
		noisePart = append(noisePart, 100*(r.again.Tasks/r.plain.Tasks-1))
		scripts = append(scripts, share(r.streamed.Scripts, r.plain.Scripts))
		scriptNoise = append(scriptNoise, share(r.again.Scripts, r.plain.Scripts))
		batches = append(batches, float64(r.batches)/r.streamed.Clock)
		bytes = append(bytes, float64(r.bytes)/r.streamed.Clock)
	}
	return Row{
		Load: l.name, Busy: figures.Median(busy), Added: figures.SpreadOf(added), Noise: figures.SpreadOf(noise), AddedPart: figures.SpreadOf(addedPart),
		NoisePart: figures.SpreadOf(noisePart), ScriptAdded: figures.SpreadOf(scripts), ScriptNoise: figures.SpreadOf(scriptNoise), Batches: figures.Median(batches), Bytes: figures.Median(bytes),
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
