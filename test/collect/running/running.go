// Package running is a collector for tests of what pages send to it: whole, with its store on disk
// and its port, in the process of the test.
package running

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/server"
	"github.com/fieldprof/fieldprof/internal/must"
)

// The key and the token of the one app, "shop".
const (
	Key   = "fpk_of_the_shop"
	token = "fpt_reads_and_uploads"
)

// Collector is a running collector.
type Collector struct {
	URL string // without a slash at the end
	t   *testing.T
}

// Start starts one, until the end of the test.
func Start(t *testing.T) *Collector {
	t.Helper()
	c := &config.Config{
		Data:   t.TempDir(),
		Apps:   []config.App{{Name: "shop", Keys: []string{Key}, Origins: []string{"*"}}},
		Tokens: []config.Token{{Text: token, Read: true, Upload: true}},
		Spool:  config.Spool{Every: 50 * time.Millisecond},
	}
	s := must.Get(server.Open(t.Context(), c, server.Options{}))(t)
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { must.Do(t, s.Run(ctx, l)) })
	t.Cleanup(func() { cancel(); serving.Wait() })
	return &Collector{"http://" + l.Addr().String(), t}
}

// Upload uploads the source maps and function tables of a folder.
func (c *Collector) Upload(release, dir string) {
	c.t.Helper()
	must.Do(c.t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".map") && !strings.HasSuffix(path, ".functions.json") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		c.call(http.MethodPut, "/api/v1/files/"+release+"/"+filepath.ToSlash(name)+"?app=shop", content)
		return nil
	}))
}

// Await asks a question about the last hour until its answer is enough; the limit only ends
// hanging tests.
func Await[Answer any](c *Collector, question string, enough func(*Answer) bool) *Answer {
	c.t.Helper()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var answer Answer
		text := c.call(http.MethodGet, "/api/v1/"+question, nil)
		must.Do(c.t, json.Unmarshal(text, &answer))
		if enough(&answer) {
			return &answer
		}
		if time.Now().After(end) {
			c.t.Fatalf("%s is still %s", question, text)
		}
	}
}

// Question is a question with its parameters, about the shop in the last hour.
func Question(name string, parameters ...string) string {
	values := url.Values{"app": {"shop"}, "from": {"now-1h"}}
	for i := 0; i+1 < len(parameters); i += 2 {
		values.Add(parameters[i], parameters[i+1])
	}
	return name + "?" + values.Encode()
}

func (c *Collector) call(method, path string, body []byte) []byte {
	c.t.Helper()
	r := must.Get(http.NewRequestWithContext(c.t.Context(), method, c.URL+path, bytes.NewReader(body)))(c.t)
	r.Header.Set("Authorization", "Bearer "+token)
	answer := must.Get(http.DefaultClient.Do(r))(c.t)
	defer answer.Body.Close()
	text := must.Get(io.ReadAll(answer.Body))(c.t)
	if answer.StatusCode >= 300 {
		c.t.Fatalf("%s %s: %s: %s", method, path, answer.Status, text)
	}
	return text
}
