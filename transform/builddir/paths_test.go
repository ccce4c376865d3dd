package builddir

import "testing"

func TestBeside(t *testing.T) {
	for _, c := range []struct{ reference, path, want string }{
		{"/assets/x.js", "assets/x.js", "/to.js"},
		{"/app/assets/x.js", "assets/x.js", "/app/to.js"},
		{"./assets/x.js", "assets/x.js", "./to.js"},
		{"assets/x.js?v=1#h", "assets/x.js", "./to.js"},
		{"x.js", "x.js", "./to.js"},
		{"x.js", "sub/x.js", "../to.js"},
		{"../x.js", "x.js", "../to.js"},
		{"../../assets/x.js", "assets/x.js", "../../to.js"},
		{"https://cdn.example/app/x.js", "x.js", "https://cdn.example/app/to.js"},
		{"//cdn.example/x.js", "x.js", "//cdn.example/to.js"},
		{"/a%20b/x.js", "a b/x.js", "/to.js"},
		{" \n/app/assets/x.js\t", "assets/x.js", "/app/to.js"},
		{`assets\x.js`, "assets/x.js", "./to.js"},
		{`..\x.js`, "x.js", "../to.js"},
		{`\\cdn.example\x.js`, "x.js", "//cdn.example/to.js"},
		{"/50%/x%.js", "x%.js", "/50%25/to.js"},
	} {
		if got := beside(c.reference, c.path, "to.js"); got != c.want {
			t.Errorf("beside(%q, %q) = %q, want %q", c.reference, c.path, got, c.want)
		}
	}
	if got := beside("/x.js", "x.js", "with space/ä.js"); got != "/with%20space/%C3%A4.js" {
		t.Errorf("escaped: %s", got)
	}
}

func TestKeeper(t *testing.T) {
	g := globs{include: []string{"src/**"}, exclude: []string{"**/*.test.ts"}}
	keep := g.keeper("app.js")
	for source, want := range map[string]bool{"../src/a.ts": true, "src/a.test.ts": false, "lib/a.ts": false} {
		if keep(source) != want {
			t.Errorf("%s: %v", source, !want)
		}
	}
	if g := (globs{include: []string{"app.js"}}); g.keeper("app.js") != nil {
		t.Error("an included file needs no look at its sources")
	}
	if g := (globs{}); g.keeper("app.js") != nil {
		t.Error("without globs all is in")
	}
}
