package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

const whole = `
listen: :8443
data: kept
cert: tls/cert.pem
key: tls/key.pem
trust-proxy: true
metrics: localhost:9100
memory: 1GiB
store: clickhouse://fieldprof:secret@ch1:9000,ch2:9000/fieldprof?cluster=main
retention: { minutes: 1d, hours: 15d, slices: 36h }
spool: { dir: /var/spool/fieldprof, bytes: 4GiB, every: 1s }
apps:
  - name: shop
    keys: [shop-web-2026, $SHOP_KEY]
    origins: [https://shop.example, "https://www.shop.example:8443"]
    limits: { per-second: 400, body: 1MiB, values: 50 }
    labels: [tenant]
    first-party: [cdn.shop.example]
    webhook: text-file:hook
tokens:
  - { text: $READER, apps: [shop], read: true }
  - { text: "$$literal-dollar-text", upload: true }
forward:
  - kind: otlp
    url: https://otlp.example/v1development/profiles
    headers: { Authorization: $READER }
`

func TestWholeFile(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "hook"), []byte("https://hooks.example/x\n"), 0o600))
	t.Setenv("SHOP_KEY", "shop-app-2026")
	t.Setenv("READER", "a-secret-of-24-letters-x")
	c, err := Read([]byte(whole), folder)
	if err != nil {
		t.Fatal(err)
	}
	c.SetDefaults()
	a := c.Apps[0]
	for what, ok := range map[string]bool{
		"listen":    c.Listen == ":8443" && c.TrustProxy && c.Metrics == "localhost:9100" && c.Memory == 1<<30,
		"paths":     c.Data == filepath.Join(folder, "kept") && c.Cert == filepath.Join(folder, "tls/cert.pem") && c.Spool.Dir == "/var/spool/fieldprof",
		"retention": c.Retention.Minutes == 24*time.Hour && c.Retention.Slices == 36*time.Hour && c.Retention.Days == 400*24*time.Hour,
		"spool":     c.Spool.Bytes == 4<<30 && c.Spool.Every == time.Second,
		"app":       a.Name == "shop" && a.Keys[1] == "shop-app-2026" && a.Limits.PerSecond == 400 && a.Limits.Body == 1<<20 && a.Limits.Values == 50,
		"webhook":   a.Webhook == "https://hooks.example/x",
		"tokens":    c.Tokens[0].Text == "a-secret-of-24-letters-x" && c.Tokens[1].Text == "$literal-dollar-text" && c.Tokens[1].Upload,
		"forward":   c.Forward[0].Headers["Authorization"] == "a-secret-of-24-letters-x" && c.Forward[0].Every == 15*time.Second,
	} {
		if !ok {
			t.Errorf("%s: %+v", what, c)
		}
	}
}

// Mistakes say where they are and what to do.
func TestMistakes(t *testing.T) {
	app := "apps: [{name: shop, keys: [12345678], "
	for text, want := range map[string]string{
		"listen: 8090":                                                        `1:9: listen: HOST:PORT belongs here`,
		"\nports: 1":                                                          `2:1: unknown key "ports": the keys here are listen, data,`,
		"apps: {name: x}":                                                     `1:7: apps: a list belongs here`,
		"apps:\n- name: Shop\n  keys: [x]":                                    `2:9: apps[0].name: a name has small letters`,
		"apps:\n- name: shop":                                                 `2:3: apps[0].keys: shop needs a key`,
		"apps: [{name: a, keys: [short]}]":                                    `1:25: apps[0].keys[0]: a key has 8 to 128`,
		app + "nam: 1}]":                                                      `1:39: apps[0]: unknown key "nam": the keys here are name, keys,`,
		app + "origins: [shop.example]}]":                                     `an origin is a scheme and a host`,
		app + "origins: ['https://a.b/c']}]":                                  `an origin is a scheme and a host`,
		app + "origins: ['https://Shop.example:443']}]":                       `browsers call this origin https://shop.example: write that`,
		app + "origins: ['http://shop.example:80']}]":                         `browsers call this origin http://shop.example: write that`,
		app + "first-party: ['cdn.example:8443']}]":                           `1:53: apps[0].first-party[0]: a host belongs here, without scheme and port`,
		app + "labels: ['A b']}]":                                             `apps[0].labels[0]: a label has small letters`,
		app + "limits: {body: 4MB}}]":                                         `1:54: apps[0].limits.body: a size belongs here`,
		app + "limits: {per-second: NaN}}]":                                   `a number belongs here`,
		app + "limits: {values: 0}}]":                                         `1:56: apps[0].limits.values: more than 0 belongs here`,
		"retention: {slices: 0d}":                                             `1:21: retention.slices: more than 0 belongs here`,
		"memory: 0":                                                           `1:9: memory: more than 0 belongs here`,
		app + "limits: {depth: -1}}]":                                         `a number belongs here`,
		app + "budgets: none.yaml}]":                                          `apps[0].budgets: `,
		app + "webhook: 'javascript:x'}]":                                     `an http or https address`,
		app + "}, {name: shop, keys: [x]}]":                                   `there are two apps "shop"`,
		app + "}, {name: b, keys: [12345678]}]":                               `two apps, or one twice, have this key`,
		"tokens: [{text: short, read: true}]":                                 `tokens[0].text: a token has 16`,
		"tokens: [{text: 1234567890123456}]":                                  `admits to nothing`,
		app + "}]\ntokens: [{text: 1234567890123456, read: true, apps: [x]}]": `there is no app "x"`,
		"apps: [{name: shop, keys: [1234567890123456]}]\ntokens: [{text: 1234567890123456, read: true}]": `1:28: apps[0].keys[0]: a token has the same text`,
		"store: mysql://x/y":                  `no store "mysql"`,
		"store: sqlite":                       `sqlite:PATH or`,
		"retention: {minutes: 40d}":           `1:12: retention: sums of an hour are made of those of a minute`,
		"retention: {minutes: 40 days}":       `a duration belongs here`,
		"forward: [{kind: x, url: http://a}]": `pyroscope or otlp`,
		"forward: [{kind: otlp, url: /x}]":    `forward[0].url: an http`,
		"forward: [{kind: otlp, url: http://a}, {kind: otlp, url: http://a}]": `forward[1].url: a target before it is the same`,
		"spool: {bytes: 1KiB}":           `spool.bytes: a spool has at least 64MiB`,
		"cert: x":                        `it needs its key`,
		"memory: 1MiB":                   `at least 64MiB`,
		"trust-proxy: yes":               `true or false`,
		"listen: $NO_SUCH_VARIABLE":      `no environment variable NO_SUCH_VARIABLE`,
		"listen: text-file:no-such-file": `1:9: listen: open `,
		"listen: &a :80\nmetrics: *a":    `2:10: metrics: aliases are not read`,
		"listen: :80\nlisten: :81":       `appears twice`,
		"listen: [":                      `not YAML`,
		"- x":                            `1:1: a mapping belongs here`,
		strings.Repeat("# x\n", 1<<19):   `larger than 1 MiB`,
	} {
		_, err := Read([]byte(text), t.TempDir())
		var mistake *Error
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.90s\n\t%v\n\tlacks %s", text, err, want)
		}
	}
}

// None can be meant of examples.
func TestNoExamples(t *testing.T) {
	c := must.Get(Read([]byte("apps: [{name: shop, keys: [12345678], limits: {examples-per-route: 0}}, {name: docs, keys: [12345679]}]"), t.TempDir()))(t)
	must.Equal(t, *c.Apps[0].Limits.ExamplesPerRoute, 0)
	must.Equal(t, c.Apps[1].Limits.ExamplesPerRoute == nil, true)
}

func TestFileIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "collect.yaml")
	must.Do(t, os.WriteFile(file, []byte("x: 1"), 0o600))
	if _, err := ReadFile(file); err == nil || !strings.HasPrefix(err.Error(), file+":1:1: ") {
		t.Error(err)
	}
}

// The first start makes keys; later ones read them.
func TestKeys(t *testing.T) {
	folder := t.TempDir()
	first := &Config{Data: folder}
	if made := must.Get(first.AddKeys())(t); !made {
		t.Error("no keys were made")
	}
	info := must.Get(os.Stat(filepath.Join(folder, KeysFile)))(t)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the keys: %v", info.Mode())
	}
	second := &Config{Data: folder}
	if made := must.Get(second.AddKeys())(t); made {
		t.Error("keys were made again")
	}
	if a, b := first.Apps[0], second.Apps[0]; a.Name != "default" || a.Keys[0] != b.Keys[0] || first.Tokens[0].Text != second.Tokens[0].Text {
		t.Errorf("%+v\n%+v", first, second)
	}
	own := &Config{Data: folder, Apps: []App{{Name: "shop", Keys: []string{"12345678"}}}}
	must.Get(own.AddKeys())(t)
	if own.Apps[0].Name != "shop" || own.Tokens[0].Text != first.Tokens[0].Text {
		t.Errorf("%+v", own)
	}
	other := &Config{Data: t.TempDir()}
	must.Get(other.AddKeys())(t)
	if other.Tokens[0].Text == first.Tokens[0].Text {
		t.Error("two collectors have the same token")
	}
	if left := must.Get(filepath.Glob(filepath.Join(folder, ".*")))(t); len(left) > 0 {
		t.Errorf("%v was left behind", left)
	}
}

// A file of keys that somebody has emptied is an error: it may be all that says what pages send with.
func TestKeysThatAreGone(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, KeysFile)
	for _, text := range []string{"", "# nothing\n", "apps: []\n", "apps: [{name: shop, keys: [12345678]}]\n"} {
		must.WriteFile(t, file, text)
		must.Refuse((&Config{Data: folder}).AddKeys())(t, "the keys: "+file+" lacks its apps or its tokens: restore it, or remove it", text)
	}
	own := &Config{Data: folder, Tokens: []Token{{Text: "0123456789abcdef", Read: true}}}
	must.Get(own.AddKeys())(t)
	must.Equal(t, own.Apps[0].Name, "shop")
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Add("apps: [{name: shop, keys: [12345678], origins: ['*']}]")
	f.Add("tokens: [{text: $HOME, read: true}]\nretention: {minutes: 2d}\nspool: {bytes: 9999999999GiB}")
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "text-file:") || strings.Contains(text, "budgets") {
			return // they read what an operator names
		}
		c, err := Read([]byte(text), folder)
		var mistake *Error
		switch {
		case err == nil:
			c.SetDefaults()
		case !errors.As(err, &mistake) || mistake.Line < 1 || mistake.Column < 1:
			t.Errorf("no place: %v", err)
		}
	})
}
