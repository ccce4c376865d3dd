package visits

import (
	"bytes"
	_ "embed"
	"fmt"
	"text/template"

	"github.com/fieldprof/fieldprof/bench/plot"
)

//go:generate go run ../document page

//go:embed visits.md.tmpl
var pageText string

var pageTemplate = template.Must(template.New("visits.md").Parse(pageText))

// section is a site in a browser over a network.
type section struct {
	Name, Table string
	Rounds      int
}

// named is a site with what it is.
type named struct{ Name, What string }

// Page is docs/visits.md, made from the report.
func (r *Report) Page() ([]byte, error) {
	var built []named
	for _, s := range sites {
		built = append(built, named{s.name, r.Sites[s.name]})
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, struct {
		*Report
		Built    []named
		Results  []section
		List     string
		Pictures string
	}{r, built, r.sections(), r.SkippedList(), plot.Pictures(r.Plots(), "../bench/results")})
	return b.Bytes(), err
}

// sections are the results in order.
func (r *Report) sections() []section {
	var list []section
	for _, browser := range browsers {
		for _, network := range networkNames {
			for _, s := range sites {
				if cell := r.Cells[browser][network][s.name]; cell != nil {
					list = append(list, section{fmt.Sprintf("%s, %s network: %s", r.name(browser), network, s.name), cell.table(), cell.Rounds})
				}
			}
		}
	}
	return list
}
