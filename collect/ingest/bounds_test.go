package ingest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Of a stack that is too deep its outermost frames and the innermost one remain.
func TestDeepStacks(t *testing.T) {
	const depth = 50_000
	var b strings.Builder
	for i := range depth {
		if i > 0 {
			fmt.Fprintf(&b, `,{"frameId":%d,"parentId":%d}`, i%3, i-1)
		}
	}
	text := fmt.Sprintf(`{"resources":["https://shop.example/a.js"],"frames":[{"name":"f","resourceId":0},{"name":"g","resourceId":0},{"name":"h","resourceId":0}],"stacks":[{"frameId":0}%s],"samples":[{"timestamp":0,"stackId":%d},{"timestamp":10,"stackId":5}]}`, b.String(), depth-1)
	s := newSite(t)
	expect(t, s.send(profiles, zipped([]byte(text)), "Content-Encoding", "gzip"), http.StatusAccepted, "")
	p := s.taken()[0].Profile
	must.Do(t, p.CheckValid())
	for i, want := range map[int]int{0: 1000, 1: 6} {
		frames := 0
		for at := p.Samples.Stack[i]; at != profile.NoStack; at = p.Stacks.Parent[at] {
			frames++
		}
		must.Equal(t, frames, want)
	}
	must.Equal(t, p.Function(p.Frames.Function[p.Stacks.Frame[p.Samples.Stack[0]]]).Name, []string{"f", "g", "h"}[(depth-1)%3])
}

// One page does not outweigh all others: its slow moments last an hour at most.
func TestLongMarks(t *testing.T) {
	s := newSite(t)
	expect(t, s.send(profiles, []byte(strings.NewReplacer(`"duration":310`, `"duration":1e11`, `"processing":282.5`, `"processing":1e11`, `"duration":312`, `"duration":1e11`).Replace(sliceText))), http.StatusAccepted, "")
	slice := s.taken()[1].Slices[0]
	must.Equal(t, slice.Mark.Duration, time.Hour)
	must.Equal(t, slice.Mark.Processing, time.Hour)
	for _, m := range must.Get(record.DecodeProfile(slice.Trace))(t).Marks {
		must.Equal(t, m.Duration, time.Hour, m.What)
	}
}

// A slice is found where its time is counted, also if there are too many series.
func TestSlicesBeyondTheSeries(t *testing.T) {
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{Series: 20, PerSecond: 1e6, PerAddress: 1e6}})
	for i := range 100 {
		change := strings.NewReplacer(`"rate":0.1`, fmt.Sprintf(`"rate":%v`, 1/float64(i+1)), `"interval":10`, fmt.Sprintf(`"interval":%d`, 20+i))
		expect(t, s.send(profiles, []byte(change.Replace(sliceText))), http.StatusAccepted, "")
		slow := s.taken()[1]
		must.Equal(t, slow.Slices[0].Series.Key(), slow.Series.Key(), i)
	}
	if s.count("dropped_total", "reason=series") == 0 {
		t.Error("there were not too many series")
	}
}

// A small tree of stacks may be many frames when they are spelled out, as stores do: those are bounded, too.
func TestSpelledStacks(t *testing.T) {
	const depth = 20
	text := func(chains int, kinds ...string) []byte {
		var stacks, samples []string
		for chain := range chains {
			for i := range depth {
				stack := fmt.Sprintf(`{"frameId":%d}`, (chain+i)%depth)
				if i > 0 {
					stack = fmt.Sprintf(`{"frameId":%d,"parentId":%d}`, (chain*i+i)%depth, len(stacks)-1)
				}
				for _, kind := range kinds {
					samples = append(samples, fmt.Sprintf(`{"timestamp":%d,"stackId":%d,"weight":1,"kind":"%s","skid":0}`, len(samples), len(stacks), kind))
				}
				stacks = append(stacks, stack)
			}
		}
		frames := `{"name":"f0"}`
		for i := range depth - 1 {
			frames += fmt.Sprintf(`,{"name":"f%d"}`, i+1)
		}
		return []byte(`{"version":1,"session":"s","view":"v","page":"https://shop.example/","trace":{"resources":[],"frames":[` + frames + `],"stacks":[` + strings.Join(stacks, ",") +
			`],"samples":[` + strings.Join(samples, ",") + `],"fieldprof":{"version":1,"interval":10,"account":{},"lost":[]}}}`)
	}
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{Frames: 500, Depth: depth}})
	expect(t, s.send(profiles, text(9, "own")), http.StatusAccepted, "")
	must.Equal(t, len(s.taken()), 1)
	expect(t, s.send(profiles, text(25, "own", "native", "gc", "program")), http.StatusRequestEntityTooLarge, "frames when its stacks are spelled out")
	must.Equal(t, len(s.taken()), 0)
}

// The items of an envelope have their frames and samples in common.
func TestItemsShareTheirBounds(t *testing.T) {
	deep := "\n{\"type\":\"profile_chunk\"}\n" + `{"version":"2","profile":{"frames":[{"function":"a"},{"function":"b"},{"function":"c"},{"function":"d"},{"function":"e"}],` +
		`"stacks":[[0,1,2,3,4]],"samples":[{"stack_id":0,"thread_id":"0","timestamp":1795275000.01}]}}`
	for _, c := range []struct {
		item string
		most int
	}{
		{deep, 2}, // whose sums have 5 frames of 12
		{sentryText[strings.Index(sentryText, "\n"):], 3}, // 5 samples and 2 frames of 24
	} {
		s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{Frames: 3}})
		expect(t, s.send("/api/1/envelope/?sentry_key=k1", []byte("{}"+strings.Repeat(c.item, c.most))), http.StatusOK, "")
		expect(t, s.send("/api/1/envelope/?sentry_key=k1", []byte("{}"+strings.Repeat(c.item, c.most+1))), http.StatusRequestEntityTooLarge, "frames")
	}
}

// A page that claims to have been observed for longer than pages send is refused. A file may be longer.
func TestClaimedTime(t *testing.T) {
	s := newSite(t)
	claims := func(text string, ticks int) []byte {
		return []byte(strings.Replace(text, `"stackId":0,"weight":1,`, fmt.Sprintf(`"stackId":0,"weight":%d,`, ticks), 1))
	}
	trace := chunkText[strings.Index(chunkText, `{"resources"`) : len(chunkText)-1]
	const hour = 3600 * 100 // ticks
	for _, c := range []struct {
		text   string
		ticks  int
		status int
	}{
		{chunkText, hour - 4, http.StatusAccepted}, {chunkText, hour, http.StatusRequestEntityTooLarge}, {chunkText, 1<<31 - 1, http.StatusRequestEntityTooLarge},
		{sliceText, 1<<31 - 1, http.StatusRequestEntityTooLarge},
		{trace, 24*hour - 4, http.StatusAccepted}, {trace, 24 * hour, http.StatusRequestEntityTooLarge},
	} {
		w := s.send(profiles, claims(c.text, c.ticks))
		if expect(t, w, c.status, ""); w.Code == http.StatusRequestEntityTooLarge && !strings.Contains(w.Body.String(), `"time"`) {
			t.Errorf("%s", w.Body)
		}
		s.taken()
	}
}

// Hostile texts are stored as texts: cut, and without what would hide in them.
func TestHostileTexts(t *testing.T) {
	for _, text := range []string{"'; DROP TABLE chunks; --", "__proto__", "constructor", "<script>alert(1)</script>", "../../etc/passwd", "a\x00b\x1b[31m\u202eflip", "\xff\xfe broken", strings.Repeat("long 🦒", 1000), "=cmd|' /C calc'!A0", "{{7*7}}", "%00%n%s"} {
		quoted := strings.NewReplacer(`"`, `\"`, "\x00", `\u0000`, "\x1b", `\u001b`).Replace(text)
		body := strings.NewReplacer(`"2026-11-21"`, `"`+quoted+`"`, `"name":"f"`, `"name":"`+quoted+`"`, `"pro"`, `"`+quoted+`"`, `"chunk":3`, `"route":"`+quoted+`","chunk":3`, `"4g"`, `"`+quoted+`"`).Replace(chunkText)
		s := newSite(t)
		expect(t, s.send(profiles, []byte(body)), http.StatusAccepted, "")
		c := s.taken()[0]
		name := c.Profile.Function(0).Name
		for _, got := range []string{c.Labels["release"], c.Labels["route"], c.Labels["x-plan"], c.Labels["connection"], name} {
			if got == "" || len(got) > longestName || !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x1b\u202e") {
				t.Errorf("%q becomes %q", text, got)
			}
		}
		if isClean(text) && len(text) < longestLabel && (c.Labels["release"] != text || name != text) {
			t.Errorf("%q becomes %q and %q", text, c.Labels["release"], name)
		}
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "über": "über", "abcdefgh🦒": "abcdefgh", "\u00e9\u00e9\u00e9\u00e9\u00e9": "éééé", "a\tb\r\n": "a b  ", "\xff": "?"} {
		must.Equal(t, clean(text, 9), want)
	}
	for url, want := range map[string]string{"https://u:pw@a.example/app.js?v=1#x": "https://a.example/app.js", "webpack://app/./a.js?1234": "webpack://app/./a.js", "data:text/javascript;base64,xyz": "data:text/javascript;base64", "a.js": "a.js", "https://a.example": "https://a.example", "https://a/@scope/b.js": "https://a/@scope/b.js"} {
		must.Equal(t, fileOf(url), want)
	}
	for page, want := range map[string]string{"https://a.example/": "/", "https://a.example": "/", "https://a.example/orders/123": "/orders/:id", "https://a.example/u/85314830-023f-4cf1-a267-535f4e37bb17/edit": "/u/:id/edit",
		"https://a.example/v2/blog/some-title-of-a-post": "/v2/blog/some-title-of-a-post", "https://a.example/c/deadbeef01": "/c/:id", "https://a.example/a/b@c.example": "/a/:id", "https://a.example/1/2/3/4/5/6/7/8/9": strings.Repeat("/:id", 8) + "/…",
		"https://a.example/" + strings.Repeat("x", 100): "/:id", "": "", "nonsense": "", "https://a.example/%zz": ""} {
		must.Equal(t, routeOf(page), want, page)
	}
	for list, want := range map[string]string{"": "", "de": "de", "de-DE,de;q=0.9": "de-DE", "zh-Hant-TW;q=1": "zh-Hant-TW", "*": "", "<script>": "", strings.Repeat("de", 100): ""} {
		must.Equal(t, localeOf(list), want)
	}
}

// A label has so many values, and the series of an hour are bounded, whatever is sent.
func TestExplosions(t *testing.T) {
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{Values: 20, Series: 50, PerSecond: 1e6, PerAddress: 1e6}})
	send := func(release, route, rate string) {
		body := strings.NewReplacer(`"2026-11-21"`, `"`+release+`"`, `"chunk":3`, `"route":"`+route+`","chunk":3`, `"rate":0.1`, `"rate":`+rate).Replace(chunkText)
		expect(t, s.send(profiles, []byte(body)), http.StatusAccepted, "")
	}
	for i := range 300 {
		send(fmt.Sprint("r", i), fmt.Sprint("/p", i), "0.1")
	}
	releases, routes, series := map[string]int{}, map[string]int{}, map[string]int{}
	chunks := s.taken()
	must.Equal(t, len(chunks), 300)
	for _, c := range chunks {
		releases[c.Labels["release"]]++
		routes[c.Labels["route"]]++
		series[c.Series.Key()]++
	}
	if len(releases) != 21 || releases[record.Other] != 280 || len(routes) > 101 || len(series) > 60 {
		t.Errorf("%d releases, %d routes, %d series", len(releases), len(routes), len(series))
	}
	if s.count("dropped_total", "reason=label-values") == 0 || s.count("dropped_total", "reason=series") == 0 {
		t.Error("nothing was counted")
	}
	// Made-up rates have no room either, and are counted in a few.
	series = map[string]int{}
	for i := range 200 {
		send("r1", "/p1", fmt.Sprint(0.001*float64(i+1)))
	}
	chunks = s.taken()
	for i, c := range chunks {
		series[c.Series.Key()]++
		if said := 0.001 * float64(i+1); c.Rate > 1.6*said || c.Rate < said/1.6 {
			t.Errorf("the rate %v becomes %v", said, c.Rate)
		}
	}
	if len(chunks) != 200 || len(series) > 10 {
		t.Errorf("%d chunks in %d series", len(chunks), len(series))
	}
	s.pass(time.Hour)
	send("r1", "/p1", "0.1")
	must.Equal(t, s.taken()[0].Labels["release"], "r1")
	s.pass(time.Minute) // values that were seen but once make room after an hour
	send("r777", "/p1", "0.1")
	must.Equal(t, s.taken()[0].Labels["release"], "r777")
	for i := range 300 {
		send(fmt.Sprint("made-up", i), "/p1", "0.1")
	}
	s.taken()
	s.pass(time.Hour)
	send("r1", "/p1", "0.1") // what was in use for an hour keeps its place
	s.pass(time.Minute)
	send("r888", "/p1", "0.1")
	send("r1", "/p1", "0.1")
	got := []string{}
	for _, c := range s.taken() {
		got = append(got, c.Labels["release"])
	}
	must.Equal(t, got, []string{"r1", "r888", "r1"})
}

// How long a value keeps its place follows from how long it was in use.
func TestKeeps(t *testing.T) {
	for _, c := range []struct {
		used, unseen time.Duration
		want         bool
	}{
		{0, time.Hour, true}, {0, time.Hour + 1, false}, {2 * time.Hour, 2 * time.Hour, true}, {2 * time.Hour, 2*time.Hour + 1, false},
		{1000 * time.Hour, 24 * time.Hour, true}, {1000 * time.Hour, 24*time.Hour + 1, false}, {-time.Hour, time.Hour, true},
	} {
		first := time.Unix(1e9, 0)
		last := first.Add(c.used)
		must.Equal(t, seen{first, last}.keeps(last.Add(c.unseen)), c.want, c.used.String(), c.unseen.String())
	}
}

// A sender that makes up all series of an hour takes nothing from others: they are counted, with their time.
func TestSeriesOfOthersSurvive(t *testing.T) {
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Labels: []string{"plan"}, Limits: config.Limits{Series: 50, PerSecond: 1e6, PerAddress: 1e6}})
	for i := range 400 {
		change := strings.NewReplacer(`"rate":0.1`, fmt.Sprintf(`"rate":%v`, 1/float64(i+1)), `"interval":10`, fmt.Sprintf(`"interval":%d`, 20+i), `"connection":"4g",`, []string{`"connection":"4g",`, ""}[i%2],
			`"plan":"pro",`, []string{`"plan":"pro",`, ""}[i/2%2], `"release":"2026-11-21",`, []string{`"release":"2026-11-21",`, ""}[i/4%2])
		expect(t, s.send(profiles, []byte(change.Replace(chunkText))), http.StatusAccepted, "")
	}
	series := map[string]int{}
	for _, c := range s.taken() {
		series[c.Series.Key()]++
	}
	if len(series) > 50+5+50 {
		t.Errorf("%d series", len(series))
	}
	text := strings.NewReplacer(`"/cart/12345"`, `"/new"`, `"interval":10`, `"interval":12.9`, `"rate":0.1`, `"rate":0.01`).Replace(chunkText)
	expect(t, s.send(profiles, []byte(text)), http.StatusAccepted, "")
	chunks := s.taken()
	if len(chunks) != 1 || chunks[0].Rate != 0.01 || chunks[0].Interval != 10*time.Millisecond || chunks[0].Profile.Samples.Ticks() < 5 || chunks[0].Labels["x-plan"] != record.Other {
		t.Errorf("%+v", chunks)
	}
	text = strings.Replace(text, `"interval":12.9`, `"interval":40`, 1)
	expect(t, s.send(profiles, []byte(text)), http.StatusAccepted, "")
	if c := s.taken()[0]; c.Interval != 50*time.Millisecond || c.Observed != 200*time.Millisecond || c.Profile.Samples.Ticks() != 4 || c.Profile.Meta.Interval != c.Interval {
		t.Errorf("%+v has %d ticks", c, c.Profile.Samples.Ticks())
	}
}

// Series of which there are too many have few rates and intervals, and the usual ones among them.
func TestCoarse(t *testing.T) {
	rates, intervals := map[float64]bool{}, map[time.Duration]bool{}
	for weight := 1.0; weight <= 1e6; weight *= 1.003 {
		rates[coarseRate(usualRate(1/weight))] = true
	}
	for d := shortest; d <= longestInterval; d += d/100 + 1 {
		intervals[coarseInterval(nearest(d))] = true
	}
	if len(rates) > 20 || len(intervals) > 20 {
		t.Errorf("%d rates, %d intervals", len(rates), len(intervals))
	}
	for _, rate := range []float64{1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 1e-6} {
		must.Equal(t, coarseRate(usualRate(rate)), usualRate(rate))
	}
	for _, d := range []time.Duration{0, shortest, time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 16 * time.Millisecond, longestInterval} {
		must.Equal(t, coarseInterval(d), d)
	}
}

func TestClocks(t *testing.T) {
	for name, c := range map[string]struct{ started, want time.Duration }{
		"right":          {-time.Minute, -time.Minute},
		"waited":         {-6 * 24 * time.Hour, -6 * 24 * time.Hour},
		"a little ahead": {30 * time.Second, 30 * time.Second},
		"ahead":          {2 * time.Hour, -50 * time.Millisecond},
		"years ahead":    {20 * 365 * 24 * time.Hour, 0},
		"years behind":   {-20 * 365 * 24 * time.Hour, 0},
	} {
		s := newSite(t)
		body := strings.Replace(chunkText, "1795275000000.5", fmt.Sprint(now.Add(c.started).UnixMilli()), 1)
		expect(t, s.send(profiles, []byte(body)), http.StatusAccepted, "")
		must.Equal(t, s.taken()[0].At, now.Add(c.want), name)
		must.Equal(t, s.count("dropped_total", "reason=clock") > 0, strings.HasPrefix(name, "years"), name)
	}
}

// An hour has so many examples of a route, the busy ones rather than others.
func TestExamples(t *testing.T) {
	s := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{ExamplesPerRoute: new(4), PerSecond: 1e6, PerAddress: 1e6}})
	kept := 0
	for range 120 {
		s.pass(30 * time.Second)
		s.send(profiles, []byte(chunkText))
		if s.taken()[0].Example != nil {
			kept++
		}
	}
	if kept < 4 || kept > 5 { // the hour of the clock begins within
		t.Errorf("%d examples", kept)
	}
	none := newSite(t, config.App{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{ExamplesPerRoute: new(0)}})
	none.send(profiles, []byte(chunkText))
	must.Equal(t, none.taken()[0].Example == nil, true)
	chunk := func(busy int32) *record.Chunk {
		var b profile.Builder
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f"}), 1, 1)), Weight: busy})
		return &record.Chunk{Profile: b.Profile()}
	}
	var e examples
	var giveBack func()
	want := func(busy int32, minute time.Duration, wanted bool) {
		t.Helper()
		is, back := e.want(chunk(busy), 2, now.Truncate(time.Hour).Add(minute*time.Minute))
		must.Equal(t, is, wanted)
		if is {
			giveBack = back
		}
	}
	want(5, 0, true)
	late := giveBack
	want(100, 0, false)
	want(49, 30, false)
	want(50, 31, true)
	late() // it was too large to keep, and its window is over
	want(50, 32, false)
	for range mostTries - 1 {
		giveBack()
		want(50, 32, true)
	}
	giveBack()
	want(50, 33, false) // all of them may be too large
	want(50, 90, true)
	hour := now.Truncate(time.Hour)
	for i := range 2 * mostRoutes {
		c := chunk(1)
		c.Labels = record.Labels{"route": fmt.Sprint(i)}
		e.want(c, 2, hour)
	}
	if len(e.routes) > mostRoutes {
		t.Errorf("%d routes", len(e.routes))
	}
}

// An app whose decoders are all busy delays and refuses its own requests, and no other app's.
func TestFlood(t *testing.T) {
	s := newSite(t, config.App{Name: "flood", Keys: []string{"k1"}}, config.App{Name: "calm", Keys: []string{"k2"}})
	flooded := s.Handler.(*handler).apps[0]
	for range cap(flooded.decoders) {
		flooded.decoders <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan int)
	go func() {
		r := must.Get(http.NewRequestWithContext(ctx, http.MethodPost, profiles, strings.NewReader(chunkText)))(t)
		w := &status{header: http.Header{}}
		s.ServeHTTP(w, r)
		waiting <- w.code
	}()
	expect(t, s.send("/v1/profiles?key=k2", []byte(chunkText)), http.StatusAccepted, "")
	must.Equal(t, len(s.taken()), 1)
	cancel()
	must.Equal(t, <-waiting, http.StatusServiceUnavailable)
	for flooded.enter() {
	}
	expect(t, s.send(profiles, []byte(chunkText)), http.StatusServiceUnavailable, "busy")
	expect(t, s.send("/v1/profiles?key=k2", []byte(chunkText)), http.StatusAccepted, "")
	for range mostInside {
		flooded.leave()
	}
	flooded.held.Add(mostHeld)
	expect(t, s.send(profiles, []byte(chunkText)), http.StatusServiceUnavailable, "busy")
	flooded.held.Add(-mostHeld)
	for range cap(flooded.decoders) {
		<-flooded.decoders
	}
	expect(t, s.send(profiles, []byte(chunkText)), http.StatusAccepted, "")
	must.Equal(t, flooded.held.Load(), int64(0))

	// Of a flood of large requests one is decoded, and one waits: others have the next turn.
	large := []byte(chunkText + strings.Repeat(" ", largePlain))
	for _, body := range [][]byte{large[:largeSent*2], zipped(large)} {
		flooded.large <- struct{}{}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			r := must.Get(http.NewRequestWithContext(ctx, http.MethodPost, profiles, bytes.NewReader(body)))(t)
			w := &status{header: http.Header{}}
			s.ServeHTTP(w, r)
			waiting <- w.code
		}()
		expect(t, s.send("/v1/profiles?key=k2", body), http.StatusAccepted, "")
		cancel()
		must.Equal(t, <-waiting, http.StatusServiceUnavailable)
		<-flooded.large
		expect(t, s.send(profiles, body), http.StatusAccepted, "")
	}
}

// Large requests that wait for their turn keep no decoder from small ones.
func TestLargeOnesWaitOutside(t *testing.T) {
	s := newSite(t, config.App{Name: "flood", Keys: []string{"k1"}, Limits: config.Limits{PerSecond: 1e6, PerAddress: 1e6}})
	flooded := s.Handler.(*handler).apps[0]
	flooded.large <- struct{}{}
	var sent sync.WaitGroup
	for range 2 * cap(flooded.decoders) {
		sent.Go(func() { s.send(profiles, zipped([]byte(chunkText+strings.Repeat(" ", largePlain)))) })
	}
	for range 500 {
		expect(t, s.send(profiles, []byte(chunkText)), http.StatusAccepted, "")
	}
	<-flooded.large
	sent.Wait()
	must.Equal(t, len(s.taken()), 500+2*cap(flooded.decoders))
}

// status is an answer of which only the status matters.
type status struct {
	header http.Header
	code   int
}

func (s *status) Header() http.Header            { return s.header }
func (s *status) Write(text []byte) (int, error) { return len(text), nil }
func (s *status) WriteHeader(code int)           { s.code = code }
