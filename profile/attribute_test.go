package profile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// corpusFile is the shape of testdata/attribution, see the README there.
type corpusFile struct {
	About     string
	Functions map[string]string
	Samples   []struct {
		Kind, Stack         string
		BySite, Own, Caller string
	}
}

func TestAttributionCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/attribution/*.json")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data := must.Get(os.ReadFile(name))(t)
			var file corpusFile
			must.Do(t, json.Unmarshal(data, &file))
			p := file.profile(t)
			before := fmt.Sprint(*p)
			for _, r := range []Rule{BySite, OwnFrame, CallerFrame} {
				got := Attribute(p, r)
				must.Do(t, got.CheckValid())
				for i, s := range file.Samples {
					want := map[Rule]string{BySite: s.BySite, OwnFrame: s.Own, CallerFrame: s.Caller}[r]
					must.Equal(t, stackText(got, got.Samples.Stack[i]), want, r, s.Kind, s.Stack)
					if k := got.Samples.Kind[i]; k == Entry || k == Loop || k == Exit || want == NameIdle && k != Idle || want == NameProgram && k != Program {
						t.Errorf("rule %d: %s sample of %q becomes %v", r, s.Kind, s.Stack, k)
					}
				}
				for _, again := range []Rule{BySite, OwnFrame, CallerFrame} {
					must.Equal(t, got, Attribute(got, again), "attributing again, by rule", again, r)
				}
			}
			must.Equal(t, fmt.Sprint(*p), before, "Attribute changed the profile it was given")
		})
	}
}

func (file *corpusFile) profile(t *testing.T) *Profile {
	t.Helper()
	var b Builder
	for i, s := range file.Samples {
		kind, ok := ParseKind(s.Kind)
		if !ok {
			t.Fatalf("unknown kind %q", s.Kind)
		}
		b.Sample(Sample{Time: int64(i), Stack: file.stack(t, &b, s.Stack), Weight: int32(i + 1), Kind: kind})
	}
	return b.Profile()
}

func (file *corpusFile) stack(t *testing.T, b *Builder, text string) StackID {
	t.Helper()
	stack := NoStack
	if text == "" {
		return stack
	}
	for frame := range strings.SplitSeq(text, " > ") {
		name, at, _ := strings.Cut(frame, "@")
		f := Function{Name: name, File: "app.js"}
		words, known := file.Functions[name]
		if !known {
			if !IsPseudoName(name) {
				t.Fatalf("function %q is not described", name)
			}
			stack = b.Pseudo(stack, name)
			continue
		}
		for w := range strings.FieldsSeq(words) {
			flag, ok := map[string]Flags{"checked": Checked, "filled-first": FilledFirst, "native": NativeCode}[w]
			if !ok {
				t.Fatalf("unknown flag %q", w)
			}
			f.Flags |= flag
		}
		line, _ := strconv.Atoi(at)
		stack = b.Stack(stack, b.Frame(b.Function(f), int32(line), 0))
	}
	return stack
}

// stackText is a stack as the corpus writes it.
func stackText(p *Profile, s StackID) string {
	var frames []string
	for ; s != NoStack; s = p.Stacks.Parent[s] {
		f := p.Stacks.Frame[s]
		text := p.DisplayName(p.Frames.Function[f])
		if line := p.Frames.Line[f]; line > 0 {
			text += fmt.Sprintf("@%d", line)
		}
		frames = append([]string{text}, frames...)
	}
	return strings.Join(frames, " > ")
}
