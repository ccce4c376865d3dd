package mozilla

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// MaxFrames bounds what WriteSamples writes: each sample spells its stack out.
const MaxFrames = 1 << 26

// listed is an element of samples().
type listed struct {
	Micros int64  `json:"micros"`
	Weight int32  `json:"weight"`
	Stack  []call `json:"stack"`
}

// WriteSamples writes an attributed profile as samples() does.
func WriteSamples(out io.Writer, p *profile.Profile) error {
	if _, err := codec.Prepare("mozilla", p, codec.NoTime, codec.Never); err != nil {
		return err
	}
	if frames := codec.Frames(p, codec.EachSample); frames > MaxFrames {
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
	if s.Stack == profile.NoStack || s.Kind.PseudoName() != "" && s.Kind != profile.Native {
		return []call{{Function: position{Name: codec.LoneName(s.Kind)}}}
	}
	var all []call
	for at := s.Stack; at != profile.NoStack; at = p.Stacks.Parent[at] {
		f := p.Stacks.Frame[at]
		all = append(all, callOf(p.Function(p.Frames.Function[f]), p.Frames.Line[f], p.Frames.Column[f]))
	}
	return all
}
