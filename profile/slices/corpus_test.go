package slices_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/wicg"
	"github.com/fieldprof/fieldprof/profile/slices"
)

// corpusCase is a case of testdata/corpus; see the README there.
type corpusCase struct {
	About     string                     `json:"about"`
	Page      string                     `json:"page"`
	Functions map[string]json.RawMessage `json:"functions"`
	Samples   []corpusSample             `json:"samples"`
	Slice     corpusMark                 `json:"slice"`
	Marks     []corpusMark               `json:"marks"`

	Groups map[string]float64 `json:"groups"`
	BySelf [][]any            `json:"functions by self"`
	Cause  []any              `json:"cause"`
	// Handler is a function's short name.
	Handler *string `json:"handler"`
	Explain string  `json:"explain"`
}

type corpusSample struct {
	At     float64  `json:"at"`
	Until  float64  `json:"until"`
	Every  *float64 `json:"every"`
	Stack  string   `json:"stack"`
	Kind   string   `json:"kind"`
	Weight int      `json:"weight"`
	Skid   float64  `json:"skid"`
	Marker string   `json:"marker"`
	Raw    bool     `json:"raw"`
}

type corpusMark map[string]any

func (m corpusMark) number(field string) time.Duration {
	v, _ := m[field].(float64)
	return time.Duration(v * 1e6)
}

// corpusFunction is where a function is.
type corpusFunction struct {
	Name    *string `json:"name"`
	At      string  `json:"at"`
	Ignored bool    `json:"ignored"`
}

func TestCorpus(t *testing.T) {
	files := must.Get(filepath.Glob("testdata/corpus/*.json"))(t)
	cases := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, c := range must.JSON[[]corpusCase](t, must.Get(os.ReadFile(file))(t)) {
				t.Run(c.About, c.check)
				cases++
			}
		})
	}
	if cases < 50 {
		t.Errorf("%d cases", cases)
	}
}

func (c *corpusCase) check(t *testing.T) {
	trace, names := c.trace(t)
	_, p, err := wicg.Limits{}.Read(must.Get(json.Marshal(trace))(t)) // whose times are those of the case
	must.Do(t, err)
	must.Do(t, p.CheckValid())
	found := slices.Of(p, slices.Options{Page: c.Page, Over: map[profile.What]time.Duration{profile.What(c.Slice["what"].(string)): 0}})
	var slice *slices.Slice
	for i := range found {
		if m := found[i].Mark; m.Time == c.Slice.number("time") && m.Duration == c.Slice.number("duration") {
			slice = &found[i]
		}
	}
	if slice == nil {
		t.Fatal("the slice was not found")
	}
	got := c.told(slice, names)
	if want := (&corpusCase{Groups: c.Groups, BySelf: c.BySelf, Cause: c.Cause, Handler: c.Handler, Explain: c.Explain}); text(t, got) != text(t, want) {
		t.Errorf("got\n%s\nwant\n%s", text(t, got), text(t, want))
	}
}

func text(t *testing.T, c *corpusCase) string {
	return string(must.Get(json.Marshal([]any{c.Groups, c.BySelf, c.Cause, c.Handler, c.Explain}))(t))
}

// told is what the corpus says about a slice.
func (c *corpusCase) told(s *slices.Slice, names map[profile.Function]string) *corpusCase {
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	name := func(f profile.Function) string { f.Flags = 0; return names[f] }
	got := &corpusCase{Groups: map[string]float64{}, BySelf: [][]any{}, Explain: s.Explain()}
	for g, d := range s.Blame.Groups {
		if d != 0 {
			got.Groups[string(g)] = ms(d)
		}
	}
	for _, f := range s.Blame.Functions {
		got.BySelf = append(got.BySelf, []any{name(f.Function), ms(f.Self), ms(f.Total), f.Group})
	}
	if cause := s.Blame.Cause; cause != nil {
		got.Cause = []any{name(cause.Function), ms(cause.Time)}
	}
	if s.Blame.Handler != nil {
		handler := name(*s.Blame.Handler)
		got.Handler = &handler
	}
	return got
}

// trace is the trace of a case as the runtime writes it, and the short names of its functions.
func (c *corpusCase) trace(t *testing.T) (trace map[string]any, names map[profile.Function]string) {
	frames, stacks, samples, resources := []any{}, []any{}, []any{}, []string{}
	names = map[profile.Function]string{}
	frameIDs, stackIDs := map[string]int{}, map[string]int{}
	frame := func(short string) int {
		if id, ok := frameIDs[short]; ok {
			return id
		}
		in := map[string]any{"name": short}
		f := profile.Function{Name: short}
		if raw, ok := c.Functions[short]; ok {
			var place corpusFunction
			if json.Unmarshal(raw, &place.At) != nil {
				must.Do(t, json.Unmarshal(raw, &place))
			}
			if place.Name != nil {
				f.Name = *place.Name
			}
			in["name"] = f.Name
			if place.At != "native" {
				f.File, f.Line, f.Column = at(t, place.At)
				resources = append(resources, f.File)
				in["resourceId"] = len(resources) - 1
				if f.Line > 0 {
					in["line"], in["column"] = f.Line, f.Column
				}
			}
			if place.Ignored {
				in["ignored"] = true
			}
		} else if !profile.IsPseudoName(short) {
			t.Fatalf("function %q is not described", short)
		}
		if _, ok := names[f]; !ok {
			names[f] = short
		}
		frames = append(frames, in)
		frameIDs[short] = len(frames) - 1
		return len(frames) - 1
	}
	for _, s := range c.Samples {
		stack := -1
		path := ""
		for short := range strings.SplitSeq(s.Stack, " > ") {
			if s.Stack == "" {
				break
			}
			path += " > " + short
			id, ok := stackIDs[path]
			if !ok {
				in := map[string]any{"frameId": frame(short)}
				if stack >= 0 {
					in["parentId"] = stack
				}
				stacks = append(stacks, in)
				id = len(stacks) - 1
				stackIDs[path] = id
			}
			stack = id
		}
		samples = append(samples, s.entries(stack)...)
	}
	marks := []any{c.Slice}
	for _, m := range c.Marks {
		marks = append(marks, m)
	}
	return map[string]any{"resources": resources, "frames": frames, "stacks": stacks, "samples": samples,
		"fieldprof": map[string]any{"version": 1, "interval": 10, "marks": marks}}, names
}

// entries are those of a sample, or of many.
func (s *corpusSample) entries(stack int) (entries []any) {
	every := 10.0
	if s.Every != nil {
		every = *s.Every
	}
	weight := max(1, s.Weight)
	for time := s.At; time == s.At || time <= s.Until; time += every {
		for tick := range weight {
			in := map[string]any{"timestamp": time}
			if stack >= 0 {
				in["stackId"] = stack
			}
			if s.Marker != "" {
				in["marker"] = s.Marker
			}
			if !s.Raw {
				in["weight"] = 1
				if tick < weight-1 {
					in["timestamp"] = time - s.Skid + s.Skid*float64(tick)/float64(weight-1)
				}
				if tick == 0 {
					kind := s.Kind
					if kind == "" && stack >= 0 {
						kind = "loop"
					} else if kind == "" {
						kind = "idle"
					}
					in["kind"], in["skid"] = kind, s.Skid
				}
			}
			entries = append(entries, in)
		}
	}
	return entries
}

// at reads URL:line:column.
func at(t *testing.T, place string) (url string, line, column int32) {
	numbers := [2]int32{}
	for i := 1; i >= 0; i-- {
		colon := strings.LastIndexByte(place, ':')
		numbers[i] = int32(must.Get(strconv.Atoi(place[colon+1:]))(t))
		place = place[:colon]
	}
	return place, numbers[0], numbers[1]
}
