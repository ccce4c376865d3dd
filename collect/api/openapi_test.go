package api_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/api"
)

// described is the description that the API serves.
func (c *collector) described() *openapi3.T {
	c.t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(c.want(c.ask("GET", "/api/v1/openapi.json", "", token("")), 200))
	if err == nil {
		err = doc.Validate(c.t.Context())
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return doc
}

// Every endpoint is described with its parameters, and nothing else is.
func TestEndpointsAreDescribed(t *testing.T) {
	var is, want []string
	line := func(method, path string, parameters []string) string {
		slices.Sort(parameters)
		return method + " " + path + "?" + strings.Join(parameters, "&")
	}
	for _, e := range api.Endpoints() {
		is = append(is, line(e.Method, strings.ReplaceAll(e.Path, "...", ""), e.Parameters))
	}
	for path, item := range newCollector(t).described().Paths.Map() {
		for method, operation := range item.Operations() {
			var names []string
			for _, p := range operation.Parameters {
				if p.Value.In == "query" {
					names = append(names, p.Value.Name)
				} else if !strings.Contains(path, "{"+p.Value.Name+"}") {
					t.Errorf("%s has no %s", path, p.Value.Name)
				}
			}
			want = append(want, line(method, path, names))
		}
	}
	slices.Sort(is)
	slices.Sort(want)
	if !slices.Equal(is, want) {
		t.Errorf("there are\n%s\ndescribed are\n%s", strings.Join(is, "\n"), strings.Join(want, "\n"))
	}
}

// Responses are as described, whether they are answers or refusals.
func TestResponsesAreAsDescribed(t *testing.T) {
	c := newCollector(t)
	doc := c.described()
	c.fill()
	c.budgets = []answer.BudgetRow{{Name: "parsing", Measure: "self", Unit: "%", Max: 5, Value: 7, Margin: 1, Broken: true, Since: noon, Checked: noon}, {Name: "new", Checked: noon}}
	slices := decode[answer.Slices](t, c.want(c.ask("GET", "/api/v1/slices?app=shop", ""), 200))
	examples := decode[answer.Examples](t, c.want(c.ask("GET", "/api/v1/examples?app=shop", ""), 200))
	slice, example := slices.Slices[0].ID, examples.Examples[0].ID
	json := func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }
	for _, x := range []struct {
		method, target, body string
		status               int
	}{
		{"GET", "openapi.json", "", 200},
		{"POST", "session", `{"token":"` + all + `"}`, 204},
		{"POST", "session", `{"token":"wrong"}`, 401},
		{"DELETE", "session", "", 204},
		{"GET", "apps", "", 200},
		{"GET", "values?app=shop", "", 200},
		{"GET", "values?app=news", "", 200},
		{"GET", "overview?app=shop&where=release:1.2&where=release:1.1&where=route:/cart", "", 200},
		{"GET", "overview?app=news", "", 200},
		{"GET", "overview?app=shop&by=", "", 200},
		{"GET", "overview?app=shop&from=now&to=now-1h", "", 400},
		{"GET", "overview?app=other", "", 403},
		{"GET", "functions?app=shop&limit=1", "", 200},
		{"GET", "functions?app=news", "", 200},
		{"GET", "functions?app=shop&slow=1", "", 200},
		{"GET", "profile?app=shop&format=pprof", "", 200},
		{"GET", "profile?app=shop&format=html", "", 200},
		{"GET", "profile?app=shop&format=columns&ignored=keep&deployed=1", "", 200},
		{"GET", "diff?app=shop&before=release:1.1&after=release:1.2", "", 200},
		{"GET", "diff?app=shop&before=release:1.1&after=release:1.2&format=columns", "", 200},
		{"GET", "diff?app=shop&from=now-2h&before-from=now-5h&before-to=now-2h", "", 200},
		{"GET", "diff?app=shop&from=now-2h&before-from=now-50d&before-to=now-49d", "", 422},
		{"GET", "trend?app=shop&name=price&step=1h", "", 200},
		{"GET", "trend?app=news&name=none", "", 200},
		{"GET", "slices?app=shop", "", 200},
		{"GET", "slices?app=news", "", 200},
		{"GET", "slices/" + slice + "?app=shop", "", 200},
		{"GET", "slices/" + slice + "?app=news", "", 404},
		{"GET", "slices/" + slice + "/profile?app=shop&format=cpuprofile", "", 200},
		{"GET", "examples?app=shop&limit=2", "", 200},
		{"GET", "examples?app=news", "", 200},
		{"GET", "examples/" + example + "/profile?app=shop&format=html", "", 200},
		{"GET", "examples/" + slice + "/profile?app=shop&format=html", "", 404},
		{"GET", "budgets?app=shop", "", 200},
		{"GET", "files?app=shop", "", 200},
		{"PUT", "files/1.2/app.js.map?app=shop", sourceMap, 201},
		{"PUT", "files/1.2/app.js.map?app=shop", sourceMap, 200},
		{"PUT", "files/1.2/app.js.map?app=shop", "{}", 422},
		{"GET", "files?app=shop", "", 200},
		{"GET", "files/1.2/app.js.map?app=shop", "", 200},
		{"GET", "files/1.3/app.js.map?app=shop", "", 404},
		{"GET", "grafana/flamegraph?app=shop", "", 200},
		{"GET", "grafana/flamegraph?app=news", "", 200},
		{"GET", "grafana/table?app=shop", "", 200},
		{"GET", "grafana/table?app=news", "", 200},
		{"GET", "grafana/functions?app=shop", "", 200},
		{"GET", "grafana/timeseries?app=shop&measure=inp", "", 200},
		{"GET", "grafana/timeseries?app=shop&measure=views", "", 200},
		{"GET", "grafana/timeseries?app=shop&name=price", "", 200},
		{"GET", "grafana/timeseries?app=news&name=price&measure=share", "", 200},
	} {
		r := c.ask(x.method, "/api/v1/"+x.target, x.body, json)
		body := c.want(r, x.status)
		if err := asDescribed(t.Context(), doc, x.method, x.target, r, body); err != nil {
			t.Errorf("%s %s: %v\n%.500s", x.method, x.target, err, body)
		}
	}
}

// template finds the path of the description that a request's path is of.
func template(doc *openapi3.T, path string) string {
	for known := range doc.Paths.Map() {
		pattern := regexp.QuoteMeta(known)
		pattern = strings.ReplaceAll(pattern, `\{name\}`, ".+")
		pattern = regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(pattern, "[^/]+")
		if regexp.MustCompile("^" + pattern + "$").MatchString(path) {
			return known
		}
	}
	return ""
}

// asDescribed validates a response.
func asDescribed(ctx context.Context, doc *openapi3.T, method, target string, r *http.Response, body []byte) error {
	path, query, _ := strings.Cut(target, "?")
	known := template(doc, "/"+path)
	item := doc.Paths.Find(known)
	request := &http.Request{Method: method, URL: &url.URL{Path: "/api/v1/" + path, RawQuery: query}, Header: http.Header{}}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request,
			Route: &routers.Route{Spec: doc, Path: known, PathItem: item, Method: method, Operation: item.GetOperation(method)}},
		Status: r.StatusCode, Header: r.Header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	return openapi3filter.ValidateResponse(ctx, input)
}
