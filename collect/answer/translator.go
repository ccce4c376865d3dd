package answer

import (
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// The states of stacks and frames until they are copied.
const (
	unseen, seen = profile.StackID(-2), profile.StackID(-3)
	unmade, due  = profile.FrameID(-2), profile.FrameID(-3)
)

// translator copies deployed stacks, as a release has them.
type translator struct {
	from    *profile.Profile
	to      *profile.Builder
	stacks  []profile.StackID // what became of each in this release
	touched []profile.StackID
	frames  []profile.FrameID // on the stacks seen
	made    []profile.FrameID // what became of each
	known   []bool            // whether a map or a table knows it
	path    []profile.StackID
}

func (t *translator) begin() {
	for _, s := range t.touched {
		t.stacks[s] = unseen
	}
	for _, f := range t.frames {
		t.made[f], t.known[f] = unmade, false
	}
	t.touched, t.frames = t.touched[:0], t.frames[:0]
}

// see notes the frames of a stack.
func (t *translator) see(s profile.StackID) {
	for ; s != profile.NoStack && t.stacks[s] == unseen; s = t.from.Stacks.Parent[s] {
		t.stacks[s] = seen
		t.touched = append(t.touched, s)
		if f := t.from.Stacks.Frame[s]; t.made[f] == unmade {
			t.made[f] = due
			t.frames = append(t.frames, f)
		}
	}
}

// use makes the frames that were seen, as a release has them.
func (t *translator) use(r *release, merged *merger) {
	var functions []profile.Function
	for _, f := range t.frames {
		if now := r.frames[frameOf{f, ""}]; now.mapped && !now.minified {
			functions = append(functions, now.function)
		}
	}
	same := merged.join(functions)
	for _, f := range t.frames {
		now := r.frames[frameOf{f, ""}]
		t.known[f] = now.mapped
		function, line := now.function, now.at.Line
		if other, ok := same[identity(function)]; ok && now.mapped && !now.minified {
			if line > 0 && function.Line > 0 { // the line moves with the function
				line = max(1, line+other.Line-function.Line)
			}
			other.Flags |= function.Flags
			function = other
		}
		t.made[f] = t.to.Frame(t.to.Function(function), line, now.at.Column)
	}
}

func (t *translator) stack(s profile.StackID) profile.StackID {
	t.path = t.path[:0]
	for s != profile.NoStack && t.stacks[s] == seen {
		t.path = append(t.path, s)
		s = t.from.Stacks.Parent[s]
	}
	at := profile.NoStack
	if s != profile.NoStack {
		at = t.stacks[s]
	}
	for _, s := range slices.Backward(t.path) {
		at = t.to.Stack(at, t.frame(t.from.Stacks.Frame[s]))
		t.stacks[s] = at
	}
	return at
}

func (t *translator) frame(f profile.FrameID) profile.FrameID {
	if t.made[f] == due { // deployed
		p := t.from
		t.made[f] = t.to.Frame(t.to.Function(p.Function(p.Frames.Function[f])), p.Frames.Line[f], p.Frames.Column[f])
	}
	return t.made[f]
}

// unmapped is the script of the function on top of a stack, if nothing is known of it.
func (t *translator) unmapped(s profile.StackID) string {
	if s == profile.NoStack {
		return ""
	}
	frame := t.from.Stacks.Frame[s]
	f := t.from.Function(t.from.Frames.Function[frame])
	if t.known[frame] || f.Flags&(profile.Pseudo|profile.NativeCode) != 0 {
		return ""
	}
	return f.File
}
