package config

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/profile/budget"
)

var (
	appName   = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)
	keyText   = regexp.MustCompile(`^[A-Za-z0-9_-]{8,128}$`)
	tokenText = regexp.MustCompile(`^[!-~]{16,256}$`)
	label     = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,62}$`)
)

// Bounds on lists.
const (
	maxApps   = 1000
	maxLabels = 32
)

// Check finds mistakes in what flags have changed.
func (c *Config) Check() error { return c.check(places{}) }

// check finds mistakes that the shape of a file does not show.
func (c *Config) check(p places) error {
	checks := []func(places) error{c.checkServer, c.checkApps, c.checkTokens, c.checkStore, c.checkSpool, c.checkForward}
	for _, check := range checks {
		if err := check(p); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) checkServer(p places) error {
	for _, a := range [][2]string{{"listen", c.Listen}, {"metrics", c.Metrics}} {
		if _, _, err := net.SplitHostPort(a[1]); a[1] != "" && err != nil {
			return p.at(a[0], "HOST:PORT belongs here, such as localhost:8090 or :8090, not %q", a[1])
		}
	}
	switch {
	case c.Cert != "" && c.Key == "":
		return p.at("cert", "it needs its key: add key")
	case c.Key != "" && c.Cert == "":
		return p.at("key", "it needs its certificate: add cert")
	case c.Memory > 0 && c.Memory < leastMemory:
		return p.at("memory", "at least 64MiB")
	}
	return nil
}

func (c *Config) checkApps(p places) error {
	if len(c.Apps) > maxApps {
		return p.at("apps", "at most %d", maxApps)
	}
	names, keys := map[string]bool{}, map[string]bool{}
	for i := range c.Apps {
		a, path := &c.Apps[i], fmt.Sprintf("apps[%d]", i)
		switch {
		case !appName.MatchString(a.Name):
			return p.at(path+".name", "a name has small letters, digits, dots, - and _, such as shop; not %q", a.Name)
		case names[a.Name]:
			return p.at(path+".name", "there are two apps %q", a.Name)
		case len(a.Keys) == 0:
			return p.at(path+".keys", "%s needs a key, or nobody can send to it", a.Name)
		}
		names[a.Name] = true
		for k, key := range a.Keys {
			at := fmt.Sprintf("%s.keys[%d]", path, k)
			switch {
			case !keyText.MatchString(key):
				return p.at(at, "a key has 8 to 128 letters, digits, - and _")
			case keys[key]:
				return p.at(at, "two apps, or one twice, have this key")
			}
			keys[key] = true
		}
		if err := a.check(p, path); err != nil {
			return err
		}
	}
	return nil
}

// check checks what concerns one app only.
func (a *App) check(p places, path string) error {
	for i, origin := range a.Origins {
		switch as, ok := originOf(origin); {
		case !ok:
			return p.at(fmt.Sprintf("%s.origins[%d]", path, i), "an origin is a scheme and a host, such as https://shop.example, or * for any; not %q", origin)
		case as != origin:
			return p.at(fmt.Sprintf("%s.origins[%d]", path, i), "browsers call this origin %s: write that instead of %q", as, origin)
		}
	}
	if len(a.Labels) > maxLabels {
		return p.at(path+".labels", "at most %d", maxLabels)
	}
	for i, name := range a.Labels {
		if !label.MatchString(name) {
			return p.at(fmt.Sprintf("%s.labels[%d]", path, i), "a label has small letters, digits, dots, - and _; not %q", name)
		}
	}
	for i, host := range a.FirstParty {
		if host == "" || strings.ContainsAny(host, ":/ \t") {
			return p.at(fmt.Sprintf("%s.first-party[%d]", path, i), "a host belongs here, without scheme and port, such as cdn.shop.example; not %q", host)
		}
	}
	if a.Webhook != "" && !isURL(a.Webhook, "http", "https") {
		return p.at(path+".webhook", "an http or https address belongs here") // without its text: it may be a secret
	}
	if a.Budgets != "" {
		text, err := os.ReadFile(a.Budgets)
		if err == nil {
			_, err = budget.Read(text)
		}
		if err != nil {
			return p.at(path+".budgets", "%s: %v", a.Budgets, err)
		}
	}
	return nil
}

func (c *Config) checkTokens(p places) error {
	apps := map[string]bool{}
	for _, a := range c.Apps {
		apps[a.Name] = true
	}
	seen := map[string]bool{}
	for i, t := range c.Tokens {
		path := fmt.Sprintf("tokens[%d]", i)
		switch {
		case !tokenText.MatchString(t.Text):
			return p.at(path+".text", "a token has 16 to 256 characters without spaces; openssl rand -hex 24 makes one")
		case seen[t.Text]:
			return p.at(path+".text", "there are two of this token")
		case !t.Read && !t.Upload:
			return p.at(path, "the token admits to nothing: add read: true, upload: true, or both")
		}
		seen[t.Text] = true
		for k, app := range t.Apps {
			if !apps[app] && len(apps) > 0 {
				return p.at(fmt.Sprintf("%s.apps[%d]", path, k), "there is no app %q", app)
			}
		}
	}
	for i := range c.Apps {
		for k, key := range c.Apps[i].Keys {
			if seen[key] {
				return p.at(fmt.Sprintf("apps[%d].keys[%d]", i, k), "a token has the same text: keys are in pages, for everybody to read")
			}
		}
	}
	return nil
}

func (c *Config) checkStore(p places) error {
	scheme, rest, ok := strings.Cut(c.Store, ":")
	switch {
	case c.Store == "":
	case !ok || rest == "":
		return p.at("store", "sqlite:PATH or clickhouse://HOST:9000/DATABASE belongs here")
	case scheme != "sqlite" && !isURL(c.Store, "clickhouse", "clickhouse+http", "clickhouse+https"):
		return p.at("store", "no store %q: there are sqlite:PATH, clickhouse://HOST:9000/DATABASE and clickhouse+http://HOST:8123/DATABASE", scheme)
	}
	r := withDefaults(c.Retention)
	switch {
	case r.Hours < r.Minutes:
		return p.at("retention", "sums of an hour are made of those of a minute, so hours (%v) cannot be less than minutes (%v)", r.Hours, r.Minutes)
	case r.Days < r.Hours:
		return p.at("retention", "sums of a day are made of those of an hour, so days (%v) cannot be less than hours (%v)", r.Days, r.Hours)
	}
	return nil
}

// leastSpool has room for the longest record there may be: a smaller spool is full from the start.
const leastSpool = 64 << 20

func (c *Config) checkSpool(p places) error {
	if c.Spool.Bytes > 0 && c.Spool.Bytes < leastSpool {
		return p.at("spool.bytes", "a spool has at least 64MiB, the room of one record, and this is %d bytes", c.Spool.Bytes)
	}
	return nil
}

func (c *Config) checkForward(p places) error {
	for i, f := range c.Forward {
		path := fmt.Sprintf("forward[%d]", i)
		switch {
		case f.Kind != "pyroscope" && f.Kind != "otlp":
			return p.at(path+".kind", "pyroscope or otlp belongs here, not %q", f.Kind)
		case !isURL(f.URL, "http", "https"):
			return p.at(path+".url", "an http or https address belongs here")
		case slices.ContainsFunc(c.Forward[:i], func(other Forward) bool { return slices.Equal(other.Identity(), f.Identity()) }):
			return p.at(path+".url", "a target before it is the same: a profile is sent there once")
		}
	}
	return nil
}

// originOf is an origin as browsers send it, in small letters and without the usual port, or *, which
// allows all.
func originOf(text string) (origin string, ok bool) {
	if text == "*" {
		return text, true
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", false
	}
	host := strings.ToLower(u.Host)
	if usual := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; usual != "" {
		host = strings.TrimSuffix(host, usual)
	}
	return u.Scheme + "://" + host, true
}

func isURL(text string, schemes ...string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return false
	}
	return slices.Contains(schemes, u.Scheme)
}
