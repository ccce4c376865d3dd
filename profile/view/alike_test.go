package view

import (
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Files of another build have the names of this one, unless it is not clear which.
func TestAlike(t *testing.T) {
	of := func(files ...string) *profile.Profile {
		var b profile.Builder
		for _, file := range files {
			for _, name := range []string{"f", "g"} {
				b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: name, File: file, Line: 1}), 1, 1)), Weight: 1})
			}
		}
		return b.Profile()
	}
	before := of("same.js", "app-Bx12_9aZ.js", "https://a.example/x.js?v=1", "two-Bx12_9aZ.js", "two-Cq77_0bY.js", "gone-Bx12_9aZ.js", "")
	after := of("same.js", "app-Cq77_0bY.js", "https://a.example/x.js?v=2", "two-Dq77_0bY.js", "new.js", "")
	got := Alike(before, after)
	var files []string
	for i := range got.Functions.File {
		f := got.Function(profile.FunctionID(i))
		files = append(files, f.Name+" "+f.File)
	}
	must.Equal(t, files, []string{"f same.js", "g same.js", "f app-Cq77_0bY.js", "g app-Cq77_0bY.js", "f https://a.example/x.js?v=2", "g https://a.example/x.js?v=2",
		"f two-Bx12_9aZ.js", "g two-Bx12_9aZ.js", "f two-Cq77_0bY.js", "g two-Cq77_0bY.js", "f gone-Bx12_9aZ.js", "g gone-Bx12_9aZ.js", "f ", "g "})
	must.Do(t, got.CheckValid())
	if before.Function(2).File != "app-Bx12_9aZ.js" || Alike(after, after) != after {
		t.Error("a profile was changed, or copied for nothing")
	}
}
