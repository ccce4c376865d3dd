package runtime_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/transform"
)

// question is a table in its JSON form, and positions to look up.
type question struct {
	Table     string  `json:"table"`
	Positions []int32 `json:"positions"`
}

// answer is the result of the TypeScript side.
type answer struct {
	Functions []string
	Found     []int
	Begun     []int // by a script, which has no name, and by a function
	Error     string
}

func ask(t *testing.T, questions []question) []answer {
	t.Helper()
	var answers []answer
	must.Do(t, json.Unmarshal(runBundled(t, "testdata/trace/lib/find.mjs", must.Get(json.Marshal(questions))(t)), &answers))
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	return answers
}

// runBundled returns what a script prints.
func runBundled(t *testing.T, script string, input []byte) []byte {
	t.Helper()
	return must.AskNode(t, input, bundle(t, script))
}

// The page finds the functions that Go finds, in tables of real programs.
func TestTablesAgree(t *testing.T) {
	sources, err := filepath.Glob("../fixtures/exact/*.js")
	if err != nil || len(sources) == 0 {
		t.Fatal(sources, err)
	}
	sources = append(sources, "dist/trace.js", "dist/coordinator.js")
	var questions []question
	var tables []*functable.Table
	random := rand.New(rand.NewPCG(1, 2))
	for _, source := range sources {
		src := must.Get(os.ReadFile(source))(t)
		result, err := transform.Transform(src, transform.Options{File: filepath.Base(source), Selection: transform.Selection{Preset: transform.Fine}})
		if err != nil || result.Table == nil {
			t.Fatalf("%s: %v", source, err)
		}
		text := must.Get(result.Table.Encode())(t)
		q := question{Table: string(text), Positions: []int32{0, 0, 1, 0, 1 << 30, 1}}
		end := result.Table.Functions[0].End
		for _, f := range result.Table.Functions {
			for _, p := range []functable.Position{f.Start, f.End, f.Definition} {
				for d := int32(-1); d <= 1; d++ {
					q.Positions = append(q.Positions, p.Line, p.Column+d)
				}
			}
			q.Positions = append(q.Positions, 1+random.Int32N(end.Line), 1+random.Int32N(200+end.Column))
		}
		questions, tables = append(questions, q), append(tables, result.Table)
	}
	for i, a := range ask(t, questions) {
		if a.Error != "" {
			t.Fatalf("%s: %s", sources[i], a.Error)
		}
		for j, f := range tables[i].Functions {
			want := fmt.Sprintln(f.Name, int(f.Kind), int(f.Sites), f.FilledFirst, f.Ignored, f.Parent, f.Definition.Line, f.Definition.Column)
			if a.Functions[j]+"\n" != want {
				t.Fatalf("%s: function %d is %q, want %q", sources[i], j, a.Functions[j], want)
			}
		}
		for j, found := range a.Found {
			p := functable.Position{Line: questions[i].Positions[2*j], Column: questions[i].Positions[2*j+1]}
			if want := tables[i].Find(p); found != want {
				t.Errorf("%s: %v is in function %d, want %d", sources[i], p, found, want)
			}
			for k, isNamed := range []bool{false, true} {
				if begun, want := a.Begun[2*j+k], tables[i].Beginning(p, isNamed); begun != want {
					t.Errorf("%s: %v begins function %d, want %d", sources[i], p, begun, want)
				}
			}
		}
		t.Logf("%s: %d functions, %d positions", sources[i], len(a.Functions), len(a.Found))
	}
}

// The page rejects exactly the tables that Go rejects.
func TestTablesAreRefused(t *testing.T) {
	const script = `0,1,1,5,1,-1,0,1,0,3`
	form := func(functions string) string {
		return `{"version":1,"file":"a.js","strings":["","f"],"functions":[` + functions + `]}`
	}
	texts := []string{
		``, `null`, `7`, `[]`, `<!doctype html>`, `{"version":2}`, `{"version":1,"functions":[` + script + `]}`,
		`{"version":1,"strings":[7],"functions":[` + script + `]}`,
		form(``), form(script), form(`0,1,1,5,1,-1,0,1,0`), form(script + `,2048`), form(script + `,-1`),
		form(`0,2147483647,2147483647,5,1,-1,0,1,0,3`), form(`0,1,1,-5,1,-1,0,1,0,3`), form(`0,1,1,5,1,-1,0,2,0,3`),
		form(`0,1,1,5,1,-1,0,1,2,3`), form(`0,1,1,5,1,-1,0,1,0,-3`), form(`0.5`), form(`1e99`), form(`"0"`), form(`null`),
		form(script + `,1,1,1,1,1,0,0,1,1,1`), form(script + `,1,1,1,1,1,0,0,3,1,1`), form(script + `,1,-1,1,1,1,0,0,1,1,1`),
		form(script + `,1,1,1,9,1,0,0,1,1,1`), form(script + `,0,1,1,1,1,0,0,1,1,1`), form(script + `,9,1,1,1,1,0,0,1,1,1`),
		form(script + `,1,1,1,1,1,3,3,1,1,1`), form(script + `,257,1,1,1,1,0,0,1,1,1,1`), form(script + `,257,1,1,1,1,0,0,1,1,1`),
		form(script + `,513,1,1,1,1,0,0,1,1,1,0,1,1,1`), form(script + `,513,1,1,1,1,0,0,1,1,1,0`),
	}
	whole := form(script + `,1,1,1,1,1,0,0,1,1,1,3,1,0,0,9,0,0,1,0,1`)
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 { // tables that a broken disk or a hostile server has changed
		text := []byte(whole)
		for range 1 + random.IntN(3) {
			text[random.IntN(len(text))] = `0123456789-,[]"`[random.IntN(15)]
		}
		texts = append(texts, string(text))
	}
	questions := make([]question, len(texts))
	for i, text := range texts {
		questions[i] = question{text, []int32{1, 1}}
	}
	refused := 0
	for i, a := range ask(t, questions) {
		_, err := functable.Decode([]byte(texts[i]))
		if (err != nil) != (a.Error != "") {
			t.Errorf("%s: the page says %q, Go %v", texts[i], a.Error, err)
		}
		if a.Error != "" {
			refused++
		}
	}
	if refused < 100 || refused == len(texts) {
		t.Errorf("%d of %d are refused", refused, len(texts))
	}
}

// Go reads the .cpuprofile that a page writes, and finds every tick in it.
func TestCPUProfileIsRead(t *testing.T) {
	p := must.Get(cpuprofile.Read(bytes.NewReader(runBundled(t, "testdata/trace/lib/cpuprofile.mjs", nil))))(t)
	var got []string
	for i := range p.Len() {
		s := p.Sample(i)
		stack := []string{fmt.Sprint(s.Weight, "@", (s.Time+500)/1000)}
		for at := s.Stack; at != profile.NoStack; at = p.Stacks.Parent[at] {
			f := p.Function(p.Frames.Function[p.Stacks.Frame[at]])
			stack = append(stack, fmt.Sprintf("%s:%d:%d", f.Name, f.Line, f.Column))
		}
		got = append(got, strings.Join(stack, " "))
	}
	want := []string{
		"1@0 work:5:3 main:2:3", "1@1234 work:5:3 main:2:3", "1@2469 work:5:3 main:2:3", "1@3703 work:5:3 main:2:3",
		"1@4938 main:2:3", "1@6172 (idle):0:0", "1@7407 (idle):0:0", "1@8641 (program):0:0", "1@9876 (garbage collector):0:0",
		"1@11110 (program):0:0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p.Meta.Interval != 1234500 && p.Meta.Interval != 1234400 {
		t.Errorf("the interval is %v", p.Meta.Interval)
	}
}
