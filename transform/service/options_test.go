package service

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func TestOptions(t *testing.T) {
	for text, want := range map[string]builddir.Options{
		``:   {},
		`{}`: {},
		`{"preset":"fine","minStatements":4,"checks":["entry","exit"],"form":"compact","maxGzip":"3%"}`: {
			Selection: transform.Selection{Preset: transform.Fine, MinStatements: 4, Checks: functable.Entry | functable.Exit, Form: transform.Compact, MaxGzip: 3},
		},
		`{"include":["src/**"],"exclude":[],"publicPath":"https://x/","clock":"poll","prefer":"polyfill","tables":"none","embed":["app.js"],"sample":0.01}`: {
			Include: []string{"src/**"}, Exclude: []string{}, PublicPath: "https://x/", Embed: []string{"app.js"}, Sample: 0.01,
			Runtime: runtime.Options{Clock: "poll", Prefer: "polyfill", Tables: "none"},
		},
		`{"clock":"auto","prefer":"native","tables":"early","maxGzip":0.5}`: {Selection: transform.Selection{MaxGzip: 50}}, // defaults, as if not named
	} {
		want.NoSizes = true
		if got, err := decodeOptions(json.RawMessage(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	for text, want := range map[string]optionError{
		`{"presett":"fine"}`:      {"presett", `unknown option "presett": did you mean "preset"?`},
		`{"Preset":"fine"}`:       {"Preset", `unknown option "Preset": did you mean "preset"?`},
		`{"min-statements":1}`:    {"min-statements", `unknown option "min-statements": did you mean "minStatements"?`},
		`{"exlcude":[]}`:          {"exlcude", `unknown option "exlcude": did you mean "exclude"?`},
		`{"zebra":1}`:             {"zebra", `unknown option "zebra": the options are preset, minStatements, checks, form, maxGzip, include, exclude, publicPath, clock, prefer, tables, base, maxRecording, obeyPolicy, wrapWorkers, embed, sample`},
		`{"preset":"best"}`:       {"preset", `option "preset" takes "classic", "balanced", "fine" or "precise", not "best"`},
		`{"preset":null}`:         {"preset", `option "preset" takes "classic", "balanced", "fine" or "precise", not null`},
		`{"minStatements":"4"}`:   {"minStatements", `option "minStatements" takes a number of statements, such as 10, not "4"`},
		`{"minStatements":-1}`:    {"minStatements", `option "minStatements" takes a number of statements, such as 10, not -1`},
		`{"minStatements":1.5}`:   {"minStatements", `option "minStatements" takes a number of statements, such as 10, not 1.5`},
		`{"checks":"entry"}`:      {"checks", `option "checks" takes a list of "entry", "loop" and "exit", not "entry"`},
		`{"checks":["entry,x"]}`:  {"checks", `option "checks" takes a list of "entry", "loop" and "exit", not ["entry,x"]`},
		`{"checks":[]}`:           {"checks", `option "checks" takes a list of "entry", "loop" and "exit", not []`},
		`{"include":[null]}`:      {"include", `option "include" takes a list of globs, such as ["src/**"], not [null]`},
		`{"maxGzip":"much"}`:      {"maxGzip", `option "maxGzip" takes a share, such as "3%" or 0.03, not "much"`},
		`{"maxGzip":{"a":[1,2]}}`: {"maxGzip", `option "maxGzip" takes a share, such as "3%" or 0.03, not {"a":[1,2]}`},
		`{"maxRecording":0}`:      {"maxRecording", `option "maxRecording" takes a share of the time, such as "5%" or 0.05, not 0`},
		`{"sample":0}`:            {"sample", `option "sample" takes a share of sessions, such as "1%" or 0.01, or "100%" for all, not 0`},
		`{"sample":1}`:            {"sample", `option "sample" takes a share of sessions, such as "1%" or 0.01, or "100%" for all, not 1`},
		`{"maxGzip":"3"}`:         {"maxGzip", `option "maxGzip" takes a share, such as "3%" or 0.03, not "3"`},
		`{"clock":"sun"}`:         {"clock", `option "clock" takes "auto", "shared" or "poll", not "sun"`},
		`{"embed":[1]}`:           {"embed", `option "embed" takes a list of globs, such as ["app.js"], not [1]`},
		`{"publicPath":["x"]}`:    {"publicPath", `option "publicPath" takes a URL, such as "https://cdn.example/app/", not ["x"]`},
	} {
		_, err := decodeOptions(json.RawMessage(text))
		var got *optionError
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`null`, `[]`, `"fine"`, `1`} {
		if _, err := decodeOptions(json.RawMessage(text)); err == nil || err.Error() != "options are an object, such as {preset: 'fine'}, not "+text {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"include", "exclude", "clock", "checks"}
	for word, want := range map[string]string{"inlcude": "include", "CLOCK": "clock", "check": "checks", "": "", "telephone": "", "exclud": "exclude"} {
		if got := nearest(word, words); got != want {
			t.Errorf("%q: %q, not %q", word, got, want)
		}
	}
}
