package jsprofile

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/grafana/sobek"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost/sobekhost"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

// Pools and hosts of the other engine have the same endpoint and the same metrics.
func TestSobek(t *testing.T) {
	now := time.Hour
	clock := coordinator.New(coordinator.Options{Interval: time.Millisecond, Clock: func() time.Duration { return now }})
	pool := sobekhost.NewPool(clock, sobekhost.Options{})
	vm := sobek.New()
	host := must.Get(pool.Host(vm))(t)
	_ = vm.Set("pass", host.Native("pass", func() { now += 5 * time.Millisecond }))
	program := must.Get(must.Get(pool.Compile("rules.js", []byte("for (let i = 0; i < 10; i++) pass();")))(t).In(host))(t)
	stop := clock.Start()
	must.Get(host.As("tenant", "acme").RunProgram(program))(t)
	stop()
	for _, source := range []Source{pool, host} {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/debug/jsprofile?last=60", nil)
		r.RemoteAddr = "127.0.0.1:1234"
		w := httptest.NewRecorder()
		Handler(source, Options{}).ServeHTTP(w, r)
		p := must.Get(pprof.Read(w.Body))(t)
		if p.Len() == 0 || p.Meta.Ticks.Taken == 0 || len(p.TagsOf(0)) != 1 || p.TagsOf(0)[0] != (profile.Tag{Key: "tenant", Value: "acme"}) {
			t.Errorf("%d samples of %+v", p.Len(), p.Meta.Ticks)
		}
		var got vars
		must.Do(t, json.Unmarshal([]byte(Var(source).String()), &got))
		if got.Runtimes != 1 || len(got.Usage) != 1 || got.Usage[0].Tags["tenant"] != "acme" || got.Usage[0].WallSeconds != 0.05 {
			t.Errorf("%+v", got)
		}
	}
}
