package wicg

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// firstFrame is the number of the first frame, as in the explainer's example.
const firstFrame = 101

func (in *proposal) profile() (*profile.Profile, error) {
	if in.Profile.StackFrames == nil && in.Profile.MainThread == nil {
		return nil, errors.New(`profile: "stackFrames" and "main-thread" are missing`)
	}
	b := &profile.Builder{}
	stacks, err := in.stacks(b)
	if err != nil {
		return nil, err
	}
	var samples []profile.Sample
	idle := profile.NoStack
	for i, s := range in.Profile.MainThread {
		at := fmt.Sprintf(`profile["main-thread"][%d]`, i)
		if s.Type != "" && s.Type != "stack" {
			continue // other kinds of event were left open
		}
		if s.Timestamp == nil || !(math.Abs(*s.Timestamp) < lastMoment) {
			return nil, fmt.Errorf("%s.timestamp: missing, or no time", at)
		}
		sample := profile.Sample{Time: max(0, nanoseconds(*s.Timestamp)), Weight: 1}
		if s.Stack == nil {
			if idle == profile.NoStack {
				idle = b.Pseudo(profile.NoStack, profile.NameIdle)
			}
			sample.Stack, sample.Kind = idle, profile.Idle
		} else {
			stack, ok := stacks[s.Stack.String()]
			if !ok {
				return nil, fmt.Errorf("%s.stack: %.20s is not a stack frame", at, *s.Stack)
			}
			sample.Stack = stack.id
			sample.Kind = stack.kind
		}
		samples = append(samples, sample)
	}
	times := make([]int64, len(samples))
	for i, s := range samples {
		times[i] = s.Time
		b.Sample(s)
	}
	b.Meta.Interval, b.Meta.Duration = meanGap(times)
	if v := in.Options.SampleInterval; v > 0 && v < 1e9 {
		b.Meta.Interval = time.Duration(nanoseconds(v))
	}
	return b.Profile(), nil
}

type proposalStack struct {
	id   profile.StackID
	kind profile.Kind
}

// stacks builds the stack of each frame, by number.
func (in *proposal) stacks(b *profile.Builder) (map[string]proposalStack, error) {
	frames := in.Profile.StackFrames
	numbers := make([]string, 0, len(frames))
	for number := range frames {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	parents := make([]int, len(numbers))
	for i, number := range numbers {
		parents[i] = -1
		if parent := frames[number].Parent; parent != nil {
			at, ok := slices.BinarySearch(numbers, parent.String())
			if !ok {
				return nil, fmt.Errorf("profile.stackFrames[%.20q].parent: %.20s is not a stack frame", number, *parent)
			}
			parents[i] = at
		}
	}
	order, cycle := codec.CallersFirst(parents)
	if cycle >= 0 {
		return nil, fmt.Errorf("profile.stackFrames[%.20q]: is its own parent", numbers[cycle])
	}
	built := make(map[string]proposalStack, len(numbers))
	for _, i := range order {
		at, name := frames[numbers[i]].Name, -1
		var err error
		if at != nil {
			name, err = index(*at, len(in.Profile.Strings))
		}
		if err != nil || name < 0 {
			return nil, fmt.Errorf("profile.stackFrames[%.20q].name: not one of the %d strings", numbers[i], len(in.Profile.Strings))
		}
		f := parsePlace(in.Profile.Strings[name])
		s := proposalStack{id: profile.NoStack}
		if parents[i] >= 0 {
			s.id = built[numbers[parents[i]]].id
		}
		s.id = b.Stack(s.id, b.Frame(b.Function(f), 0, 0))
		s.kind = codec.Kind(f)
		built[numbers[i]] = s
	}
	return built, nil
}

// placeOf names a function as the explainer does: "render @ newsfeed.js:56:78".
func placeOf(f profile.Function) string {
	text := f.Label()
	if f.File == "" {
		return text
	}
	switch {
	case f.Name != "":
	case f.Flags&profile.TopLevel != 0:
		text = profile.DisplayTopLevel
	default:
		text = profile.DisplayAnonymous
	}
	text += " @ " + f.File
	if f.Line > 0 {
		text += ":" + strconv.Itoa(int(f.Line))
		if f.Column > 0 {
			text += ":" + strconv.Itoa(int(f.Column))
		}
	}
	return text
}

// parsePlace is the inverse.
func parsePlace(text string) profile.Function {
	i := strings.LastIndex(text, " @ ")
	if i < 0 {
		return profile.ParseLabel(text)
	}
	f := profile.Function{Name: text[:i], File: text[i+3:]}
	switch {
	case f.Name == profile.DisplayAnonymous:
		f.Name = ""
	case f.Name == profile.DisplayTopLevel:
		f.Name, f.Flags = "", profile.TopLevel
	case f.File == profile.NameNative:
		f.Flags = profile.NativeCode
	}
	var numbers []int32
	for len(numbers) < 2 {
		j := strings.LastIndexByte(f.File, ':')
		if j < 0 {
			break
		}
		n, err := strconv.ParseInt(f.File[j+1:], 10, 32)
		if err != nil || n < 1 || strconv.Itoa(int(n)) != f.File[j+1:] {
			break
		}
		numbers, f.File = append(numbers, int32(n)), f.File[:j]
	}
	slices.Reverse(numbers)
	if len(numbers) > 0 {
		f.Line = numbers[0]
	}
	if len(numbers) > 1 {
		f.Column = numbers[1]
	}
	return f
}

// WriteVersion1 writes the explainer's form of 2018.
func WriteVersion1(out io.Writer, p *profile.Profile) error {
	t, err := newTree(p, all)
	if err != nil {
		return err
	}
	var in proposal
	in.Version = 1
	in.Options.SampleInterval = milliseconds(int64(p.Meta.Interval))
	in.Profile.StackFrames = make(map[string]proposalFrame, len(t.parents))
	in.Profile.MainThread = []proposalSample{}
	names := codec.NewNumbering()
	for i := range t.parents {
		name := float64(names.Of(placeOf(t.functions[t.of[i]])))
		frame := proposalFrame{Name: &name}
		if parent := t.parents[i]; parent >= 0 {
			frame.Parent = number(parent)
		}
		in.Profile.StackFrames[string(*number(i))] = frame
	}
	t.eachTick(func(at float64, stack int, _ profile.Sample, _ bool) {
		s := proposalSample{Type: "stack", Timestamp: &at}
		if stack >= 0 {
			s.Stack = number(stack)
		}
		in.Profile.MainThread = append(in.Profile.MainThread, s)
	})
	in.Profile.Strings = names.Names
	return codec.Encode("wicg", out, in)
}

func number(stack int) *json.Number {
	n := json.Number(strconv.Itoa(firstFrame + stack))
	return &n
}
