package jsscan

import (
	"encoding/json"
	"fmt"
	"strings"
)

// dump writes a script in the words of testdata/oracle/describe.mjs.
func dump(s *Script) string {
	var b strings.Builder
	bit := map[bool]int{true: 1}
	fmt.Fprintf(&b, "%s strict=%d hashbang=%d insert=%d semi=%d statements=%d with=%d eval=%d\n", s.Goal, bit[s.Strict],
		s.Hashbang, s.Insert, bit[s.InsertSemi], s.Statements, bit[s.HasWith], bit[s.UsesEval])
	for _, l := range s.Loops {
		dumpLoop(&b, "", l)
	}
	for i := range s.Functions {
		f := &s.Functions[i]
		name, _ := json.Marshal(f.Name)
		fmt.Fprintf(&b, "%s %d-%d parent=%d params=%d-%d body=%d-%d insert=%d statements=%d name=%s [%s]\n", f.Kind, f.Start, f.End,
			f.Parent, f.Params, f.ParamsEnd, f.BodyStart, f.BodyEnd, f.Insert, f.Statements, unescapeHTML(name), strings.Join(flags(f), " "))
		if c := f.Called; c.End > 0 {
			fmt.Fprintf(&b, "  called %d-%d arguments=%d%s parameters=%d%s\n", c.Start, c.End, c.Arguments, when(c.Comma, " comma"), f.Parameters, when(f.ParameterComma, " comma"))
		}
		for _, r := range f.Returns {
			fmt.Fprintf(&b, "  return %d keyword=%d argument=%d-%d%s%s%s\n", r.Start, r.Keyword, r.ArgStart, r.ArgEnd,
				when(r.Last != r.ArgStart, fmt.Sprint(" last=", r.Last)), when(r.Names, " names"), when(r.Bare, " bare"))
		}
		for _, p := range f.Suspends {
			fmt.Fprintf(&b, "  suspend %d keyword=%d argument=%d-%d%s\n", p.Start, p.Keyword, p.ArgStart, p.ArgEnd, when(p.Names, " names"))
		}
		for _, l := range f.Loops {
			dumpLoop(&b, "  ", l)
		}
	}
	return b.String()
}

// unescapeHTML undoes the escapes that JavaScript's JSON.stringify does not make.
func unescapeHTML(b []byte) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\ufffd").Replace(string(b))
}

func dumpLoop(b *strings.Builder, indent string, l Loop) {
	fmt.Fprintf(b, "%s%s %d-%d body=%d-%d%s%s%s\n", indent, l.Kind, l.Start, l.End, l.BodyStart, l.BodyEnd,
		when(l.Block, " block"), when(l.Calls, " calls"), when(l.Awaits, " awaits"))
}

func flags(f *Function) []string {
	var names []string
	for _, flag := range []struct {
		set  bool
		name string
	}{
		{f.Async, "async"}, {f.Generator, "generator"}, {f.Strict, "strict"}, {f.ExpressionBody, "expression"},
		{f.BodyNames, "names"}, {f.InsertSemi, "semi"}, {f.UseAsm, "asm"}, {f.FallsThrough, "falls"}, {f.HasCalls, "calls"}, {f.Iterates, "iterates"}, {f.Entered, "entered"},
		{f.HasYield, "yields"}, {f.UsesArguments, "arguments"}, {f.HasRest, "rest"}, {f.HasDestructuring, "destructuring"},
		{f.HasDefaults, "defaults"}, {f.UsesEval, "usesEval"}, {f.InWith, "inWith"}, {f.TryUnsafe, "tryUnsafe"}, {f.Derived, "derived"},
	} {
		if flag.set {
			names = append(names, flag.name)
		}
	}
	return names
}
