package pathglob

import "testing"

func TestFits(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"vendor*.js", "assets/vendor-1.js", true},
		{"vendor*.js", "assets/my-vendor-1.js", false},
		{"/vendor*.js", "assets/vendor-1.js", false},
		{"/assets/*.js", "assets/vendor-1.js", true},
		{"node_modules/**", Plain("webpack://app/./node_modules/react/index.js"), true},
		{"./src/{a,b}.ts", Plain("../../src/b.ts"), true},
		{"src/*.ts", "src/deep/b.ts", false},
		{"src/**", "src/deep/b.ts", true},
		{"src", "src/deep/b.ts", false},
		{"assets/**", "assets/deep/er/x.js", true},
		{"*.js", "a/b.ts", false},
		{"node_modules/**", Plain("../../node_modules/react/index.js"), true},
		{"node_modules/**", Plain(`..\..\node_modules\react\index.js`), true},
		{"src/*.{ts,tsx}", Plain("webpack:///src/app.tsx"), true},
		{"modules/**", "node_modules/x.js", false},
	} {
		if got := Fits(c.pattern, c.name); got != c.want {
			t.Errorf("Fits(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
	if !FitsAny([]string{"a", "b"}, "b") || FitsAny(nil, "b") {
		t.Error("FitsAny")
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.com/a/../app.js": "example.com/app.js", `..\..\etc\passwd`: "etc/passwd", "/src/./a.ts": "src/a.ts",
		"webpack://app/./a.ts": "app/a.ts", "": "", "../..": "", "a.ts": "a.ts",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDeployed(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.com/a/app.js?v=41#x": "example.com/a/app.js", "webpack://app/./src/a.vue?5f2c": "app/src/a.vue", "file:///srv/my%20app.js": "srv/my app.js",
		"what?.js": "what?.js", "https://%zz/app.js?v": "%zz/app.js?v", `C:\a\b.js`: "C:/a/b.js", "../a.ts": "a.ts",
	} {
		if got := Deployed(in); got != want {
			t.Errorf("Deployed(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	if Check("src/**/*.{ts,js}") != nil || Check("") == nil || Check("src/[a") == nil {
		t.Error("Check")
	}
}
