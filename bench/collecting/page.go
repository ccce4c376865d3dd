package collecting

import (
	"bytes"
	_ "embed"
	"text/template"
)

//go:generate go run ../document collect

//go:embed capacity.md.tmpl
var pageText string

var pageTemplate = template.Must(template.New("capacity.md").Funcs(template.FuncMap{
	"percent": func(share float64) float64 { return 100 * share },
	"month":   func(day float64) float64 { return 30 * day },
}).Parse(pageText))

// named is a stage with its name for tables.
type named struct {
	Name string
	*Stage
}

// stages are those that tables show.
func (r *Report) stages() []named {
	return []named{{"25 a second", &r.Once}, {"100 a second", &r.Four}, {"400 a second", &r.Sixteen}, {"100 a second, every idle tick told", &r.Told},
		{"**400 a second, sustained**", &r.Sustained}, {"as many as are taken", &r.Most}}
}

// Page is docs/capacity.md, made from the report.
func (r *Report) Page() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, struct {
		*Report
		Stages     []named
		Body       float64
		ToldFactor float64
		Routes     int
	}{r, r.stages(), r.Sustained.BytesOfBody / 1000, r.Told.CPU / max(r.Four.CPU, 1e-9), routes})
	return b.Bytes(), err
}
