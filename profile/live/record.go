package live

import "github.com/fieldprof/fieldprof/profile"

// kind returns the kind of a sample, and the stack that decides which function its time belongs to. Samples of
// attributed sources already have their owner on top.
func (s *Samples) kind(i int, attributed bool) (profile.Kind, int32) {
	kind := profile.Entry
	if len(s.Kind) > 0 {
		kind = profile.RuntimeKinds[s.Kind[i]]
	}
	return attribution(kind, s.Stack[i], attributed)
}

func attribution(kind profile.Kind, stack int32, attributed bool) (profile.Kind, int32) {
	switch {
	case kind.PseudoName() != "":
		if attributed && stack >= 0 {
			return profile.Own, stack
		}
		return kind, -1
	case stack < 0: // it was lost
		return profile.Program, -1
	case attributed:
		return profile.Own, stack
	}
	return kind, stack
}

// function is what a record says. The position in it matters as well: a name without one
// is the engine's own code.
func (r *Record) function(attributed bool, line int32) profile.Function {
	f := profile.Function{Name: r.Name, File: r.File, Line: r.Line, Column: r.Column}
	switch {
	case r.ID == Host:
		return profile.Function{Name: profile.NameHost, Flags: profile.Pseudo}
	case r.ID == Collector:
		return profile.Function{Name: profile.NameGC, Flags: profile.Pseudo}
	case !attributed:
		if line == 0 && r.Line == 0 && r.Name != "" {
			f.File, f.Flags = profile.NameNative, profile.NativeCode
		}
		return f
	}
	switch r.Kind {
	case "":
		if f.Name == profile.DisplayTopLevel {
			f.Name, f.Flags = "", profile.TopLevel
		}
		return f
	case "native":
		if f.Name != profile.NameNative {
			f.Flags = profile.NativeCode
			return f
		}
		return profile.Function{Name: f.Name, Flags: profile.Pseudo}
	case "idle":
		return profile.Function{Name: profile.NameIdle, Flags: profile.Pseudo}
	case "collector":
		return profile.Function{Name: profile.NameGC, Flags: profile.Pseudo}
	case "lost":
		return profile.Function{Name: profile.NameLost, Flags: profile.Pseudo}
	}
	if f.Name != profile.NameRoot && f.Name != profile.NameHost {
		f.Name = profile.NameProgram
	}
	return profile.Function{Name: f.Name, Flags: profile.Pseudo}
}

// recordOf is the inverse, for attributed batches.
func recordOf(id int32, f profile.Function) Record {
	r := Record{ID: id, Name: f.Name, File: f.File, Line: f.Line, Column: f.Column}
	switch {
	case f.Flags&profile.Pseudo != 0:
		switch profile.KindOfPseudo(f.Name) {
		case profile.Idle:
			r.Kind = "idle"
		case profile.GC:
			r.Kind = "collector"
		case profile.Lost:
			r.Kind = "lost"
		case profile.Native:
			r.Kind = "native"
		default:
			r.Kind = "program"
		}
	case f.Flags&profile.NativeCode != 0:
		r.Kind = "native"
	case f.Flags&profile.TopLevel != 0 && f.Name == "":
		r.Name = profile.DisplayTopLevel
	}
	return r
}
