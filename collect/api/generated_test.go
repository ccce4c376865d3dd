package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/api"
)

// texts are values for parameters of any name, among them some that nobody would write.
var texts = []string{"", "0", "1", "-1", "x", "99999999999999999999", "NaN", "null", "true", "%", "\x00", "\xff", "\u202e", "'; DROP TABLE chunks; --", "<script>alert(1)</script>",
	"../../etc/passwd", strings.Repeat("a", 2049), "2026-11-23T11:00:00Z", "2026-11-23T11:00:00+23:59", "now", "now-1ns", "now-1h", "now-400d", "1ns", "1h", "7d", "10000d", "release:1.1", "route:", ":", "x-plan:a", "release,route", ",", "route,x-plan"}

// usual has the usual values of parameters, so that many requests are valid.
var usual = map[string][]string{
	"app": {"shop", "shop", "shop", "news", oddApp}, "from": {"now-1h", "now-7d"}, "to": {"now", "now-30m"}, "where": {"release:1.1", "release:1.2", "route:/cart"}, "slow": {"1", "0"},
	"by": {"release", "", "x-plan,browser"}, "limit": {"1", "5000"}, "ignored": {"keep"}, "deployed": {"1"}, "format": {"html", "columns", "pprof", "sentry", "folded", "wicg1", "otlp"},
	"before": {"release:1.1"}, "after": {"release:1.2"}, "before-from": {"now-8h"}, "before-to": {"now-1h"}, "name": {"price", "draw", "click", "(program)"}, "file": {"https://shop.example/app.js"},
	"line": {"2", "1073741824"}, "step": {"1h", "1m", "24h"}, "what": {"interaction", "load"}, "target": {"button#<b>buy</b>"}, "release": {"1.1", "none"}, "measure": {"inp", "views", "share", "long_tasks"},
}

// generated returns a random request.
func generated(random *rand.Rand, endpoints []api.Endpoint, ids []string) (method, target string) {
	of := func(list []string) string { return list[random.IntN(len(list))] }
	e := endpoints[random.IntN(len(endpoints))]
	path := e.Path
	for _, part := range []string{"{id}", "{release}", "{name...}"} {
		value := of(append(ids, "1.2", "app.js.map"))
		if random.IntN(8) == 0 {
			value = of(texts)
		}
		path = strings.ReplaceAll(path, part, url.PathEscape(value))
	}
	values := url.Values{}
	for _, name := range append(e.Parameters, "nobody-knows") {
		switch n := random.IntN(20); {
		case name == "app" && n > 0, name == "format" && n > 2, n > 13 && usual[name] != nil:
			values.Add(name, of(usual[name]))
		case n < 1:
			values.Add(name, of(texts))
		}
		if random.IntN(40) == 0 {
			values.Add(name, of(append(usual[name], texts...)))
		}
	}
	method = e.Method
	if random.IntN(20) == 0 {
		method = of([]string{"GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH"})
	}
	return method, strings.TrimPrefix(path, "/") + "?" + values.Encode()
}

// Any combination of parameters is answered, or refused with a reason, as described.
func TestGeneratedRequests(t *testing.T) {
	c := newCollector(t)
	doc := c.described()
	c.fill()
	endpoints := api.Endpoints()
	slices := decode[answer.Slices](t, c.want(c.ask("GET", "/api/v1/slices?app=shop", ""), 200))
	examples := decode[answer.Examples](t, c.want(c.ask("GET", "/api/v1/examples?app=shop", ""), 200))
	ids := []string{slices.Slices[0].ID, examples.Examples[0].ID, slices.Slices[5].ID}
	statuses := map[int]int{}
	for seed := range uint64(600) {
		random := rand.New(rand.NewPCG(seed, 18))
		method, target := generated(random, endpoints, ids)
		r := c.ask(method, "/api/v1/"+target, sourceMap, func(r *http.Request) {
			r.URL.Path, _ = url.PathUnescape(r.URL.RawPath) // escaped by generated
			if seed%16 == 0 {
				r.Header.Set("Authorization", "Bearer "+readShop)
			}
		})
		statuses[r.StatusCode/100]++
		about := fmt.Sprintf("seed %d: %s %.200s", seed, method, target)
		if r.StatusCode >= 500 || r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("X-Injected") != "" {
			t.Errorf("%s: %d %v", about, r.StatusCode, r.Header)
		}
		body := c.want(r, r.StatusCode)
		if known := template(doc, "/"+strings.Split(target, "?")[0]); method == "HEAD" || known == "" || doc.Paths.Find(known).GetOperation(method) == nil {
			continue // not described, as such: refused above
		}
		if err := asDescribed(t.Context(), doc, method, target, r, body); err != nil {
			t.Errorf("%s: %v\n%.300s", about, err, body)
		}
	}
	if statuses[2] < 150 || statuses[4] < 100 {
		t.Errorf("the requests are one-sided: %v", statuses)
	}
}
