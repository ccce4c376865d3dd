package ingest

import (
	"regexp"
	"strings"

	"github.com/fieldprof/fieldprof/collect/record"
)

// customPrefix begins the names of labels of an app's own.
const customPrefix = "x-"

// longestLabel bounds values, in bytes.
const longestLabel = 200

// agents are tokens of user agents and the browsers they mean, as in
// runtime/src/send/environment.ts: the first that is found counts.
var agents = []struct {
	token *regexp.Regexp
	name  string
}{
	{regexp.MustCompile(`\bEdg(?:e|A|iOS)?/(\d{1,4})`), "Edge"},
	{regexp.MustCompile(`\bOPR/(\d{1,4})`), "Opera"},
	{regexp.MustCompile(`\bSamsungBrowser/(\d{1,4})`), "Samsung Internet"},
	{regexp.MustCompile(`\b(?:Firefox|FxiOS)/(\d{1,4})`), "Firefox"},
	{regexp.MustCompile(`\b(?:Headless)?(?:Chrome|CriOS)/(\d{1,4})`), "Chrome"},
	{regexp.MustCompile(`\bVersion/(\d{1,4})[\d.]* (?:Mobile/\w+ )?Safari/`), "Safari"},
}

// systems are tokens of user agents and the operating systems they mean.
var systems = []struct{ token, name string }{
	{"Windows", "Windows"}, {"Android", "Android"}, {"iPhone", "iOS"}, {"iPad", "iOS"}, {"CrOS", "ChromeOS"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
}

// fromHeaders fills in what the message does not say, from what every browser sends.
func fromHeaders(labels record.Labels, req *request) {
	agent := req.http.Header.Get("User-Agent")
	agent = agent[:min(len(agent), 500)]
	if labels[record.Browser] == "" {
		for _, a := range agents {
			if found := a.token.FindStringSubmatch(agent); found != nil {
				labels[record.Browser], labels[record.BrowserVersion] = a.name, found[1]
				break
			}
		}
	}
	for _, s := range systems {
		if labels[record.OS] == "" && strings.Contains(agent, s.token) {
			labels[record.OS] = s.name
		}
	}
	if labels[record.Device] == "" && labels[record.OS] != "" {
		labels[record.Device] = deviceOf(agent)
	}
	if labels[record.Locale] == "" {
		labels[record.Locale] = localeOf(req.http.Header.Get("Accept-Language"))
	}
}

func deviceOf(agent string) string {
	mobile := strings.Contains(agent, "Mobi")
	switch {
	case strings.Contains(agent, "iPad"), strings.Contains(agent, "Tablet"), strings.Contains(agent, "Android") && !mobile:
		return "tablet"
	case mobile:
		return "mobile"
	}
	return "desktop"
}

var locales = regexp.MustCompile(`^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$`)

// localeOf is the first language of a list: "de" or "de-DE".
func localeOf(languages string) string {
	first, _, _ := strings.Cut(languages[:min(len(languages), 100)], ",")
	first, _, _ = strings.Cut(first, ";")
	if first = strings.TrimSpace(first); locales.MatchString(first) {
		return first
	}
	return ""
}

// labelsOf are the labels of a message, cleaned; those of the app's own only if it knows them.
func labelsOf(req *request, m *message) record.Labels {
	labels := record.Labels{}
	for name, value := range m.labels {
		labels[name] = value
	}
	fromHeaders(labels, req)
	for name, value := range m.custom {
		if label, ok := req.app.custom[name]; ok {
			labels[label] = value
		}
	}
	for name, value := range labels {
		if value = strings.TrimSpace(clean(value, longestLabel)); value == "" {
			delete(labels, name)
		} else {
			labels[name] = value
		}
	}
	return labels
}
