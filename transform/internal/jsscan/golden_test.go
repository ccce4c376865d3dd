package jsscan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/golden"
	"github.com/fieldprof/fieldprof/internal/must"
)

// TestGolden scans each in.js of testdata/golden and compares what it finds, in
// the words of outline, with the section want. The goal is Auto, or what the
// file's extension says: in.mjs, in.cjs.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/golden/*.txtar", func(t *testing.T, f golden.File) {
		in := f.Files[0]
		f.Compare(t, 1, outline(in.Data, must.Get(Scan(in.Data, Options{Goal: goalOf(in.Name)}))(t)))
	})
}

func goalOf(name string) Goal {
	switch filepath.Ext(name) {
	case ".mjs":
		return AsModule
	case ".cjs":
		return AsFunctionBody
	}
	return Auto
}

// TestGoldenByOracle lets acorn check the golden sources, too, where it knows
// their syntax.
func TestGoldenByOracle(t *testing.T) {
	haveOracle(t)
	dir := t.TempDir()
	var requests []request
	for _, f := range golden.Read(t, "testdata/golden/*.txtar") {
		in := f.Files[0]
		r := request{filepath.Join(dir, filepath.Base(f.Path)+filepath.Ext(in.Name)), goalOf(in.Name)}
		must.Do(t, os.WriteFile(r.File, in.Data, 0o644))
		requests = append(requests, r)
	}
	compared := 0
	ask(t, requests, func(r request, a answer) {
		if compare(t, r, a) >= 0 {
			compared++
		} else if !strings.Contains(r.File, "decorators") {
			t.Errorf("%s: %s", r.File, a.Error)
		}
	})
	t.Logf("%d of %d golden sources compared", compared, len(requests))
}

// outline describes a script for people: texts instead of offsets.
func outline(src []byte, s *Script) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, statements %d, insert at %s%s%s%s%s%s%s\n", s.Goal, s.Statements, spot(src, s.Insert), when(s.Strict, ", strict"),
		when(s.InsertSemi, ", semi"), when(s.Hashbang > 0, ", hashbang"), when(s.HasWith, ", with"), when(s.UsesEval, ", eval"), when(s.OffFile, ", off"))
	outlineLoops(&b, src, s.Loops)
	for i := range s.Functions {
		f := &s.Functions[i]
		names := flags(f)
		fmt.Fprintf(&b, "%d in %d: %s %q%s %s %s, statements %d%s%s%s\n", i, f.Parent, f.Kind, f.Name, when(f.Inferred != "", " ("+f.Inferred+")"),
			excerpt(src, f.Params, f.ParamsEnd), excerpt(src, f.BodyStart, f.BodyEnd), f.Statements, when(f.Insert != f.BodyStart, ", insert at "+spot(src, f.Insert)),
			when(len(names) > 0, ", "+strings.Join(names, " ")), when(f.Off, ", off"))
		for _, r := range f.Returns {
			fmt.Fprintf(&b, "   return %s%s%s%s\n", excerpt(src, r.ArgStart, r.ArgEnd), when(r.Last != r.ArgStart, " last "+excerpt(src, r.Last, r.ArgEnd)), when(r.Names, " names"), when(r.Bare, " bare"))
		}
		for _, p := range f.Suspends {
			fmt.Fprintf(&b, "   %s %s%s\n", excerpt(src, p.Start, p.Keyword), excerpt(src, p.ArgStart, p.ArgEnd), when(p.Names, " names")+when(p.Delegates, " delegates"))
		}
		outlineLoops(&b, src, f.Loops)
	}
	return b.String()
}

func outlineLoops(b *strings.Builder, src []byte, loops []Loop) {
	for _, l := range loops {
		fmt.Fprintf(b, "   %s repeats %s%s%s%s\n", l.Kind, excerpt(src, l.BodyStart, l.BodyEnd), when(l.Block, " block"), when(l.Calls, " calls"), when(l.Awaits, " awaits"))
	}
}

func when(set bool, text string) string {
	if set {
		return text
	}
	return ""
}

// excerpt quotes a range, the middle left out when it is long.
func excerpt(src []byte, start, end int) string {
	if start < 0 {
		return "-"
	}
	text := strings.Join(strings.Fields(string(src[start:end])), " ")
	if len(text) > 44 {
		text = strings.ToValidUTF8(text[:20]+" … "+text[len(text)-20:], "")
	}
	return "«" + text + "»"
}

// spot quotes what is around an offset.
func spot(src []byte, at int) string {
	return excerpt(src, max(0, at-8), at) + "|" + excerpt(src, at, min(len(src), at+8))
}
