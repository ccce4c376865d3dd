package plot

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/bench/estimate"
)

// Rows are figures with their intervals along one axis: what tables have in columns of
// numbers, to be seen at once.
type Rows struct {
	Title, Axis string
	Series      []string // the names of each row's figures
	Rows        []Row
	// None is the value that says that there is no effect. It has a heavy line.
	None float64
}

// Row has the figures of one thing, one for each series: nil if the series has none.
type Row struct {
	Name    string
	Figures []*estimate.Estimate
	// Cut rows have intervals that may go on beyond the axis, where they end in an arrow: a wide
	// one would leave no room for the others.
	Cut bool
}

// In pixels: the height of a figure, the distance between rows, and the width of a letter.
const (
	figureHeight = 10
	rowGap       = 8
	letter       = 6.6
)

// SVG draws the rows, or nothing if they have no figure.
func (r Rows) SVG() []byte {
	from, to, step, some := r.bounds()
	if !some {
		return nil
	}
	left := 20.0
	for _, row := range r.Rows {
		left = max(left, 14+letter*float64(utf8.RuneCountInString(row.Name)))
	}
	each := float64(figureHeight*len(r.Series) + rowGap)
	top := float64(marginTop + 16*len(r.Series))
	height := top + each*float64(len(r.Rows)) + marginFoot
	p := begin(r.Title, 8, int(height), Axis{from, to, min(left, width/2), width - marginEnd}, Axis{float64(len(r.Rows)), 0, height - marginFoot, top})
	for s, name := range r.Series {
		p.explain(8, float64(marginTop+16*s), 24, "start", s, name)
	}
	p.Columns(step)
	p.Text((p.X.Start+p.X.End)/2, height-10, "middle", r.Axis)
	fmt.Fprintf(p, `<line class="g" stroke-width="3" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", p.X.At(r.None), p.Y.Start, p.X.At(r.None), p.Y.End)
	for i, row := range r.Rows {
		y := p.Y.At(float64(i))
		p.line(8, y, p.X.End, y)
		p.Text(p.X.Start-6, y+each/2+4, "end", row.Name)
		for s, e := range row.Figures {
			if e != nil {
				p.interval(*e, y+rowGap/2+figureHeight*(float64(s)+0.5), s)
			}
		}
	}
	return p.End()
}

// bounds are those of the axis: all figures are in it, and the intervals of rows that are not cut.
func (r Rows) bounds() (from, to, step float64, some bool) {
	from, to = r.None, r.None
	for _, row := range r.Rows {
		for _, e := range row.Figures {
			if e == nil {
				continue
			}
			some = true
			from, to = min(from, e.Value), max(to, e.Value)
			if !row.Cut {
				from, to = min(from, e.Low), max(to, e.High)
			}
		}
	}
	space := max(to-from, 1e-3) / 40
	step = NiceStep(to - from + 2*space)
	return math.Floor((from-space)/step) * step, math.Ceil((to+space)/step) * step, step, some
}

// interval draws a figure, with arrows where its interval goes on beyond the axis.
func (p *Plot) interval(e estimate.Estimate, y float64, series int) {
	low, high := p.X.At(max(e.Low, p.X.From)), p.X.At(min(e.High, p.X.To))
	fmt.Fprintf(p, `<path class="l s%d" d="M%.1f %.1fH%.1f`, series, low, y, high)
	if e.Low < p.X.From {
		fmt.Fprintf(p, "M%.1f %.1fl-5 4l5 4", low+5, y-4)
	}
	if e.High > p.X.To {
		fmt.Fprintf(p, "M%.1f %.1fl5 4l-5 4", high-5, y-4)
	}
	fmt.Fprintf(p, `"/><circle class="f%d" cx="%.1f" cy="%.1f" r="3.5"/>`+"\n", series, p.X.At(e.Value), y)
}
