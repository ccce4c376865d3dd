package ui

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func get(t *testing.T, path, encoding string) (*http.Response, string) {
	t.Helper()
	request := httptest.NewRequest("GET", path, nil)
	request.Header.Set("Accept-Encoding", encoding)
	recorder := httptest.NewRecorder()
	Handler().ServeHTTP(recorder, request)
	response := recorder.Result()
	var body io.Reader = response.Body
	if response.Header.Get("Content-Encoding") == "gzip" {
		body = must.Get(gzip.NewReader(body))(t)
	}
	return response, string(must.Get(io.ReadAll(body))(t))
}

// The page runs nothing that is written in it, and names files that exist, relative to itself.
func TestPage(t *testing.T) {
	response, text := get(t, "/", "")
	if policy := response.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self';") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %s", policy)
	}
	if response.Header.Get("Cache-Control") != "no-cache" {
		t.Error("the page may be kept")
	}
	if strings.Contains(text, "style=") || strings.Contains(text, "<style") || regexp.MustCompile(`<script(?: defer)?>|\son\w+=`).MatchString(text) {
		t.Errorf("the page has something inline: %s", text)
	}
	files := regexp.MustCompile(`(?:href|src)="([^"]+)"`).FindAllStringSubmatch(text, -1)
	if len(files) != 3 {
		t.Fatalf("the page names %q", files)
	}
	for _, file := range files {
		if strings.HasPrefix(file[1], "data:") {
			continue
		}
		for _, encoding := range []string{"", "gzip, br"} {
			response, text := get(t, "/"+file[1], encoding)
			if response.StatusCode != http.StatusOK || len(text) < 1000 || (response.Header.Get("Content-Encoding") == "gzip") != (encoding != "") {
				t.Errorf("%s is %d with %d bytes in %q", file[1], response.StatusCode, len(text), response.Header.Get("Content-Encoding"))
			}
			if !strings.Contains(response.Header.Get("Cache-Control"), "immutable") || response.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %v", file[1], response.Header)
			}
		}
	}
}

func TestNothingElseIsServed(t *testing.T) {
	for _, path := range []string{"/ui/", "/ui/ui.js", "/ui/../ui.go", "/index.html", "/ui/%2e%2e/page.html"} {
		if response, _ := get(t, path, ""); response.StatusCode == http.StatusOK {
			t.Errorf("%s is served", path)
		}
	}
	recorder := httptest.NewRecorder()
	Handler().ServeHTTP(recorder, httptest.NewRequest("POST", "/", nil))
	if recorder.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST is answered with %d", recorder.Code)
	}
}

// Nothing in the script asks for anything elsewhere, or makes markup of text.
func TestScript(t *testing.T) {
	for _, word := range []string{"innerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "WebSocket", "sendBeacon", "localStorage"} {
		if strings.Contains(string(script), word) {
			t.Errorf("the script has %s", word)
		}
	}
	for _, address := range regexp.MustCompile(`https?://[^"'\x60 ]+`).FindAllString(string(script), -1) {
		if !strings.HasPrefix(address, "https://github.com/fieldprof/") && address != "http://www.w3.org/2000/svg" {
			t.Errorf("the script names %s", address)
		}
	}
}
