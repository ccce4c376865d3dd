package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/live"
)

// get gets a file of the server.
func (s *serving) get(path string) (status int, body []byte) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), hang)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Site+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, body
}

var tokenInPage = regexp.MustCompile(`<meta name="fieldprof-token" content="([\w-]{43})">`)

// token is what the panel's page holds.
func (s *serving) token() string {
	s.t.Helper()
	_, page := s.get("__fieldprof/")
	found := tokenInPage.FindSubmatch(page)
	if found == nil {
		s.t.Fatalf("the panel has no token: %.500s", page)
	}
	return string(found[1])
}

// saved is the profile of some sources, of all if none are named.
func (s *serving) saved(sources ...string) *profile.Profile {
	s.t.Helper()
	query := "__fieldprof/save?format=cpuprofile&token=" + s.token()
	for _, source := range sources {
		query += "&source=" + source
	}
	status, body := s.get(query)
	if status != http.StatusOK {
		s.t.Fatalf("%d %s", status, body)
	}
	return read(s.t, body)
}

// untilNamed waits until the profile of some sources has functions that fit. The first
// samples of a program need not have any: a tick may be taken where nothing of it ran yet.
func (s *serving) untilNamed(what string, fits func(names map[string]bool) bool, sources ...string) map[string]bool {
	s.t.Helper()
	for deadline := time.Now().Add(hang); ; time.Sleep(50 * time.Millisecond) {
		got := names(s.saved(sources...))
		if fits(got) {
			return got
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("waiting for %s: functions %v", what, got)
		}
	}
}

func read(t *testing.T, body []byte) *profile.Profile {
	t.Helper()
	p, _, err := format.Read(bytes.NewReader(body), "saved.cpuprofile")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// panel is one that draws nothing.
type panel struct {
	t    *testing.T
	conn *websocket.Conn
}

func (s *serving) watch(t *testing.T) *panel {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), s.Site+"__fieldprof/panel", &websocket.DialOptions{Subprotocols: []string{live.Subprotocol}})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { conn.CloseNow() })
	p := &panel{t, conn}
	p.send(live.Watch{Type: live.TypeWatch, Version: live.Version, Token: s.token()})
	return p
}

func (p *panel) send(message any) {
	p.t.Helper()
	data, err := json.Marshal(message)
	if err == nil {
		err = p.conn.Write(p.t.Context(), websocket.MessageText, data)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// sources waits until the sources are as wanted.
func (p *panel) sources(what string, wanted func([]live.Source) bool) []live.Source {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), hang)
	defer cancel()
	var last []live.Source
	for {
		_, data, err := p.conn.Read(ctx)
		if err != nil {
			p.t.Fatalf("waiting for %s: %v; the last sources were %+v", what, err, last)
		}
		message, err := live.Limits{Bytes: 64 << 20}.Decode(data)
		if err != nil {
			p.t.Fatal(err)
		}
		if list, ok := message.(*live.Sources); ok {
			if last = list.List; wanted(last) {
				return last
			}
		}
	}
}

// recording reports whether there are so many sources, and all have samples.
func recording(count int) func([]live.Source) bool {
	return func(list []live.Source) bool {
		for _, source := range list {
			if source.State != "recording" || source.Account.Taken == 0 {
				return false
			}
		}
		return len(list) == count
	}
}

// names returns the names of a profile's functions, with the last part of their files.
func names(p *profile.Profile) map[string]bool {
	all := map[string]bool{}
	for i := range p.Functions.Name {
		f := p.Function(profile.FunctionID(i))
		all[f.Name+" "+f.File[strings.LastIndex(f.File, "/")+1:]] = true
	}
	return all
}
