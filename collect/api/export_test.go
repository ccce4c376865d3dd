package api_test

import (
	"bytes"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
)

// Every format can be asked for, and the answer can be read.
func TestExports(t *testing.T) {
	c := newCollector(t)
	c.fill()
	for _, f := range format.All() {
		r := c.ask("GET", "/api/v1/profile?app=shop&format="+f.Name, "")
		body := c.want(r, 200)
		if want := `attachment; filename="shop-20261122T1200` + f.Extensions[0] + `"`; r.Header.Get("Content-Disposition") != want {
			t.Errorf("%s: %v, want %s", f.Name, r.Header, want)
		}
		p, err := f.Read(bytes.NewReader(body))
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		var names []string
		for i := range p.Functions.Name {
			names = append(names, p.Function(profile.FunctionID(i)).Name)
		}
		if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, "price") }) {
			t.Errorf("%s has %q", f.Name, names)
		}
	}
	if body := c.want(c.ask("HEAD", "/api/v1/profile?app=shop&format=cpuprofile", ""), 200); len(body) != 0 {
		t.Errorf("HEAD has %d bytes", len(body))
	}
	c.want(c.ask("GET", "/api/v1/profile?app=news&format=sentry", ""), 422, "format: the profile cannot be written")
	c.want(c.ask("GET", "/api/v1/profile?app=news&format=cpuprofile", ""), 200)
}

var plainName = regexp.MustCompile(`^attachment; filename="[A-Za-z0-9_-][A-Za-z0-9._-]*"$`)

// The name of an exported file is plain, even if that of the app is not.
func TestNamesOfExports(t *testing.T) {
	c := newCollector(t)
	for _, name := range []string{"html", "cpuprofile", "pprof"} {
		r := c.ask("GET", "/api/v1/profile?app="+url.QueryEscape(oddApp)+"&format="+name, "")
		c.want(r, 200)
		if d := r.Header.Get("Content-Disposition"); !plainName.MatchString(d) || r.Header.Get("X-Injected") != "" {
			t.Errorf("%q", d)
		}
	}
}

// Content from pages never becomes markup, and parameters never become part of a query.
func TestHostileContent(t *testing.T) {
	c := newCollector(t)
	c.fill()
	for _, target := range []string{"values", "overview?by=x-plan", "functions", "slices", "examples", "grafana/table?by=x-plan", "grafana/flamegraph", "profile?format=html", "profile?format=columns", "diff?before=release:1.1&after=release:1.2&format=html"} {
		target, query, _ := strings.Cut(target, "?")
		r := c.ask("GET", "/api/v1/"+target+"?app=shop&"+query, "")
		body := string(c.want(r, 200))
		if strings.Contains(body, "<script>alert") || strings.Contains(body, "<b>buy") {
			t.Errorf("%s has markup from pages: %.300s", target, body)
		}
		if kind := r.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/html") && !strings.HasPrefix(r.Header.Get("Content-Disposition"), "attachment;") {
			t.Errorf("%s is a page that opens: %v", target, r.Header)
		}
	}
	for _, value := range []string{`' OR '1'='1`, `%' --`, `x"); DROP TABLE chunks; --`, "/cart\x01", strings.Repeat("ü", 900), "*", "/c_rt", "/car%"} {
		body := string(c.want(c.ask("GET", "/api/v1/overview?app=shop&where=route:"+url.QueryEscape(value), ""), 200, `"rows":[]`))
		if strings.Contains(body, "chunks\":") {
			t.Errorf("%q finds %s", value, body)
		}
	}
	found := decode[struct{ Rows []any }](t, c.want(c.ask("GET", "/api/v1/overview?app=shop&where=x-plan:"+url.QueryEscape(`"><script>alert(1)</script>`), ""), 200))
	if len(found.Rows) != 2 {
		t.Errorf("%v", found)
	}
}

// The flame graph of Grafana's panel is a nested set: levels that begin with the root, and
// children that fit into their parents.
func TestFlamesNest(t *testing.T) {
	c := newCollector(t)
	c.fill()
	rows := decode[[]struct {
		Level       int
		Value, Self float64
		Label       string
	}](t, c.want(c.ask("GET", "/api/v1/grafana/flamegraph?app=shop", ""), 200))
	// 24 chunks at a rate of 0.1: 100 + 20 ticks of 10 ms in half of them, 100 + 60 in the others.
	if len(rows) != 4 || rows[0].Label != "all" || !near(rows[0].Value, 10*10*12*(120+160)) || !near(rows[2].Self, 10*10*24*100) || !strings.HasPrefix(rows[2].Label, "draw (") {
		t.Errorf("%+v", rows)
	}
	left := []float64{}
	for i, row := range rows {
		if row.Level > len(left) || i == 0 && row.Level != 0 {
			t.Fatalf("row %d skips a level: %+v", i, rows)
		}
		if left = left[:row.Level]; row.Level > 0 {
			if left[row.Level-1] -= row.Value; left[row.Level-1] < -1 {
				t.Errorf("row %d does not fit: %+v", i, rows)
			}
		}
		left = append(left, row.Value-row.Self)
	}
}

func near(got, want float64) bool { return got > want*0.99 && got < want*1.01 }

// Series have a point for each step, with what is not known as null.
func TestSeries(t *testing.T) {
	c := newCollector(t)
	c.fill()
	type row struct {
		Time           int64
		INP, Self      *float64
		Low            *float64 `json:"inp_low"`
		Views, Profile *float64
	}
	ask := func(query string) []row {
		t.Helper()
		return decode[[]row](t, c.want(c.ask("GET", "/api/v1/grafana/timeseries?app=shop&from=now-12h&step=1h&"+query, ""), 200))
	}
	inp := ask("measure=inp")
	if len(inp) != 12 || inp[0].Time != noon.Add(-12*60*60*1e9).UnixMilli() || inp[0].INP != nil || inp[11].INP == nil || inp[11].Low == nil || *inp[11].INP < 195 || *inp[11].INP > 230 {
		t.Errorf("%+v", inp)
	}
	if views := ask("measure=views"); *views[11].Views != 6 || *views[9].Views != 6 {
		t.Errorf("%+v", views)
	}
	// Steps are whole minutes: else those with one minute and with two would take turns.
	times := decode[[]row](t, c.want(c.ask("GET", "/api/v1/grafana/timeseries?app=shop&from=now-10m&step=90s&measure=views", ""), 200))
	if len(times) < 10 || times[1].Time-times[0].Time != 60_000 {
		t.Errorf("%+v", times)
	}
	if share := ask("name=price"); len(share) != 12 || share[11].Self == nil || !near(*share[11].Self, 40.0/140) {
		t.Errorf("%+v", share)
	}
}

// An export that fails is an error in JSON.
func TestHalfAnExportIsNone(t *testing.T) {
	c := newCollector(t)
	r := c.ask("GET", "/api/v1/slices/0123456789abcdef0123456789abcdef/profile?app=shop&format=html", "")
	if c.want(r, 404); r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Content-Disposition") != "" {
		t.Errorf("%v", r.Header)
	}
	if _, err := io.ReadAll(r.Body); err != nil {
		t.Error(err)
	}
}
