package htmlscan

import (
	"fmt"
	"strings"
	"testing"
)

var (
	hashOld = Hash([]byte("old"), "sha256")
	hashNew = Hash([]byte("new"), "sha256")
)

// inURL spells a hash in the URL's alphabet, without padding.
func inURL(hash string) string {
	return strings.TrimRight(strings.NewReplacer("+", "-", "/", "_").Replace(strings.Trim(hash, "'")), "=")
}

func TestDirectives(t *testing.T) {
	const policy = "; Script-Src 'self'\t'nonce-a;script-src b ;\n;default-src;x"
	var got []string
	for _, d := range CSP(policy).Directives() {
		var words []string
		for _, s := range d.Sources {
			if policy[s.Start:s.End] != s.Text {
				t.Errorf("%+v is not at its place", s)
			}
			words = append(words, s.Text)
		}
		got = append(got, fmt.Sprintf("%s %v %v %q", d.Name, words, d.Ignored, policy[d.Start:d.End]))
	}
	want := []string{
		`script-src ['self' 'nonce-a] false "Script-Src 'self'\t'nonce-a"`,
		`script-src [b] true "script-src b"`,
		`default-src [] false "default-src"`,
		`x [] false "x"`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s", strings.Join(got, "\n"))
	}
}

// withHash is the policy with one hash in the place of another.
func withHash(p CSP, old, replacement string) CSP {
	var h ScriptHashes
	h.Add(old, replacement)
	return p.WithScriptHashes(&h)
}

// Two scripts of one text, of which one is a module, become two.
func TestScriptHashesOfTwins(t *testing.T) {
	var h ScriptHashes
	other := Hash([]byte("other"), "sha256")
	for _, renewed := range []string{hashNew, other, hashNew} {
		h.Add(hashOld, renewed)
	}
	if got, want := CSP("script-src a "+hashOld+" b").WithScriptHashes(&h), "script-src a "+hashNew+" "+other+" b"; string(got) != want || h.Len() != 1 {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// Several sources at once are what they are one by one.
func TestWithScriptSourcesAtOnce(t *testing.T) {
	sources := []string{hashOld, "'self'", hashNew, "'" + inURL(hashOld) + "'", "'nonce-a'", "https://a.example"}
	for _, policy := range []string{"script-src 'self'", "default-src 'none'", "default-src b; img-src c", "script-src 'unsafe-inline'", "script-src 'none'", "script-src", "", "img-src d"} {
		one := CSP(policy)
		for _, source := range sources {
			one = one.WithScriptSources(source)
		}
		if all := CSP(policy).WithScriptSources(sources...); all != one {
			t.Errorf("%q\none by one %s\nat once    %s", policy, one, all)
		}
	}
}

func TestWithScriptHashes(t *testing.T) {
	// This one has + and / in it, and no padding.
	old384, new384 := Hash([]byte("27"), "sha384"), Hash([]byte("new"), "sha384")
	if inURL(old384) == strings.Trim(old384, "'") {
		t.Fatal("the hash is the same in both alphabets")
	}
	for _, test := range []struct{ policy, old, new, want string }{
		{"script-src 'self' " + hashOld + "; img-src *", hashOld, hashNew, "script-src 'self' " + hashNew + "; img-src *"},
		{"default-src " + hashOld + ";script-src-elem " + hashOld, hashOld, hashNew, "default-src " + hashNew + ";script-src-elem " + hashNew},
		{"style-src " + hashOld + "; script-src-attr " + hashOld, hashOld, hashNew, "style-src " + hashOld + "; script-src-attr " + hashOld},
		{"script-src " + strings.Replace(hashOld, "sha256", "SHA256", 1), hashOld, hashNew, "script-src " + strings.Replace(hashNew, "sha256", "SHA256", 1)},
		{"script-src '" + inURL(old384) + "'", old384, new384, "script-src '" + inURL(new384) + "'"},
		{"script-src " + old384, "'" + inURL(old384) + "'", new384, "script-src " + new384},
		{"script-src " + strings.Replace(hashOld, "=", "", 1), hashOld, hashNew, "script-src " + strings.Replace(hashNew, "=", "", 1)},
		{"script-src " + hashOld, hashOld, new384, "script-src " + new384},
		{"script-src 'sha256-AAAA' " + hashNew, hashOld, hashNew, "script-src 'sha256-AAAA' " + hashNew},
		{"script-src a; script-src " + hashOld, hashOld, hashNew, "script-src a; script-src " + hashOld},
		{"script-src " + hashOld, "old", "new", "script-src " + hashOld},
		{"", hashOld, hashNew, ""},
	} {
		if got := withHash(CSP(test.policy), test.old, test.new); string(got) != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.policy, got, test.want)
		}
	}
}

func TestWithScriptSources(t *testing.T) {
	for _, test := range []struct{ policy, want string }{
		{"script-src 'self'", "script-src 'self' H"},
		{"script-src 'self'; style-src a;", "script-src 'self' H; style-src a;"},
		{"script-src a; script-src-elem b; default-src c", "script-src a; script-src-elem b H; default-src c"},
		{"default-src 'self' a; img-src b", "default-src 'self' a; img-src b; script-src 'self' a H"},
		{"default-src 'self' ; ", "default-src 'self' ; script-src 'self' H"},
		{"default-src 'none'", "default-src 'none'; script-src H"},
		{"default-src", "default-src; script-src H"},
		{"script-src 'NONE'; a", "script-src H; a"},
		{"script-src", "script-src H"},
		{"script-src ;a", "script-src H ;a"},
		{"img-src 'self'", "img-src 'self'"},
		{"", ""},
		{"script-src 'unsafe-inline' 'self'", "script-src 'unsafe-inline' 'self'"},
		{"default-src 'Unsafe-Inline'", "default-src 'Unsafe-Inline'"},
		{"script-src 'unsafe-inline' 'nonce-a'", "script-src 'unsafe-inline' 'nonce-a' H"},
		{"script-src 'unsafe-inline' 'sha256-AAAA'", "script-src 'unsafe-inline' 'sha256-AAAA' H"},
		{"script-src 'unsafe-inline' 'strict-dynamic'", "script-src 'unsafe-inline' 'strict-dynamic' H"},
		{"script-src H", "script-src H"},
		{"script-src a; script-src b", "script-src a H; script-src b"},
	} {
		policy, want := strings.ReplaceAll(test.policy, "H", hashNew), strings.ReplaceAll(test.want, "H", hashNew)
		got := CSP(policy).WithScriptSources(hashNew)
		if string(got) != want {
			t.Errorf("%s\n got %s\nwant %s", policy, got, want)
		}
		if again := got.WithScriptSources(hashNew); again != got {
			t.Errorf("%s\nadding twice gives %s", policy, again)
		}
	}
	if got := CSP("script-src 'unsafe-inline'").WithScriptSources("'self'"); got != "script-src 'unsafe-inline' 'self'" {
		t.Error(got)
	}
}

// FuzzPolicy holds policies to what their types promise.
func FuzzPolicy(f *testing.F) {
	for _, policy := range []string{"", ";", "script-src 'self' " + hashOld + "; default-src *", "default-src 'none'", "script-src 'unsafe-inline'"} {
		f.Add(policy)
	}
	f.Fuzz(func(t *testing.T, policy string) {
		p := CSP(policy)
		last := 0
		for _, d := range p.Directives() {
			if !ordered(last, d.Start, d.End, len(policy)) || lower(policy[d.Start:d.Start+len(d.Name)]) != d.Name {
				t.Fatalf("%+v", d)
			}
			last = d.Start
			for _, s := range d.Sources {
				if !ordered(last, s.Start, s.End, d.End) || policy[s.Start:s.End] != s.Text {
					t.Fatalf("%+v in %+v", s, d)
				}
				last = s.End
			}
		}
		added := p.WithScriptSources(hashOld)
		if again := added.WithScriptSources(hashOld); again != added {
			t.Fatalf("%q, then %q", added, again)
		}
		replaced := withHash(added, hashOld, hashNew)
		if back := withHash(replaced, hashNew, hashOld); !strings.Contains(policy, "sha256-") && back != added {
			t.Fatalf("%q became %q and %q", added, replaced, back)
		}
		if len(added.Directives()) < len(p.Directives()) {
			t.Fatalf("%q lost a directive: %q", policy, added)
		}
	})
}

func TestNonces(t *testing.T) {
	for policy, want := range map[string]string{
		"script-src 'self' 'nonce-a' 'nonce-b'": "a", "default-src 'NONCE-a'": "a", "script-src 'self'; default-src 'nonce-a'": "",
		"script-src 'nonce-' nonce-a 'nonce-a": "", "script-src-elem 'nonce-e'; script-src 'nonce-s'": "e", "img-src 'nonce-a'": "", "": "",
	} {
		if got := CSP(policy).ScriptNonce(); got != want {
			t.Errorf("%s has the nonce %q", policy, got)
		}
	}
}

func TestConnectionsAndWorkers(t *testing.T) {
	for policy, want := range map[string]string{
		"": "", "img-src a": "img-src a", "connect-src a": "connect-src a W", "connect-src 'none'": "connect-src W", "connect-src": "connect-src W",
		"default-src 'none';": "default-src 'none'; connect-src W", "worker-src a; script-src b": "worker-src a F; script-src b",
		"child-src a": "child-src a F", "script-src b": "script-src b",
	} {
		if got := CSP(policy).WithWorkers("F").WithConnections("W"); string(got) != want {
			t.Errorf("%s becomes %s, want %s", policy, got, want)
		}
	}
}

func TestStrictDynamic(t *testing.T) {
	for policy, want := range map[CSP]bool{
		"script-src 'strict-dynamic'":                           true,
		"default-src 'Strict-Dynamic' 'self'":                   true,
		"script-src 'self'; script-src 'strict-dynamic'":        false,
		"script-src-elem 'self'; script-src 'strict-dynamic'":   false,
		"script-src 'self'; default-src 'strict-dynamic'":       false,
		"style-src 'strict-dynamic'; script-src strict-dynamic": false,
		"": false,
	} {
		if got := policy.IsStrictDynamic(); got != want {
			t.Errorf("%q: %v", policy, got)
		}
	}
}

// Of finds what replaces a hash in either alphabet of base64; AddListed takes over what replaces those that a policy lists.
func TestHashesOfOthers(t *testing.T) {
	was, is, also, other := Hash([]byte("a"), "sha256"), Hash([]byte("b"), "sha256"), Hash([]byte("c"), "sha256"), Hash([]byte("d"), "sha256")
	var others, own ScriptHashes
	others.Add(was, is)
	others.Add(was, also)
	others.Add(other, is)
	url := strings.NewReplacer("+", "-", "/", "_").Replace(was)
	if got := strings.Join(others.Of(url), " "); got != is+" "+also {
		t.Errorf("in its place are %s", got)
	}
	if got := append(others.Of("'self'"), others.Of(also)...); len(got) > 0 {
		t.Errorf("there are %q", got)
	}
	policy := CSP("script-src 'self' " + was)
	own.AddListed(policy, &others)
	if got, want := policy.WithScriptHashes(&own), CSP("script-src 'self' "+is+" "+also); got != want || own.Len() != 1 {
		t.Errorf("the policy becomes %s, not %s", got, want)
	}
}
