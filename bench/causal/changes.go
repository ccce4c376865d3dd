package causal

import (
	"fmt"
	"strings"
)

// Change is a real optimization of one function, in the text of the bundle. Its output
// stays the same.
type Change struct {
	Function string // its readable name
	What     string
	Edits    []Edit // the first one is in the function itself
}

// Edit replaces a text that the bundle has exactly once. It is within a line, since
// bundles for different engines are indented differently.
type Edit struct{ Old, New string }

func (c *Change) apply(text string) (string, error) {
	for _, e := range c.Edits {
		if n := strings.Count(text, e.Old); n != 1 {
			return "", fmt.Errorf("the bundle has %q %d times, not once: the optimization has lost its place", e.Old, n)
		}
		text = strings.Replace(text, e.Old, e.New, 1)
	}
	return text, nil
}

// in is the changed function's index in a script, after the change or before it.
func (c *Change) in(s *script, changed bool) int {
	text := c.Edits[0].Old
	if changed {
		text = c.Edits[0].New
	}
	return s.holding(strings.Index(s.text, text))
}

// changes are the optimizations, by program: each is a small change that one would
// make to that function after a look at it.
var changes = map[string]*Change{
	"raytrace": {
		Function: "meets", What: "computes with numbers instead of making a vector",
		Edits: []Edit{
			{"const to = this.centre.minus(ray.origin);", "const c = this.centre, o = ray.origin, d = ray.direction, x = c.x - o.x, y = c.y - o.y, z = c.z - o.z;"},
			{"const middle = to.dot(ray.direction);", "const middle = x * d.x + y * d.y + z * d.z;"},
			{"const inside = this.radius * this.radius - (to.dot(to) - middle * middle);", "const inside = this.radius * this.radius - (x * x + y * y + z * z - middle * middle);"},
		},
	},
	"kernel": {
		Function: "interrupt", What: "looks for something due before it filters",
		Edits: []Edit{{"const due = this.waiting.filter((w) => w.due <= this.time);",
			"const now = this.time, all = this.waiting; let any = false; for (let i = 0; i < all.length && !any; i++) any = all[i].due <= now; if (!any) return; const due = all.filter((w) => w.due <= now);"}},
	},
	"sheet": {
		Function: "visit", What: "skips visited cells before the call",
		Edits: []Edit{{"for (const user of this.users.get(name) || []) this.visit(user, out, done, open);",
			"for (const user of this.users.get(name) || []) if (!done.has(user)) this.visit(user, out, done, open);"}},
	},
	"acorn": {
		Function: "readWord1", What: "skips small letters without calls",
		Edits: []Edit{{"this.pos += ch <= 65535 ? 1 : 2;",
			"this.pos += ch <= 65535 ? 1 : 2; for (var c; (c = this.input.charCodeAt(this.pos)) >= 97 && c <= 122; ) this.pos++;"}},
	},
	"ajv": {
		Function: "optimize", What: "optimizes generated code one time less",
		Edits: []Edit{{"while (n-- > 0) {", "while (n-- > 1) {"}},
	},
	"handlebars": {
		Function: "parse", What: "remembers parsed templates",
		Edits: []Edit{
			{"var ast = parseWithoutProcessing(input, options);", "var known = parse.known || (parse.known = new Map()), old = known.get(input); if (old) return old; var ast = parseWithoutProcessing(input, options);"},
			{"return strip.accept(ast);", "known.set(input, ast = strip.accept(ast)); return ast;"},
		},
	},
	"immer-semver": {
		Function: "SemVer", What: "remembers how versions matched",
		Edits: []Edit{{"const m = version2.trim().match(options.loose ? re[t.LOOSE] : re[t.FULL]);",
			"const matches = options.loose ? _SemVer.loose ??= new Map() : _SemVer.strict ??= new Map(); let m = matches.get(version2); if (m === undefined) matches.set(version2, m = version2.trim().match(options.loose ? re[t.LOOSE] : re[t.FULL]));"}},
	},
	"lodash-mustache": {
		Function: "baseClone's callback", What: "copies primitive values itself",
		Edits: []Edit{{"assignValue(result2, key2, baseClone(subValue, bitmask, customizer, key2, value, stack));",
			"if (!customizer && !isObject(subValue)) baseAssignValue(result2, key2, subValue); else assignValue(result2, key2, baseClone(subValue, bitmask, customizer, key2, value, stack));"}},
	},
	"markdown-it": {
		Function: "_defineProperty", What: "assigns what a plain key names and nothing hides",
		Edits: []Edit{{"return (r = toPropertyKey(r)) in e ? Object.defineProperty(e, r, {",
			"return typeof r == 'string' && !(r in e) ? (e[r] = t, e) : (r = toPropertyKey(r)) in e ? Object.defineProperty(e, r, {"}},
	},
	"marked": {
		Function: "emStrong", What: "looks at the first character before it matches",
		Edits: []Edit{{"let r = this.rules.inline.emStrongLDelim.exec(e);",
			"let begins = e.charCodeAt(0); if (begins !== 42 && begins !== 95) return; let r = this.rules.inline.emStrongLDelim.exec(e);"}},
	},
}
