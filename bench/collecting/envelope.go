package collecting

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// sent is the part of a request that is the same for many: a trace, compressed.
type sent struct {
	route   string
	release string
	zipped  []byte
}

// The trace as fieldprof's runtime writes it (docs/sending.md).
type (
	trace struct {
		Resources []string `json:"resources"`
		Frames    []frame  `json:"frames"`
		Stacks    []call   `json:"stacks"`
		Samples   []sample `json:"samples"`
		Made      made     `json:"fieldprof"`
	}
	frame struct {
		Name     string `json:"name"`
		Resource int    `json:"resourceId"`
		Line     int32  `json:"line"`
		Column   int32  `json:"column"`
	}
	call struct {
		Frame  int  `json:"frameId"`
		Parent *int `json:"parentId,omitempty"`
	}
	sample struct {
		Stack  *int     `json:"stackId,omitempty"`
		Time   float64  `json:"timestamp"`
		Weight int      `json:"weight"`
		Kind   string   `json:"kind,omitempty"`
		Skid   *float64 `json:"skid,omitempty"`
	}
	made struct {
		Version  int    `json:"version"`
		Clock    string `json:"clock"`
		Interval int    `json:"interval"`
	}
)

// trace is a minute as a page sends it. The ticks of a pause are one sample, or each has its
// own.
func (p *program) trace(m minute, each bool, random *rand.Rand) trace {
	t := trace{Made: made{1, "poll", 10}}
	resources, frames, calls := map[string]int{}, map[int]int{}, map[int]int{}
	var add func(node int) int
	add = func(n int) int {
		if at, known := calls[n]; known {
			return at
		}
		c := call{}
		if parent := p.routes[m.route][n].parent; parent >= 0 {
			at := add(parent)
			c.Parent = &at
		}
		f := p.routes[m.route][n].function
		if _, known := frames[f]; !known {
			about := p.functions[f]
			if _, known := resources[about.File]; !known {
				resources[about.File] = len(t.Resources)
				t.Resources = append(t.Resources, about.File)
			}
			frames[f] = len(t.Frames)
			t.Frames = append(t.Frames, frame{about.Name, resources[about.File], about.Line, about.Column})
		}
		c.Frame = frames[f]
		calls[n] = len(t.Stacks)
		t.Stacks = append(t.Stacks, c)
		return calls[n]
	}
	at, pause := 100.0, 0
	for _, n := range m.ticks {
		at = math.Round((at+10*random.ExpFloat64())*10) / 10 // to the tenth of a millisecond, as browsers tell the time
		s := sample{Weight: 1, Time: at}
		switch {
		case n < 0 && !each:
			pause++
			continue
		case n >= 0:
			if pause > 0 {
				t.Samples = append(t.Samples, sample{Weight: pause, Time: at})
				pause = 0
			}
			stack, skid := add(n), math.Round(random.ExpFloat64()*5)/10
			s.Stack, s.Kind, s.Skid = &stack, [...]string{"entry", "loop", "exit"}[random.IntN(3)], &skid
		}
		t.Samples = append(t.Samples, s)
	}
	if pause > 0 {
		t.Samples = append(t.Samples, sample{Weight: pause, Time: at})
	}
	return t
}

// newSent makes all traces.
func newSent(releases int, each bool) ([]sent, error) {
	var all []sent
	for release := range releases {
		p := newProgram(release)
		random := rand.New(rand.NewPCG(2, uint64(release)))
		for route := range routes {
			for range patterns {
				text, err := json.Marshal(p.trace(p.minute(route, random), each, random))
				if err != nil {
					return nil, err
				}
				s := sent{route: routeName(route), release: releaseName(release)}
				s.zipped, err = zip(append(append([]byte(`"trace":`), text...), '}'), gzip.DefaultCompression)
				if err != nil {
					return nil, err
				}
				all = append(all, s)
			}
		}
	}
	return all, nil
}

func routeName(route int) string     { return fmt.Sprintf("/section-%d/:id", route) }
func releaseName(release int) string { return fmt.Sprintf("2026.11.%d", release+1) }

// session is who sends: drawn with the frequencies of a public site.
type session struct {
	browser, device, connection string
	cores                       int
}

func newSession(random *rand.Rand) session {
	version := 150 + min(random.IntN(4), random.IntN(4))
	s := session{browser: fmt.Sprintf("Chrome %d", version), device: "desktop", connection: "4g", cores: 4 << random.IntN(2)}
	if random.IntN(5) == 0 {
		s.browser = fmt.Sprintf("Firefox %d", version)
	}
	if random.IntN(2) == 0 {
		s.device = "mobile"
	}
	if random.IntN(8) == 0 {
		s.connection = "3g"
	}
	return s
}

// request is a body, of its own session. gzip allows several members in a row, so the trace is
// compressed only once.
func (s *sent) request(random *rand.Rand, now time.Time) ([]byte, error) {
	who := newSession(random)
	origin := float64(now.UnixMilli()) - 60_100
	head := fmt.Sprintf(`{"version":1,"session":"%016x%016x","view":"%016x%016x","page":"https://shop.example/section","route":%q,"release":%q,"rate":0.1,"browser":%q,"device":{"kind":%q,"cores":%d},"connection":%q,"chunk":0,"started":%f,"origin":%f,`,
		random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64(), s.route, s.release, who.browser, who.device, who.cores, who.connection, origin+100, origin)
	zipped, err := zip([]byte(head), gzip.BestSpeed)
	return append(zipped, s.zipped...), err
}

func zip(text []byte, level int) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}
