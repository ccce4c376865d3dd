package api_test

import (
	"net/url"
	"strings"
	"testing"
)

// A wrong parameter is named, with what would be right.
func TestParametersAreChecked(t *testing.T) {
	c := newCollector(t)
	long := strings.Repeat("x", 3000)
	for target, says := range map[string]string{
		"overview?app=shop&aap=1":                                        `"aap": unknown parameter; this address takes app, from, to, where, slow, by`,
		"apps?x=1":                                                       "takes no parameters",
		"overview?app=shop&app=shop":                                     "app: given 2 times",
		"overview?app=shop&from=yesterday":                               "from: a moment such as",
		"overview?app=shop&from=now%2B1h":                                "from: a moment such as",
		"overview?app=shop&from=now-":                                    "from: a moment such as",
		"overview?app=shop&from=now-0s":                                  "from: a moment such as",
		"overview?app=shop&from=now--1h":                                 "from: a moment such as",
		"overview?app=shop&from=now-99999999d":                           "from: a moment such as",
		"overview?app=shop&from=1234-01-01T00:00:00Z":                    "from: a moment such as",
		"overview?app=shop&from=now&to=now-1h":                           "is not before",
		"overview?app=shop&from=2020-01-01T00:00:00Z":                    "more than two years",
		"overview?app=shop&where=route":                                  "where: LABEL:VALUE, such as route:/cart",
		"overview?app=shop&where=' OR 1=1--:x":                           "the labels are release, route",
		"overview?app=shop&where=x-:x":                                   "where: LABEL:VALUE",
		"overview?app=shop&by=route,route":                               "by: labels separated by commas",
		"overview?app=shop&by=release;DROP":                              "the query of the URL is malformed",
		"overview?app=shop&by=release,DROP":                              "by: labels",
		"overview?app=shop&by=release,route,os,device,cores":             "at most 4",
		"overview?app=shop&slow=yes":                                     "slow: 1, or leave it out",
		"overview?app=shop&where=route:" + long:                          "at most 2048 bytes",
		"overview?app=shop&where=route:%ff":                              "UTF-8",
		"overview?app=shop&where=route:%00":                              "UTF-8",
		"overview?app=shop&where=" + strings.Repeat("x", 17<<10):         "longer than 16 KiB",
		"overview?app=shop" + strings.Repeat("&where=route:/a", 51):      "at most 50",
		"functions?app=shop&limit=0":                                     "limit: a whole number from 1 to 5000",
		"functions?app=shop&limit=1e3":                                   "limit: a whole number",
		"functions?app=shop&limit=99999999999999999999":                  "limit: a whole number",
		"functions?app=shop&ignored=yes":                                 "ignored: keep, not",
		"profile?app=shop":                                               "format: name one of cpuprofile, pprof",
		"profile?app=shop&format=../../etc/passwd":                       "unknown format",
		"diff?app=shop":                                                  "before=release:1.1&after=release:1.2",
		"diff?app=shop&before=1.1":                                       "before: LABEL:VALUE",
		"diff?app=shop&before=release:1&format=pprof":                    "which hold two profiles",
		"diff?app=shop&before-from=now":                                  "before-from and before-to",
		"trend?app=shop":                                                 "name: which function?",
		"trend?app=shop&name=f&step=1s":                                  "step: a duration",
		"trend?app=shop&name=f&step=1m&from=now-30d":                     "more than 1000 steps",
		"trend?app=shop&name=f&line=-1":                                  "line: a whole number",
		"slices?app=shop&what=click":                                     "what: interaction, long-frame",
		"slices/123?app=shop":                                            "an id is 32 hexadecimal digits",
		"slices/0123456789abcdef0123456789abcdeg?app=shop":               "an id is 32 hexadecimal digits",
		"examples/%2e%2e/profile?app=shop&format=pprof":                  "an id is 32 hexadecimal digits",
		"grafana/timeseries?app=shop":                                    "measure: which?",
		"grafana/timeseries?app=shop&measure=x":                          "measure: share,",
		"grafana/timeseries?app=shop&measure=inp&step=1m":                "more than 100 steps",
		"grafana/timeseries?app=shop&measure=share":                      "name: which function?",
		"overview?app=" + url.QueryEscape("\r\nSet-Cookie: x=1\r\n\r\n"): "does not admit",
	} {
		r := c.ask("GET", "/api/v1/"+target, "")
		status := r.StatusCode
		if status/100 != 4 || len(r.Header["Set-Cookie"]) > 0 {
			t.Errorf("%.80s: %d %v", target, status, r.Header)
			continue
		}
		if body := c.want(r, status, says); len(body) > 2000 {
			t.Errorf("%.80s: the error has %d bytes", target, len(body))
		}
	}
}

// Any parameters are answered or refused, and nothing fails.
func FuzzParameters(f *testing.F) {
	for _, query := range []string{
		"app=shop&from=now-1h&to=now&where=route:/cart&where=route:/&slow=1&by=route,x-plan",
		"app=shop&before=release:1.1&after=release:1.2", "app=shop&name=f&step=1h&line=3", "app=shop&what=load&limit=3",
		"app=shop&from=2026-11-23T11:00:00Z&format=html", "app=shop&format=columns&deployed=1&ignored=keep", "app=%00&where=%ff:", "a=;",
		"app=shop&measure=inp&step=12h", "app=shop&from=now-2562047h48m", "app=shop&step=9223372036854775807ns&name=x",
	} {
		f.Add(query)
	}
	paths := []string{"values", "overview", "functions", "profile", "diff", "trend", "slices", "examples", "files", "budgets", "grafana/table", "grafana/timeseries", "grafana/flamegraph"}
	c := newCollector(f)
	c.fill()
	f.Fuzz(func(t *testing.T, query string) {
		c.t = t
		for _, path := range paths {
			if r := c.ask("GET", "/api/v1/"+path+"?"+query, ""); r.StatusCode >= 500 {
				c.want(r, 200)
			}
		}
	})
}
