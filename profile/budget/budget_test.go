package budget

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// shop is 100 busy ticks of 1 ms and 60 idle ones: main calls parse (20), pay (30),
// which calls itself and parse (10); 35 are main's, 5 the collector's.
func shop() *profile.Profile {
	var b profile.Builder
	b.Meta = profile.Meta{Interval: time.Millisecond}
	frame := func(name, file string) profile.FrameID {
		return b.Frame(b.Function(profile.Function{Name: name, File: file, Line: 1}), 1, 1)
	}
	main := b.Stack(profile.NoStack, frame("main", "webpack://shop/./src/main.ts"))
	parse := frame("parse", "webpack://shop/./src/parser/parse.ts")
	pay := b.Stack(main, frame("pay", "webpack://shop/./src/checkout/pay.ts"))
	again := b.Stack(pay, frame("pay", "webpack://shop/./src/checkout/pay.ts"))
	for stack, ticks := range map[profile.StackID]int32{main: 35, b.Stack(main, parse): 20, again: 30, b.Stack(again, parse): 10,
		b.Pseudo(profile.NoStack, profile.NameGC): 5, b.Pseudo(profile.NoStack, profile.NameIdle): 60} {
		for range ticks {
			b.Sample(profile.Sample{Stack: stack, Weight: 1})
		}
	}
	return b.Profile()
}

const example = `features:
  checkout: [src/checkout/**, src/cart/**]
budgets:
  - name: parsing
    sources: src/parser/**
    max: 25%
  - feature: checkout
    measure: total
    max: 120ms
  - functions: [p*, "(garbage collector)"]
    max: 35ms
  - sources: src/nowhere/*.ts
    max: 1%
`

func TestCheck(t *testing.T) {
	f := must.Get(Read([]byte(example)))(t)
	r := must.Get(Check(f, shop()))(t)
	for i, want := range []struct {
		value, over float64
		functions   int
	}{{30, 5, 1}, {40, 0, 1}, {65, 30, 3}, {0, 0, 0}} {
		l := r.Budgets[i]
		if math.Abs(l.Value-want.value) > 1e-9 || math.Abs(l.Over-want.over) > 1e-9 || l.Functions != want.functions {
			t.Errorf("%+v, want %+v", l, want)
		}
	}
	if r.Broken != 2 || math.Abs(r.BusyMs-100) > 1e-9 {
		t.Errorf("%+v", r)
	}
	// 1.96 √(0.3·0.7/100)
	if got := r.Budgets[0].Margin; math.Abs(got-8.98) > 0.01 {
		t.Errorf("margin %v", got)
	}
}

// Shares are of all profiles together, times the mean of a profile.
func TestCheckSeveralProfiles(t *testing.T) {
	f := must.Get(Read([]byte("budgets:\n- {functions: parse, max: 25%}\n- {functions: parse, max: 20ms}\n")))(t)
	slow := shop()
	slow.Meta.Interval = 3 * time.Millisecond // 90 of 300 ms
	r := must.Get(Check(f, shop(), slow))(t)
	if math.Abs(r.Budgets[0].Value-30) > 1e-9 || math.Abs(r.Budgets[1].Value-60) > 1e-9 {
		t.Errorf("%+v", r.Budgets)
	}
}

func TestCheckRefuses(t *testing.T) {
	f := must.Get(Read([]byte("budgets:\n- {functions: parse, max: 20ms}\n")))(t)
	clockless := shop()
	clockless.Meta.Interval = 0
	for name, profiles := range map[string][]*profile.Profile{
		"no profiles": nil, "nothing ran": {(&profile.Builder{}).Profile()}, "no clock": {clockless}, "do not add up": {shop(), clockless},
	} {
		must.Refuse(Check(f, profiles...))(t, name)
	}
}

func TestReadErrorsAreLocated(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "1:1: the file is empty"},
		{"budgets: []", "1:10: budgets: a list"},
		{"features: {}", "1:1: there are no budgets"},
		{"budget:\n- max: 1%", `1:1: unknown key "budget": did you mean budgets?`},
		{"budgets:\n- source: a\n  max: 1%", `2:3: unknown key "source": did you mean sources?`},
		{"budgets:\n- sources: a\n  mx: 1%", `3:3: unknown key "mx": did you mean max?`},
		{"budgets:\n- sources: a\n  sources: b\n  max: 1%", "3:3: sources appears twice"},
		{"budgets:\n- sources: a", "2:3: a budget needs max"},
		{"budgets:\n- sources: a\n  max: fast", `3:8: max: a share of the busy time, such as 25%, or a time, such as 120ms, not "fast"`},
		{"budgets:\n- sources: a\n  max: 0%", "3:8: max"},
		{"budgets:\n- sources: a\n  max: NaN%", "3:8: max"},
		{"budgets:\n- sources: a\n  max: 101%", "3:8: max"},
		{"budgets:\n- sources: a\n  max: -5ms", "3:8: max"},
		{"budgets:\n- sources: a\n  max: [1%]", "3:8: max"},
		{"budgets:\n- sources: '[a'\n  max: 1%", "2:12: sources:"},
		{"budgets:\n- functions: '[a'\n  max: 1%", "2:14: functions:"},
		{"budgets:\n- sources: []\n  max: 1%", "2:12: sources: a glob"},
		{"budgets:\n- sources: {a: b}\n  max: 1%", "2:12: sources: a glob"},
		{"budgets:\n- max: 1%", "2:3: a budget is of either"},
		{"budgets:\n- {sources: a, functions: b, max: 1%}", "2:3: a budget is of either"},
		{"budgets:\n- {feature: chekout, max: 1%}\nfeatures: {checkout: a, cart: b}", `2:13: no feature "chekout": did you mean checkout? Known are cart, checkout`},
		{"budgets:\n- {feature: chekout, max: 1%}", "2:13: feature \"chekout\": there are no features"},
		{"budgets:\n- {sources: a, measure: all, max: 1%}", `2:25: measure: self or total, not "all"`},
		{"budgets:\n- {name: [a], sources: a, max: 1%}", "2:10: name:"},
		{"budgets:\n- {sources: a, max: 1%", "1:1: not YAML"},
		{"budgets:\n\t- x", "2:1: not YAML"},
		{"- a", "1:1: a mapping belongs"},
		{"a: &x 1\nbudgets: *x", `1:1: unknown key "a"`},
		{"features: &x {a: b}\nbudgets: *x", "2:10: budgets: aliases"},
		{"features: [a]\nbudgets: 1", "1:11: features"},
		{"features: {a: b, a: c}\nbudgets: 1", `1:18: feature "a"`},
	} {
		_, err := Read([]byte(c.text))
		var located *Error
		if err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), "not YAML") || !errors.As(err, &located) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	want := must.Get(os.ReadFile("testdata/" + name))(t)
	must.Equal(t, got, string(want), name)
}

func TestWrite(t *testing.T) {
	f := must.Get(Read([]byte(example)))(t)
	r := must.Get(Check(f, shop()))(t)
	var text, markdown, data bytes.Buffer
	must.Do(t, errors.Join(r.WriteText(&text), r.WriteMarkdown(&markdown), r.WriteJSON(&data)))
	golden(t, "result.txt", text.String())
	golden(t, "result.md", markdown.String())
	var back Result
	must.Do(t, json.Unmarshal(data.Bytes(), &back))
	must.Equal(t, fmt.Sprint(back), fmt.Sprint(*r))
}

func TestSummary(t *testing.T) {
	for want, r := range map[string]Result{
		"the budget is kept (1 profile, 5 ms busy)": {Profiles: 1, Budgets: make([]Line, 1), BusyMs: 5},
		"all 2 budgets are kept (3 profiles)":       {Profiles: 3, Budgets: make([]Line, 2)},
		"1 of 2 budgets broken (1 profile)":         {Profiles: 1, Budgets: make([]Line, 2), Broken: 1},
	} {
		must.Equal(t, r.Summary(), want)
	}
}

func TestWriteHostileNames(t *testing.T) {
	r := &Result{Profiles: 1, Budgets: []Line{{Name: "\x1b[2J|<script>alert(1)</script>[x](javascript:y)`*_@all\u202e\n"}}}
	var text, markdown, data bytes.Buffer
	must.Do(t, errors.Join(r.WriteText(&text), r.WriteMarkdown(&markdown), r.WriteJSON(&data)))
	for _, c := range text.String() + markdown.String() + data.String() {
		if c != '\n' && !unicode.IsPrint(c) && c != '\ufe0f' {
			t.Errorf("%U is written as it is", c)
		}
	}
	row := strings.Split(markdown.String(), "\n")[4]
	if strings.Count(row, "|") != 7 || strings.ContainsAny(row, "<>[]`@_") {
		t.Errorf("%s", row)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("budgets:\n- {sources: a, max: 1%}"))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data)
		if err != nil {
			var located *Error
			if !errors.As(err, &located) || located.Line < 1 || located.Column < 1 {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		must.Get(Check(file, shop()))(t)
	})
}
