package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/internal/must"
)

// collecting is an `instrument collect` that runs in this process.
type collecting struct {
	addresses
	stop  context.CancelFunc
	ended chan int
	log   *bytes.Buffer // to be read when it has ended
}

func startCollecting(t *testing.T, args ...string) *collecting {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	said, out := io.Pipe()
	c := &collecting{stop: cancel, ended: make(chan int, 1), log: &bytes.Buffer{}}
	go func() {
		code := execute(ctx, append([]string{"collect", "--json", "--listen", "localhost:0"}, args...), out, c.log)
		out.Close()
		c.ended <- code
	}()
	if err := json.NewDecoder(said).Decode(&c.addresses); err != nil {
		t.Fatalf("it ended with %d: %s", <-c.ended, c.log)
	}
	return c
}

func (c *collecting) end(t *testing.T) {
	t.Helper()
	c.stop()
	if code := <-c.ended; code != exitOK {
		t.Errorf("it ended with %d: %s", code, c.log)
	}
}

// ask asks the API, with the token.
func (c *collecting) ask(t *testing.T, path string, into any) {
	t.Helper()
	request := must.Get(http.NewRequest(http.MethodGet, c.Collector+path, nil))(t)
	request.Header.Set("Authorization", "Bearer "+c.Token)
	answer := must.Get(http.DefaultClient.Do(request))(t)
	defer answer.Body.Close()
	text := must.Get(io.ReadAll(answer.Body))(t)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, answer.StatusCode, text)
	}
	must.Do(t, json.Unmarshal(text, into))
}

// hottest is the function with the most time, or "" as long as nothing is known.
func (c *collecting) hottest(t *testing.T) string {
	var answer struct {
		Functions []struct{ Name string }
	}
	c.ask(t, "/api/v1/functions?app=default", &answer)
	if len(answer.Functions) == 0 {
		return ""
	}
	return answer.Functions[0].Name
}

const sentEnvelope = `{"version":1,"session":"0123456789abcdef0123456789abcdef","view":"fedcba9876543210fedcba9876543210","page":"https://shop.example/cart",
"route":"/cart","release":"1.0","rate":1,"browser":"Firefox 153","chunk":0,"started":%d,"origin":%d,
"trace":{"resources":["https://shop.example/app.js"],"frames":[{"name":"addUp","resourceId":0,"line":1,"column":9}],"stacks":[{"frameId":0}],
"samples":[{"timestamp":10,"stackId":0},{"timestamp":20,"stackId":0},{"timestamp":30,"stackId":0}],"fieldprof":{"version":1,"clock":"poll","interval":10}}}`

// A sent profile can be queried at once, after a restart, and after a backup is restored.
func TestCollectKeeps(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	c := startCollecting(t, "--data", data)
	for _, path := range []string{"/healthz", "/readyz", "/"} {
		answer := must.Get(http.Get(c.Collector + path))(t)
		if answer.Body.Close(); answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
	now := time.Now().UnixMilli()
	body := fmt.Sprintf(sentEnvelope, now, now)
	for range 2 { // the second is a retry
		answer := must.Get(http.Post(c.Send, "text/plain", strings.NewReader(body)))(t)
		if answer.Body.Close(); answer.StatusCode != http.StatusAccepted {
			t.Fatal(answer.Status)
		}
	}
	must.Happen(t, "it can be asked for", func() bool { return c.hottest(t) == "addUp" })
	backup := filepath.Join(t.TempDir(), "backup")
	if code := execute(t.Context(), []string{"collect", "backup", "--data", data, backup}, io.Discard, os.Stderr); code != exitOK {
		t.Error("no backup while it runs")
	}
	c.end(t)
	again := startCollecting(t, "--data", data)
	if again.Token != c.Token || again.hottest(t) != "addUp" {
		t.Error("a restart lost something")
	}
	again.end(t)
	restored := filepath.Join(t.TempDir(), "restored")
	if code := execute(t.Context(), []string{"collect", "restore", "--data", restored, backup}, io.Discard, os.Stderr); code != exitOK {
		t.Fatal("the backup cannot be restored")
	}
	third := startCollecting(t, "--data", restored)
	if third.Token != c.Token || third.hottest(t) != "addUp" {
		t.Error("the backup lacks something")
	}
	third.end(t)
}

// Flags win over the file, also those that switch something off.
func TestFlagsWinOverTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	must.WriteFile(t, "collect.yaml", "listen: :1\nmetrics: localhost:2\nmemory: 1GiB\ntrust-proxy: true\n")
	for _, x := range []struct {
		flags   []string
		listen  string
		trusted bool
	}{
		{nil, ":1", true},
		{[]string{"--listen", ":3", "--trust-proxy=false"}, ":3", false},
		{[]string{"--trust-proxy"}, ":1", true},
	} {
		var f collectFlags
		flags := pflag.NewFlagSet("collect", pflag.ContinueOnError)
		f.declare(flags)
		must.Do(t, flags.Parse(append(x.flags, "--config", "collect.yaml")))
		c := must.Get(f.read())(t)
		if c.Listen != x.listen || c.TrustProxy != x.trusted || c.Metrics != "localhost:2" || c.Memory != 1<<30 {
			t.Errorf("%q: %+v", x.flags, c)
		}
	}
}
