package building

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// report sums up the cells of a run.
func (r *speedRun) report() *SpeedReport {
	report := &SpeedReport{}
	for i := range r.subjects {
		s := &r.subjects[i]
		file := SpeedFile{Name: s.name, Printed: s.printed, Bytes: s.size, NS: map[string]float64{}, Allocated: map[string]float64{}}
		if info, err := os.Stat(s.mapPath); err == nil {
			file.MapBytes = int(info.Size())
		}
		for p := range r.peers {
			cell := r.cells[cellKey{p, i}]
			if cell == nil || cell.failure != "" {
				continue
			}
			file.NS[r.peers[p].name] = figures.Median(cell.ns)
			if name := r.peers[p].name; name == peerTransform || name == peerWithMap {
				file.Allocated[name] = float64(cell.allocated) / float64(s.size)
			}
		}
		report.Files = append(report.Files, file)
	}
	for p := range r.peers {
		report.Peers = append(report.Peers, r.peer(p))
	}
	return report
}

// peer sums up one peer over the texts it could read.
func (r *speedRun) peer(index int) SpeedPeer {
	p := &r.peers[index]
	sum := SpeedPeer{Name: p.name, Goal: p.goal}
	var read []int
	for i := range r.subjects {
		cell := r.cells[cellKey{index, i}]
		switch {
		case cell == nil:
		case cell.failure != "":
			sum.Failed = append(sum.Failed, r.subjects[i].name+": "+cell.failure)
		default:
			read = append(read, i)
			sum.Files++
			sum.Bytes += r.subjects[i].size
		}
	}
	if len(read) == 0 {
		return sum
	}
	sum.MBps = float64(sum.Bytes) / 1e6 / (r.total(index, read) / 1e9)
	sum.Lexer = r.ratio(r.index(peerLexer), index, read)
	if p.against != "" {
		sum.Ours = r.ratio(index, r.index(p.against), read)
	}
	return sum
}

func (r *speedRun) index(name string) int {
	return slices.IndexFunc(r.peers, func(p peer) bool { return p.name == name })
}

// total sums the medians of a peer over some subjects.
func (r *speedRun) total(peer int, subjects []int) float64 {
	sum := 0.0
	for _, i := range subjects {
		sum += figures.Median(r.cells[cellKey{peer, i}].ns)
	}
	return sum
}

// ratio compares the times of two peers over some subjects.
func (r *speedRun) ratio(over, under int, subjects []int) Ratio {
	ratio := Ratio{Ratio: r.total(over, subjects) / r.total(under, subjects)}
	for round := range r.cells[cellKey{over, subjects[0]}].ns {
		a, b := 0.0, 0.0
		for _, i := range subjects {
			a += r.cells[cellKey{over, i}].ns[round]
			b += r.cells[cellKey{under, i}].ns[round]
		}
		ratio.Rounds = append(ratio.Rounds, a/b)
	}
	return ratio
}

// Table implements figures.Report.
func (r *SpeedReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, `Processor time on built files from npm: sums over the files of medians of %d rounds (lowest to highest ratio of a single
round). Every peer is compared over the files it was given and could read. Go's run on one core (GOMAXPROCS 1); Node's are
called in one process that has warmed up, whose collector and compiler count too. "lexer again" is the noise floor.
`+"%s, %s.\n\n", r.Rounds, r.WithGo(), versionList(r.Versions))
	b.WriteString("| | files | MB | MB/s | lexer's time / its time | its time / ours | goal |\n|---|---|---|---|---|---|---|\n")
	for _, p := range r.Peers {
		ours := ""
		if p.Ours.Ratio > 0 {
			ours = p.Ours.format("%.1f×")
		}
		fmt.Fprintf(&b, "| %s | %d | %.1f | %.1f | %s | %s | %s |\n", p.Name, p.Files, float64(p.Bytes)/1e6, p.MBps, p.Lexer.format("%.3f"), ours, p.Goal)
	}
	fmt.Fprintf(&b, "\nistanbul is given the files up to %d KB; \"with map\" has the files that ship one, and the others as esbuild prints them.\n", istanbulSize/1000)
	fmt.Fprintf(&b, "Two goroutines on two cores over the files take 1/%s of the time, by the clock, of one on one (goal: 1.8);\na loop that touches no memory takes 1/%s here.\n", r.TwoCores.format("%.2f"), r.TwoCoresFloor.format("%.2f"))
	for _, p := range r.Peers {
		for _, failed := range p.Failed {
			fmt.Fprintf(&b, "%s could not read %s\n", p.Name, failed)
		}
	}
	b.WriteString("\nFor each file: the lexer's speed, ratios to it, and the bytes that the transform allocates per byte.\n\n")
	b.WriteString("| | MB | map MB | lexer MB/s | transform | with map | allocated | with map |\n|---|---|---|---|---|---|---|---|\n")
	for _, f := range r.Files {
		f.row(&b)
	}
	return b.String()
}

func (f *SpeedFile) row(b *strings.Builder) {
	name, mapped := f.Name, ""
	if f.Printed {
		name += ", printed"
	}
	if f.MapBytes > 0 {
		mapped = fmt.Sprintf("%.2f", float64(f.MapBytes)/1e6)
	}
	fmt.Fprintf(b, "| %s | %.2f | %s | %.0f ", name, float64(f.Bytes)/1e6, mapped, float64(f.Bytes)/1e6/(f.NS[peerLexer]/1e9))
	for _, peer := range []string{peerTransform, peerWithMap} {
		cell := ""
		if ns := f.NS[peer]; ns > 0 {
			cell = fmt.Sprintf("%.2f", f.NS[peerLexer]/ns)
		}
		fmt.Fprintf(b, "| %s ", cell)
	}
	for _, peer := range []string{peerTransform, peerWithMap} {
		cell := ""
		if bytes := f.Allocated[peer]; bytes > 0 {
			cell = fmt.Sprintf("%.1f", bytes)
		}
		fmt.Fprintf(b, "| %s ", cell)
	}
	b.WriteString("|\n")
}

func (r Ratio) format(verb string) string {
	if len(r.Rounds) == 0 {
		return fmt.Sprintf(verb, r.Ratio)
	}
	return fmt.Sprintf(verb+" ("+verb+" to "+verb+")", r.Ratio, slices.Min(r.Rounds), slices.Max(r.Rounds))
}

func versionList(versions map[string]string) string {
	var list []string
	for _, name := range []string{"node", "swc", "acorn", "magic-string", "istanbul"} {
		list = append(list, name+" "+versions[name])
	}
	return strings.Join(list, ", ")
}
