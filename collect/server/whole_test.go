package server

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/internal/must"
)

// envelope is what a page of an app sends.
func envelope(function string) string {
	now := time.Now().UnixMilli()
	return fmt.Sprintf(`{"version":1,"session":"0123456789abcdef0123456789abcdef","view":"fedcba9876543210fedcba9876543210","page":"https://blog.example/","route":"/","release":"1","rate":1,"chunk":0,
"started":%d,"origin":%d,"trace":{"resources":["https://blog.example/app.js"],"frames":[{"name":%q,"resourceId":0,"line":1,"column":9}],"stacks":[{"frameId":0}],
"samples":[{"timestamp":10,"stackId":0},{"timestamp":20,"stackId":0}],"fieldprof":{"version":1,"clock":"poll","interval":10}}}`, now, now, function)
}

func zipped(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(text)
	z.Close()
	return b.Bytes()
}

// Whatever the pages of one app send, those of another are served, and nothing panics.
func TestOtherAppsDoNotNotice(t *testing.T) {
	c := settings(t)
	c.Apps[0].Limits.Body, c.Apps[0].Limits.Unzipped = 1<<20, 4<<20
	c.Apps[0].Limits.PerAddress = 1e6
	s := must.Get(Open(t.Context(), c, Options{}))(t)
	t.Cleanup(func() { must.Do(t, s.Close()) })
	url, _, _ := running(t, s)
	post := func(path, encoding string, body []byte) int {
		request := must.Get(http.NewRequest(http.MethodPost, url+path, bytes.NewReader(body)))(t)
		request.Header.Set("Content-Type", "text/plain")
		if encoding != "" {
			request.Header.Set("Content-Encoding", encoding)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0 // cut off, which is an answer, too
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode
	}
	bomb := zipped(make([]byte, 64<<20))
	deep := []byte(`{"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}` + strings.Repeat(`,{"frameId":0,"parentId":0}`, 30_000) + `],"samples":[{"timestamp":1,"stackId":9}]}`)
	for range 20 {
		for _, bad := range []struct {
			path, encoding string
			body           []byte
		}{
			{"/v1/profiles?key=shop-key-1", "", []byte("\xff\xfe{")}, {"/v1/profiles?key=shop-key-1", "gzip", []byte("no gzip")}, {"/v1/profiles?key=shop-key-1", "gzip", bomb},
			{"/v1/profiles?key=wrong", "", nil}, {"/v1/profiles?key=shop-key-1", "", bytes.Repeat([]byte("["), 1<<19)}, {"/v1/profiles?key=shop-key-1", "gzip", zipped(deep)},
			{"/v1/profiles?key=shop-key-1", "", make([]byte, 2<<20)}, {"/api/1/envelope/?sentry_key=shop-key-1", "", []byte("{}\n{\"type\":\"profile_chunk\",\"length\":99999999}\nx")},
			{"/api/v2/profile?dd-api-key=shop-key-1", "", []byte("--x")}, {"/v1development/profiles?key=shop-key-1", "", []byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f}}, {"/../../etc/passwd", "", nil},
		} {
			if code := post(bad.path, bad.encoding, bad.body); code >= 500 && code != http.StatusServiceUnavailable {
				t.Fatalf("%s: %d", bad.path, code)
			}
		}
		if code := post("/v1/profiles?key=shop-key-1", "", []byte(envelope("<script>alert(1)</script>"))); code != http.StatusAccepted {
			t.Fatalf("the app itself gets %d for what is right", code)
		}
	}
	if code := post("/v1/profiles?key=blog-key-1", "", []byte(envelope("addUp"))); code != http.StatusAccepted {
		t.Fatalf("another app gets %d", code)
	}
	must.Happen(t, "the other app's chunk can be asked for", func() bool {
		answer := get(t, s.Handler(), "/api/v1/functions?app=blog", "Authorization", "Bearer "+readToken)
		var found struct{ Functions []struct{ Name string } }
		return answer.Code == http.StatusOK && json.Unmarshal(answer.Body.Bytes(), &found) == nil && len(found.Functions) == 1 && found.Functions[0].Name == "addUp"
	})
	metrics := get(t, s.privateRoutes(), "/metrics").Body.String()
	if !strings.Contains(metrics, "fieldprof_http_panics_total 0") {
		t.Error("something panicked")
	}
	if !regexp.MustCompile(`fieldprof_requests_total\{app="shop",result="size",source="fieldprof"\} [1-9]`).MatchString(metrics) {
		t.Error("what is too large is not counted")
	}
}

// It speaks HTTPS with the certificate that it is given, and shows its metrics aside.
func TestPlaces(t *testing.T) {
	folder := t.TempDir()
	certificate, key := issue(t, 7)
	must.WriteFile(t, filepath.Join(folder, "c.pem"), string(certificate))
	must.WriteFile(t, filepath.Join(folder, "k.pem"), string(key))
	c := settings(t)
	c.Cert, c.Key, c.Metrics = filepath.Join(folder, "c.pem"), filepath.Join(folder, "k.pem"), "127.0.0.1:0"
	s := must.Get(Open(t.Context(), c, Options{}))(t)
	t.Cleanup(func() { must.Do(t, s.Close()) })
	url, stop, ended := running(t, s)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "localhost"}}}
	for _, at := range []string{strings.Replace(url, "http:", "https:", 1) + "/healthz", "http://" + s.aside.Addr().String() + "/metrics", "http://" + s.aside.Addr().String() + "/readyz"} {
		answer := must.Get(client.Get(at))(t)
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", at, answer.StatusCode)
		}
	}
	client.CloseIdleConnections()
	stop()
	must.Do(t, <-ended)
}

// A part of the server that cannot be opened is reported before anything listens, and nothing stays open.
func TestOpenFails(t *testing.T) {
	for name, change := range map[string]func(*config.Config){
		"certificate": func(c *config.Config) { c.Cert, c.Key = "none.pem", "none.pem" },
		"metrics":     func(c *config.Config) { c.Metrics = "192.0.2.1:1" },
		"data":        func(c *config.Config) { c.Data = filepath.Join(c.Data, "file", "below") },
		"the store":   func(c *config.Config) { c.Store = "sqlite:" + filepath.Join(c.Data, "file") },
		"the spool":   func(c *config.Config) { c.Spool.Dir = filepath.Join(c.Data, "file") },
	} {
		c := settings(t)
		folder := c.Data
		must.Do(t, os.WriteFile(filepath.Join(folder, "file"), []byte("not a store, and no folder"), 0o600))
		change(c)
		if _, err := Open(t.Context(), c, Options{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		good := settings(t)
		good.Data = folder
		must.Do(t, must.Get(Open(t.Context(), good, Options{}))(t).Close())
	}
}
