package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/estimate"
)

func TestNiceStep(t *testing.T) {
	for span, want := range map[float64]float64{1: 0.1, 4: 0.5, 10: 1, 12: 2, 45: 5, 99: 10, 1e9: 1e8} {
		if got := NiceStep(span); math.Abs(got-want) > want/1e6 {
			t.Errorf("%g: %g, want %g", span, got, want)
		}
	}
	if n := len(Axis{From: 0, To: 1e300}.Steps(1)); n != 100 {
		t.Errorf("%d steps", n)
	}
	if got := label(3 * 0.1); got != "0.3" {
		t.Errorf("three tenths are %s", got)
	}
}

// check finds what is wrong with a plot: positions that are no numbers, and texts that are not
// XML.
func check(t *testing.T, svg []byte) {
	t.Helper()
	if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
		t.Errorf("positions that are no numbers:\n%s", svg)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Every figure and every whole interval is in the plot; an interval that is cut ends at the edge, in
// an arrow.
func TestRows(t *testing.T) {
	e := func(value, low, high float64) *estimate.Estimate {
		return &estimate.Estimate{Value: value, Low: low, High: high}
	}
	r := Rows{Title: "Costs", Axis: "%", Series: []string{"idle", "recording"}, Rows: []Row{
		{Name: "acorn", Figures: []*estimate.Estimate{e(3, -900, 900), nil}, Cut: true},
		{Name: "mean", Figures: []*estimate.Estimate{e(1, -1, 2), e(12, 10, 14)}},
	}}
	svg := r.SVG()
	check(t, svg)
	from, to, _, _ := r.bounds()
	if from > -1 || from < -5 || to < 14 || to > 20 {
		t.Errorf("the axis is from %v to %v", from, to)
	}
	text := string(svg)
	if strings.Count(text, "<circle") != 3 || strings.Count(text, "l-5 4l5 4") != 1 || strings.Count(text, "l5 4l-5 4") != 1 {
		t.Errorf("not three figures, one of them with two arrows:\n%s", text)
	}
}

func TestRowsOfNothing(t *testing.T) {
	if svg := (Rows{Series: []string{"idle"}, Rows: []Row{{Name: "acorn", Figures: []*estimate.Estimate{nil}}}}).SVG(); svg != nil {
		t.Errorf("%s", svg)
	}
	one := estimate.Exactly(0)
	check(t, Rows{Series: []string{"idle"}, Rows: []Row{{Figures: []*estimate.Estimate{&one}}}}.SVG())
}

func TestHostileNames(t *testing.T) {
	name := "<script>alert(1)</script>\x1b[31m\x00" + strings.Repeat("x", 1000)
	one := estimate.Exactly(1)
	svg := Rows{Title: name, Axis: name, Series: []string{name}, Rows: []Row{{Name: name, Figures: []*estimate.Estimate{&one}}}}.SVG()
	check(t, svg)
	if bytes.Contains(svg, []byte("<script")) {
		t.Errorf("%s", svg)
	}
}

func TestPictures(t *testing.T) {
	one := estimate.Exactly(1)
	svg := func(title string) []byte {
		return Rows{Title: title, Series: []string{"s"}, Rows: []Row{{Figures: []*estimate.Estimate{&one}}}}.SVG()
	}
	got := Pictures(map[string][]byte{"b.svg": svg("Costs & gains"), "a.svg": svg("Gains")}, "../results")
	if want := "\n![Gains](../results/a.svg)\n\n![Costs & gains](../results/b.svg)\n"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
