package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestTokensAdmitToTheirApps(t *testing.T) {
	c := newCollector(t)
	for _, x := range []struct {
		token, method, target string
		status                int
	}{
		{all, "GET", "/api/v1/apps", 200},
		{all, "GET", "/api/v1/budgets?app=news", 200},
		{readShop, "GET", "/api/v1/budgets", 200}, // the only one
		{all, "GET", "/api/v1/budgets", 400},
		{readShop, "GET", "/api/v1/budgets?app=news", 403},
		{readShop, "GET", "/api/v1/budgets?app=none", 403},
		{readNews, "GET", "/api/v1/files?app=shop", 403},
		{readShop, "PUT", "/api/v1/files/1/a.js", 403},
		{upload, "GET", "/api/v1/overview", 403},
		{upload, "GET", "/api/v1/files", 200},
		{upload, "PUT", "/api/v1/files/1/a.js?app=news", 403},
		{"", "GET", "/api/v1/apps", 401},
		{"wrong", "GET", "/api/v1/apps", 401},
		{all[:len(all)-1], "GET", "/api/v1/apps", 401},
		{all + "0", "GET", "/api/v1/apps", 401},
	} {
		c.want(c.ask(x.method, x.target, "", token(x.token)), x.status)
	}
	if body := c.want(c.ask("GET", "/api/v1/apps", "", token(readNews)), 200); strings.TrimSpace(string(body)) != `{"apps":["news"]}` {
		t.Errorf("%s", body)
	}
	// Forbidden says the same of an app of others as of one that does not exist.
	other := c.want(c.ask("GET", "/api/v1/budgets?app=news", "", token(readShop)), 403)
	none := c.want(c.ask("GET", "/api/v1/budgets?app=none", "", token(readShop)), 403)
	if strings.ReplaceAll(string(other), "news", "none") != string(none) {
		t.Errorf("%s\n%s", other, none)
	}
}

func TestRequestsWithoutAToken(t *testing.T) {
	c := newCollector(t)
	for _, change := range []func(*http.Request){
		func(r *http.Request) { r.Header.Del("Authorization") },
		header("Authorization", "Basic "+all),
		header("Authorization", all),
		header("Authorization", "Bearer "),
	} {
		r := c.ask("GET", "/api/v1/apps", "", change)
		c.want(r, 401, "Authorization: Bearer TOKEN")
		if r.Header.Get("WWW-Authenticate") == "" {
			t.Error("the response does not say how to authenticate")
		}
	}
}

// Wrong tokens are limited by address, and those who were in stay in.
func TestGuessesAreLimited(t *testing.T) {
	c := newCollector(t)
	from := func(address string) func(*http.Request) {
		return func(r *http.Request) { r.RemoteAddr = address }
	}
	c.want(c.ask("GET", "/api/v1/apps", "", from("192.0.2.1:1000")), 200)
	for i := range 10 {
		c.want(c.ask("GET", "/api/v1/apps", "", from("192.0.2.1:2000"), token(fmt.Sprint("guess", i))), 401)
	}
	c.want(c.ask("GET", "/api/v1/apps", "", from("192.0.2.1:3000"), token("guess")), 429)
	c.want(c.ask("GET", "/api/v1/apps", "", from("192.0.2.1:3000"), token(readNews)), 429) // might be a guess
	c.want(c.ask("POST", "/api/v1/session", `{"token":"`+readNews+`"}`, from("192.0.2.1:3000"), header("Content-Type", "application/json")), 429)
	c.want(c.ask("GET", "/api/v1/apps", "", from("192.0.2.1:3000")), 200)
	c.want(c.ask("GET", "/api/v1/apps", "", from("192.0.2.2:3000"), token(readNews)), 200)
	c.now = c.now.Add(time.Minute)
	c.want(c.ask("GET", "/api/v1/apps", "", from("192.0.2.1:3000"), token(readNews)), 200)

	// All addresses of an IPv6 network count as one.
	for i := range 10 {
		c.want(c.ask("GET", "/api/v1/apps", "", from(fmt.Sprintf("[2001:db8::%d]:1", i)), token("guess")), 401)
	}
	c.want(c.ask("GET", "/api/v1/apps", "", from("[2001:db8::ffff]:1"), token("guess")), 429)
	c.want(c.ask("GET", "/api/v1/apps", "", from("[2001:db8:1::1]:1"), token("guess")), 401)

	// Many addresses cost only some memory.
	for i := range 11_000 {
		c.ask("GET", "/api/v1/apps", "", from(fmt.Sprintf("10.%d.%d.1:1", i/256, i%256)), token("guess"))
	}
}

func TestSessions(t *testing.T) {
	c := newCollector(t)
	noToken := func(r *http.Request) { r.Header.Del("Authorization") }
	signIn := func(body string, change ...func(*http.Request)) *http.Response {
		return c.ask("POST", "/api/v1/session", body, append([]func(*http.Request){noToken, header("Content-Type", "application/json; charset=utf-8")}, change...)...)
	}
	c.want(signIn(`{"token":"wrong"}`), 401)
	c.want(signIn(`{"token":""}`), 400)
	c.want(signIn(`token`), 400)
	c.want(signIn(`{"token":"`+strings.Repeat("x", 1<<20)+`"}`), 413)
	c.want(signIn(`{"token":"`+upload+`"}`), 403)
	c.want(signIn(`{"token":"`+all+`"}`, header("Content-Type", "text/plain")), 415)
	response := signIn(`{"token":"` + all + `"}`)
	c.want(response, 204)
	session := response.Cookies()[0]
	if session.Name != "fieldprof-dashboard" || !session.HttpOnly || session.SameSite != http.SameSiteStrictMode || session.Secure || session.MaxAge != 12*60*60 || strings.Contains(session.Value, all) {
		t.Errorf("%+v", session)
	}
	if secure := signIn(`{"token":"`+all+`"}`, header("X-Forwarded-Proto", "https")).Cookies()[0]; !secure.Secure {
		t.Errorf("%+v", secure)
	}
	with := func(value string) func(*http.Request) {
		return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "fieldprof-dashboard", Value: value}) }
	}
	c.want(c.ask("GET", "/api/v1/apps", "", noToken, with(session.Value)), 200)
	c.want(c.ask("PUT", "/api/v1/files/1/app.js?app=shop", "//# debugId=85314830-023f-4cf1-a267-535f4e37bb17", noToken, with(session.Value)), 403, "a cookie only reads")
	expires, tag, _ := strings.Cut(session.Value, ".")
	for _, forged := range []string{"", ".", expires, expires + ".", "9" + expires + "." + tag, expires + "." + strings.Repeat("00", 32), "-1." + tag, session.Value + "00", all} {
		c.want(c.ask("GET", "/api/v1/apps", "", noToken, with(forged), func(r *http.Request) { r.RemoteAddr = "198.51.100.1:" + fmt.Sprint(len(forged)) }), 401)
	}
	// A cookie that cannot be a session, or whose session is over, does not count as a guess; any other does.
	elsewhere := func(r *http.Request) { r.RemoteAddr = "198.51.100.2:1" }
	past := fmt.Sprint(c.now.Unix()) + "." + tag
	for _, other := range []string{"profiled", "", past, expires + ".00"} {
		for range 20 {
			c.want(c.ask("GET", "/api/v1/apps", "", noToken, with(other)), 401, "sign in again")
		}
	}
	c.want(c.ask("GET", "/api/v1/apps", "", token(readShop)), 200)
	for range 10 {
		c.want(c.ask("GET", "/api/v1/apps", "", noToken, with(expires+"."+strings.Repeat("00", 32)), elsewhere), 401)
	}
	c.want(c.ask("GET", "/api/v1/apps", "", token(all), elsewhere), 429)
	out := c.ask("DELETE", "/api/v1/session", "", noToken, with(session.Value))
	if c.want(out, 204); out.Cookies()[0].MaxAge >= 0 || out.Cookies()[0].Value != "" {
		t.Errorf("%+v", out.Cookies())
	}
	c.now = c.now.Add(12*time.Hour - time.Second)
	c.want(c.ask("GET", "/api/v1/apps", "", noToken, with(session.Value)), 200)
	c.now = c.now.Add(time.Second)
	c.want(c.ask("GET", "/api/v1/apps", "", noToken, with(session.Value)), 401)
}

func TestMethods(t *testing.T) {
	c := newCollector(t)
	head := c.ask("HEAD", "/api/v1/apps", "")
	if c.want(head, 200); head.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%v", head.Header)
	}
	options := c.ask("OPTIONS", "/api/v1/files/1/app.js", "", token("none is needed"))
	if c.want(options, 204); options.Header.Get("Allow") != "GET, HEAD, OPTIONS, PUT" || options.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%v", options.Header)
	}
	r := c.ask("POST", "/api/v1/apps", "")
	if c.want(r, 405, "GET, HEAD, OPTIONS"); r.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("%v", r.Header)
	}
	c.want(c.ask("GET", "/api/v1/none", ""), 404, "openapi.json")
	c.want(c.ask("GET", "/api/v1/", ""), 404)
}

// Every response says how it may be used.
func TestHeaders(t *testing.T) {
	c := newCollector(t)
	for _, target := range []string{"/api/v1/apps", "/api/v1/none", "/api/v1/openapi.json", "/api/v1/budgets?app=none", "/api/v1//apps"} {
		h := c.ask("GET", target, "").Header
		if h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") || h.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v", target, h)
		}
	}
	zipped := c.ask("GET", "/api/v1/openapi.json", "", token(""), header("Accept-Encoding", "gzip"))
	if zipped.Header.Get("Content-Encoding") != "gzip" || !strings.Contains(zipped.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("%v", zipped.Header)
	}
}

func TestMetrics(t *testing.T) {
	c := newCollector(t)
	c.ask("GET", "/api/v1/apps", "")
	c.ask("GET", "/api/v1/apps", "", token("wrong"))
	families, err := c.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			counted[name] = m.GetCounter().GetValue()
		}
	}
	if counted["fieldprof_api_requests_total /apps 200"] != 1 || counted["fieldprof_api_requests_total /apps 401"] != 1 || counted["fieldprof_api_denied_total"] != 1 {
		t.Errorf("%v", counted)
	}
}
