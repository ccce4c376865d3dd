package mozilla

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/fieldprof/fieldprof/profile"
)

// MaxFrames bounds what WriteSamples writes: each sample spells its stack out.
const MaxFrames = 1 << 26

// listed is an element of samples().
type listed struct {
	Micros int64  `json:"micros"`
	Weight int32  `json:"weight"`
	Stack  []call `json:"stack"`
}

// WriteSamples writes an attributed profile as samples() has it.
func WriteSamples(out io.Writer, p *profile.Profile) error {
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("mozilla: %w", err)
	}
	depth := make([]int64, len(p.Stacks.Parent))
	for s, up := range p.Stacks.Parent {
		if depth[s] = 1; up != profile.NoStack {
			depth[s] += depth[up]
		}
	}
	frames := int64(0)
	for _, s := range p.Samples.Stack {
		if s != profile.NoStack {
			frames += depth[s]
		}
	}
	if frames > MaxFrames {
		return fmt.Errorf("mozilla: %d frames: samples() spells every stack out, and %d are the limit; results() has no such limit", frames, MaxFrames)
	}
	w := bufio.NewWriterSize(out, 1<<16)
	w.WriteString("[")
	for i := range p.Len() {
		if i > 0 {
			w.WriteString(",\n")
		}
		s := p.Sample(i)
		data, err := json.Marshal(listed{s.Time / 1000, s.Weight, calls(p, s)})
		if err != nil {
			return fmt.Errorf("mozilla: %w", err)
		}
		w.Write(data)
	}
	w.WriteString("]\n")
	return w.Flush()
}

// calls are a sample's frames, innermost first; never none.
func calls(p *profile.Profile, s profile.Sample) []call {
	name := s.Kind.PseudoName()
	if s.Stack == profile.NoStack || name != "" && s.Kind != profile.Native {
		if name == "" {
			name = profile.NameProgram
		}
		return []call{{Function: place{Name: name}}}
	}
	var all []call
	for at := s.Stack; at != profile.NoStack; at = p.Stacks.Parent[at] {
		f := p.Stacks.Frame[at]
		all = append(all, callOf(p.Function(p.Frames.Function[f]), p.Frames.Line[f], p.Frames.Column[f]))
	}
	return all
}
