package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// Whatever the site is called, the page has its two scripts and one style, and its policy
// allows those, a worker, and connections to its own origin.
func TestPanelPage(t *testing.T) {
	evil := `"></script><script>alert(1)</script><!--<style>`
	var out bytes.Buffer
	if err := WritePanel(&out, PanelOptions{Token: evil, Title: evil, Site: evil, Formats: []string{evil}}); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	before, _, _ := strings.Cut(page, panelScript)
	if strings.Count(before, "<script") != 2 || strings.Count(before, "<style") != 1 || strings.Contains(before, "<!--") {
		t.Errorf("something left its place: %s", before)
	}
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("there is no policy")
	}
	got := regexp.MustCompile(`'sha256-[^']*'`).ReplaceAllString(policy[1], "'HASH'")
	if want := "default-src 'none'; script-src 'HASH'; style-src 'HASH'; img-src data:; base-uri 'none'; form-action 'none'; connect-src 'self'; worker-src blob:"; got != want {
		t.Errorf("the policy is %s", got)
	}
	if strings.Contains(panelScript, "</script") || strings.Contains(panelScript, "<!--") {
		t.Error("the script ends early")
	}
}
