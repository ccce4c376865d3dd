package bias

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// The plots are SVG of fixed size in the viewer's fonts, readable in light and dark
// themes; titles and texts say what the marks do.
const (
	plotWidth  = 640
	plotHeight = 360
	marginLeft = 56
	marginTop  = 36
	marginEnd  = 24 // right
	marginFoot = 48
)

// axis maps values to pixels.
type axis struct {
	from, to   float64
	start, end float64 // in pixels
}

func (a axis) at(v float64) float64 {
	return a.start + (v-a.from)/(a.to-a.from)*(a.end-a.start)
}

// plot is an SVG under way.
type plot struct {
	strings.Builder
	x, y axis
}

func newPlot(title string, fromX, toX, fromY, toY float64) *plot {
	p := &plot{
		x: axis{fromX, toX, marginLeft, plotWidth - marginEnd},
		y: axis{fromY, toY, plotHeight - marginFoot, marginTop},
	}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(p, "<title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(p, "<style>%s@media(prefers-color-scheme:dark){%s}</style>\n", ".l{fill:none;stroke-width:1.5}"+style("#333", "#ccc", light), style("#ddd", "#555", dark))
	p.text(marginLeft, 18, "start", title)
	return p
}

// light and dark are the colours of series, distinguishable by the colour-blind, for
// either background.
var (
	light = []string{"#0072b2", "#b34e00", "#00795a", "#a8568a", "#8a6100", "#2b7ca8"}
	dark  = []string{"#5ab4e8", "#ff9248", "#2fc99d", "#e59cc6", "#f0b840", "#9fd6f5"}
)

// style is the colours of a theme: .sN draws lines of a series, .fN fills its marks.
func style(text, grid string, series []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "text{fill:%s}.g{stroke:%s}", text, grid)
	for i, colour := range series {
		fmt.Fprintf(&b, ".s%d{stroke:%s}.f%d{fill:%s}", i, colour, i, colour)
	}
	return b.String()
}

func (p *plot) text(x, y float64, anchor, text string) {
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(text))
}

// grid draws lines and labels at steps of both axes, and names the axes.
func (p *plot) grid(stepX, stepY float64, nameX, nameY string) {
	for _, v := range steps(p.x, stepX) {
		p.line(p.x.at(v), p.y.start, p.x.at(v), p.y.end)
		p.text(p.x.at(v), p.y.start+16, "middle", fmt.Sprintf("%g", v))
	}
	p.rows(stepY)
	p.names(nameX, nameY)
}

func (p *plot) rows(stepY float64) {
	for _, v := range steps(p.y, stepY) {
		p.line(p.x.start, p.y.at(v), p.x.end, p.y.at(v))
		p.text(p.x.start-6, p.y.at(v)+4, "end", fmt.Sprintf("%g", v))
	}
}

// steps are the multiples of a step on an axis, a hundred at most.
func steps(a axis, step float64) []float64 {
	var list []float64
	first := math.Ceil(a.from / step)
	for i := range 100 {
		v := (first + float64(i)) * step
		if v > a.to+1e-9 {
			break
		}
		list = append(list, v)
	}
	return list
}

func (p *plot) names(nameX, nameY string) {
	p.text((p.x.start+p.x.end)/2, plotHeight-10, "middle", nameX)
	fmt.Fprintf(p, `<text transform="translate(14 %.1f) rotate(-90)" text-anchor="middle">%s</text>`+"\n", (p.y.start+p.y.end)/2, html.EscapeString(nameY))
}

func (p *plot) line(x1, y1, x2, y2 float64) {
	fmt.Fprintf(p, `<line class="g" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", x1, y1, x2, y2)
}

// mark draws a point of a series with its intervals on both axes.
func (p *plot) mark(x, y Estimate, series int, label string) {
	px, py := p.x.at(x.Value), p.y.at(y.Value)
	fmt.Fprintf(p, `<path class="l s%d" d="M%.1f %.1fV%.1fM%.1f %.1fH%.1f"/><circle class="f%d" cx="%.1f" cy="%.1f" r="4"/>`+"\n",
		series, px, p.y.at(y.Low), p.y.at(y.High), p.x.at(x.Low), py, p.x.at(x.High), series, px, py)
	if label != "" {
		p.text(px+7, py-5, "start", label)
	}
}

// corner is where a legend is out of the marks' way.
type corner struct{ left, bottom bool }

// legend explains a series, in line i from the corner.
func (p *plot) legend(i int, at corner, series int, name string) {
	x, y, anchor, beside := float64(plotWidth-marginEnd-18), float64(marginTop+14*(i+1)), "end", -6.0
	if at.bottom {
		y = float64(plotHeight - marginFoot - 8 - 14*i)
	}
	if at.left {
		x, anchor, beside = marginLeft+6, "start", 24
	}
	fmt.Fprintf(p, `<path class="l s%d" d="M%.1f %.1fh18"/>`+"\n", series, x, y-4)
	p.text(x+beside, y, anchor, name)
}

// end closes the plot and returns it.
func (p *plot) end() []byte {
	p.WriteString("</svg>\n")
	return []byte(p.String())
}
