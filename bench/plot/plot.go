// Package plot draws the plots of the bench: SVG of a fixed width in the viewer's fonts,
// readable in light and dark themes. Titles and texts say what the marks do.
package plot

import (
	"fmt"
	"html"
	"math"
	"strings"
	"unicode"

	"github.com/fieldprof/fieldprof/bench/estimate"
)

const (
	width       = 640
	usualHeight = 360
	marginLeft  = 56
	marginTop   = 36
	marginEnd   = 24 // right
	marginFoot  = 48
)

// Axis maps values to pixels.
type Axis struct {
	From, To   float64
	Start, End float64 // in pixels
}

// At is where a value is.
func (a Axis) At(v float64) float64 {
	return a.Start + (v-a.From)/(a.To-a.From)*(a.End-a.Start)
}

// Steps are the multiples of a step on an axis, a hundred at most.
func (a Axis) Steps(step float64) []float64 {
	var list []float64
	first := math.Ceil(a.From / step)
	for i := range 100 {
		v := (first + float64(i)) * step
		if v > a.To+1e-9 {
			break
		}
		list = append(list, v)
	}
	return list
}

// NiceStep is 1, 2 or 5 times a power of ten, and divides a span into at most ten
// steps.
func NiceStep(span float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(max(span, 1e-3)))-1)
	for _, times := range []float64{1, 2, 5, 10} {
		if span <= 10*times*power {
			return times * power
		}
	}
	return 20 * power
}

// Plot is an SVG under way.
type Plot struct {
	strings.Builder
	X, Y   Axis
	height int
}

// New begins a plot whose axes have these bounds.
func New(title string, fromX, toX, fromY, toY float64) *Plot {
	return begin(title, marginLeft, usualHeight, Axis{fromX, toX, marginLeft, width - marginEnd}, Axis{fromY, toY, usualHeight - marginFoot, marginTop})
}

// begin begins a plot with its title at a distance from the left.
func begin(title string, left float64, height int, x, y Axis) *Plot {
	p := &Plot{X: x, Y: y, height: height}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(p, "<title>%s</title>\n", escaped(title))
	fmt.Fprintf(p, "<style>%s@media(prefers-color-scheme:dark){%s}</style>\n", ".l{fill:none;stroke-width:1.5}"+style("#333", "#ccc", light), style("#ddd", "#555", dark))
	p.Text(left, 18, "start", title)
	return p
}

// light and dark are the colours of series, distinguishable by the colour-blind, for
// either background.
var (
	light = []string{"#0072b2", "#b34e00", "#00795a", "#a8568a", "#8a6100", "#2b7ca8"}
	dark  = []string{"#5ab4e8", "#ff9248", "#2fc99d", "#e59cc6", "#f0b840", "#9fd6f5"}
)

// Colours is the number of series that have a colour of their own.
var Colours = len(light)

// style is the colours of a theme: .sN draws lines of a series, .fN fills its marks.
func style(text, grid string, series []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "text{fill:%s}.g{stroke:%s}", text, grid)
	for i, colour := range series {
		fmt.Fprintf(&b, ".s%d{stroke:%s}.f%d{fill:%s}", i, colour, i, colour)
	}
	return b.String()
}

// escaped is a text as XML may hold it: names come from programs, and XML has no controls.
func escaped(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text))
}

// Text writes a text that starts, ends or has its middle at a place.
func (p *Plot) Text(x, y float64, anchor, text string) {
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, escaped(text))
}

// Grid draws lines and labels at steps of both axes, and names the axes.
func (p *Plot) Grid(stepX, stepY float64, nameX, nameY string) {
	p.Columns(stepX)
	p.Rows(stepY)
	p.Names(nameX, nameY)
}

// Columns draws lines and labels at steps of the x axis.
func (p *Plot) Columns(step float64) {
	for _, v := range p.X.Steps(step) {
		p.line(p.X.At(v), p.Y.Start, p.X.At(v), p.Y.End)
		p.Text(p.X.At(v), p.Y.Start+16, "middle", label(v))
	}
}

// Rows draws lines and labels at steps of the y axis.
func (p *Plot) Rows(step float64) {
	for _, v := range p.Y.Steps(step) {
		p.line(p.X.Start, p.Y.At(v), p.X.End, p.Y.At(v))
		p.Text(p.X.Start-6, p.Y.At(v)+4, "end", label(v))
	}
}

// label is a step's, without the rounding of its product.
func label(v float64) string { return fmt.Sprintf("%.6g", v) }

// Names names the axes.
func (p *Plot) Names(nameX, nameY string) {
	p.Text((p.X.Start+p.X.End)/2, float64(p.height-10), "middle", nameX)
	fmt.Fprintf(p, `<text transform="translate(14 %.1f) rotate(-90)" text-anchor="middle">%s</text>`+"\n", (p.Y.Start+p.Y.End)/2, escaped(nameY))
}

func (p *Plot) line(x1, y1, x2, y2 float64) {
	fmt.Fprintf(p, `<line class="g" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", x1, y1, x2, y2)
}

// Mark draws a point of a series with its intervals on both axes.
func (p *Plot) Mark(x, y estimate.Estimate, series int, label string) {
	px, py := p.X.At(x.Value), p.Y.At(y.Value)
	fmt.Fprintf(p, `<path class="l s%d" d="M%.1f %.1fV%.1fM%.1f %.1fH%.1f"/><circle class="f%d" cx="%.1f" cy="%.1f" r="4"/>`+"\n",
		series, px, p.Y.At(y.Low), p.Y.At(y.High), p.X.At(x.Low), py, p.X.At(x.High), series, px, py)
	if label != "" {
		p.Text(px+7, py-5, "start", label)
	}
}

// Corner is where a legend is out of the marks' way.
type Corner struct{ Left, Bottom bool }

// Legend explains a series, in line i from the corner.
func (p *Plot) Legend(i int, at Corner, series int, name string) {
	x, y, anchor, beside := p.X.End-18, p.Y.End+float64(14*(i+1)), "end", -6.0
	if at.Bottom {
		y = p.Y.Start - 8 - float64(14*i)
	}
	if at.Left {
		x, anchor, beside = p.X.Start+6, "start", 24
	}
	p.explain(x, y, beside, anchor, series, name)
}

// explain draws a series' colour, and its name beside it.
func (p *Plot) explain(x, y, beside float64, anchor string, series int, name string) {
	fmt.Fprintf(p, `<path class="l s%d" d="M%.1f %.1fh18"/>`+"\n", series, x, y-4)
	p.Text(x+beside, y, anchor, name)
}

// End closes the plot and returns it.
func (p *Plot) End() []byte {
	p.WriteString("</svg>\n")
	return []byte(p.String())
}
