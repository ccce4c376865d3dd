package bias

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// The plots are SVG of fixed size in the viewer's fonts and colours; titles and texts
// say what the marks do.
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
	p.WriteString("<style>text{fill:#333}.g{stroke:#ccc}.l{fill:none;stroke-width:1.5}@media(prefers-color-scheme:dark){text{fill:#ddd}.g{stroke:#555}}</style>\n")
	p.text(marginLeft, 18, "start", title)
	return p
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

// mark draws a point with its interval on the y axis.
func (p *plot) mark(x float64, y Estimate, colour, label string) {
	px, py := p.x.at(x), p.y.at(y.Value)
	fmt.Fprintf(p, `<path class="l" stroke="%s" d="M%.1f %.1fV%.1f"/><circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`+"\n",
		colour, px, p.y.at(y.Low), p.y.at(y.High), px, py, colour)
	p.text(px+7, py+4, "start", label)
}

// legend explains a colour, in line i at the upper right.
func (p *plot) legend(i int, colour, name string) {
	y := float64(marginTop + 14*(i+1))
	fmt.Fprintf(p, `<path class="l" stroke="%s" d="M%d %.1fh18"/>`+"\n", colour, plotWidth-marginEnd-18, y-4)
	p.text(plotWidth-marginEnd-24, y, "end", name)
}

// end closes the plot and returns it.
func (p *plot) end() []byte {
	p.WriteString("</svg>\n")
	return []byte(p.String())
}
