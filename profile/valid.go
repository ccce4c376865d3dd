package profile

import (
	"errors"
	"fmt"
)

// CheckValid reports the first fault that would lead a reader of the profile
// astray: columns of different length, an index out of range, a stack before
// its parent, samples out of order, a weight below 1, a negative number where
// none can be. A profile that passes can be read without further checks.
func (p *Profile) CheckValid() error {
	for _, check := range []func(*Profile) error{checkStrings, checkFunctions, checkFrames, checkStacks, checkSamples, checkMarks, checkMeta} {
		if err := check(p); err != nil {
			return fmt.Errorf("profile: %w", err)
		}
	}
	return nil
}

func checkStrings(p *Profile) error {
	if len(p.Strings) == 0 || p.Strings[0] != "" {
		return errors.New(`strings: entry 0 is not ""`)
	}
	return nil
}

// sameLength compares the lengths of a table's columns.
func sameLength(table string, first string, n int, others map[string]int) error {
	for name, got := range others {
		if got != n {
			return fmt.Errorf("%s: %d in column %s, %d in column %s", table, got, name, n, first)
		}
	}
	return nil
}

func checkFunctions(p *Profile) error {
	t := &p.Functions
	if err := sameLength("functions", "Name", len(t.Name), map[string]int{
		"File": len(t.File), "Line": len(t.Line), "Column": len(t.Column), "Flags": len(t.Flags)}); err != nil {
		return err
	}
	for i := range t.Name {
		switch {
		case t.Name[i] < 0 || int(t.Name[i]) >= len(p.Strings):
			return fmt.Errorf("function %d: name %d of %d", i, t.Name[i], len(p.Strings))
		case t.File[i] < 0 || int(t.File[i]) >= len(p.Strings):
			return fmt.Errorf("function %d: file %d of %d", i, t.File[i], len(p.Strings))
		case t.Line[i] < 0 || t.Column[i] < 0:
			return fmt.Errorf("function %d: defined at %d:%d", i, t.Line[i], t.Column[i])
		}
	}
	return nil
}

func checkFrames(p *Profile) error {
	t := &p.Frames
	if err := sameLength("frames", "Function", len(t.Function), map[string]int{
		"Line": len(t.Line), "Column": len(t.Column)}); err != nil {
		return err
	}
	for i, f := range t.Function {
		switch {
		case f < 0 || int(f) >= len(p.Functions.Name):
			return fmt.Errorf("frame %d: function %d of %d", i, f, len(p.Functions.Name))
		case t.Line[i] < 0 || t.Column[i] < 0:
			return fmt.Errorf("frame %d: position %d:%d", i, t.Line[i], t.Column[i])
		}
	}
	return nil
}

func checkStacks(p *Profile) error {
	t := &p.Stacks
	if err := sameLength("stacks", "Parent", len(t.Parent), map[string]int{"Frame": len(t.Frame)}); err != nil {
		return err
	}
	for i, parent := range t.Parent {
		switch {
		case t.Frame[i] < 0 || int(t.Frame[i]) >= len(p.Frames.Function):
			return fmt.Errorf("stack %d: frame %d of %d", i, t.Frame[i], len(p.Frames.Function))
		case parent < NoStack:
			return fmt.Errorf("stack %d: parent %d", i, parent)
		case int(parent) >= i:
			return fmt.Errorf("stack %d: parent %d does not come before it", i, parent)
		}
	}
	return nil
}

func checkSamples(p *Profile) error {
	t := &p.Samples
	if err := sameLength("samples", "Stack", len(t.Stack), map[string]int{
		"Time": len(t.Time), "Weight": len(t.Weight), "Kind": len(t.Kind), "Skid": len(t.Skid)}); err != nil {
		return err
	}
	if t.Marker != nil && len(t.Marker) != len(t.Time) {
		return fmt.Errorf("samples: %d in column Marker, %d in column Time", len(t.Marker), len(t.Time))
	}
	if t.Tags != nil && len(t.Tags) != len(t.Time) {
		return fmt.Errorf("samples: %d in column Tags, %d in column Time", len(t.Tags), len(t.Time))
	}
	for i, s := range t.Stack {
		switch {
		case t.Tags != nil && (t.Tags[i] < 0 || int(t.Tags[i]) >= max(1, len(p.Tags))):
			return fmt.Errorf("sample %d: tags %d of %d", i, t.Tags[i], len(p.Tags))
		case t.Marker != nil && int(t.Marker[i]) >= len(markerNames):
			return fmt.Errorf("sample %d: unknown marker %d", i, t.Marker[i])
		case s < NoStack || int(s) >= len(p.Stacks.Parent):
			return fmt.Errorf("sample %d: stack %d of %d", i, s, len(p.Stacks.Parent))
		case t.Weight[i] < 1:
			return fmt.Errorf("sample %d: weight %d", i, t.Weight[i])
		case int(t.Kind[i]) >= len(kindNames):
			return fmt.Errorf("sample %d: unknown kind %d", i, t.Kind[i])
		case t.Skid[i] < 0:
			return fmt.Errorf("sample %d: skid %d", i, t.Skid[i])
		case t.Time[i] < 0:
			return fmt.Errorf("sample %d: time %d", i, t.Time[i])
		case i > 0 && t.Time[i] < t.Time[i-1]:
			return fmt.Errorf("sample %d: time %d is before its predecessor's %d", i, t.Time[i], t.Time[i-1])
		}
	}
	return nil
}

func checkMarks(p *Profile) error {
	for i := range p.Marks {
		m := &p.Marks[i]
		switch {
		case m.Time < 0 || m.Duration < 0 || m.End() < m.Time:
			return fmt.Errorf("mark %d: from %d for %d", i, m.Time, m.Duration)
		case m.InputDelay < 0 || m.Processing < 0 || m.Presentation < 0:
			return fmt.Errorf("mark %d: parts of %d, %d and %d", i, m.InputDelay, m.Processing, m.Presentation)
		case i > 0 && m.Time < p.Marks[i-1].Time:
			return fmt.Errorf("mark %d: time %d is before its predecessor's %d", i, m.Time, p.Marks[i-1].Time)
		}
	}
	return nil
}

func checkMeta(p *Profile) error {
	m := &p.Meta
	switch {
	case m.Interval < 0:
		return fmt.Errorf("meta: interval %v", m.Interval)
	case m.Duration < 0:
		return fmt.Errorf("meta: duration %v", m.Duration)
	}
	k := m.Ticks
	for i, n := range []int64{k.Raised, k.Missed, k.Taken, k.Idle, k.GC, k.Lost, k.Dropped} {
		if n < 0 {
			return fmt.Errorf("meta: %d %s ticks", n, [...]string{"raised", "missed", "taken", "idle", "GC", "lost", "dropped"}[i])
		}
	}
	return nil
}
