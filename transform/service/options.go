package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// optionError is a mistake in one option.
type optionError struct {
	option, text string
}

func (e *optionError) Error() string { return e.text }

// option is one that a request may have.
type option struct {
	name  string
	takes string // what a value looks like, for messages
	set   func(o *builddir.Options, value json.RawMessage) error
}

// errTakes says no more than that the value is not what the option takes.
var errTakes = errors.New("wrong value")

// options are the command line's options that change what comes out.
var options = []option{
	{"preset", `"classic", "balanced", "fine" or "precise"`, set(name(transform.ParsePreset), func(o *builddir.Options) *transform.Preset { return &o.Preset })},
	{"minStatements", "a number of statements, such as 10", set(number, func(o *builddir.Options) *int { return &o.MinStatements })},
	{"checks", `a list of "entry", "loop" and "exit"`, set(checks, func(o *builddir.Options) *functable.Sites { return &o.Checks })},
	{"form", `"inline" or "compact"`, set(name(transform.ParseForm), func(o *builddir.Options) *transform.Form { return &o.Form })},
	{"maxGzip", `a share, such as "3%" or 0.03`, func(o *builddir.Options, value json.RawMessage) error {
		err := share(value, &o.MaxGzip)
		o.MaxGzip *= 100
		return err
	}},
	{"include", `a list of globs, such as ["src/**"]`, set(list, func(o *builddir.Options) *[]string { return &o.Include })},
	{"exclude", `a list of globs, such as ["node_modules/**"]`, set(list, func(o *builddir.Options) *[]string { return &o.Exclude })},
	{"publicPath", `a URL, such as "https://cdn.example/app/"`, set(decode[string], func(o *builddir.Options) *string { return &o.PublicPath })},
	{"clock", `"auto", "shared" or "poll"`, set(word("auto", "shared", "poll"), func(o *builddir.Options) *string { return &o.Runtime.Clock })},
	{"prefer", `"native" or "polyfill"`, set(word("native", "polyfill"), func(o *builddir.Options) *string { return &o.Runtime.Prefer })},
	{"tables", `"early", "late" or "none"`, set(word("early", "late", "none"), func(o *builddir.Options) *string { return &o.Runtime.Tables })},
	{"base", "a number of milliseconds, such as 1", set(decode[float64], func(o *builddir.Options) *float64 { return &o.Runtime.Base })},
	{"maxRecording", `a share of the time, such as "5%" or 0.05`, func(o *builddir.Options, value json.RawMessage) error {
		err := portion(value, &o.Runtime.MaxOverhead)
		o.Runtime.MaxOverhead *= 100
		return err
	}},
	{"obeyPolicy", "true or false", set(decode[bool], func(o *builddir.Options) *bool { return &o.Runtime.ObeyPolicy })},
	{"wrapWorkers", "true or false", set(decode[bool], func(o *builddir.Options) *bool { return &o.Runtime.WrapWorkers })},
	{"embed", `a list of globs, such as ["app.js"]`, set(list, func(o *builddir.Options) *[]string { return &o.Embed })},
	{"sample", `a share of sessions, such as "1%" or 0.01, or "100%" for all`, set(portion, func(o *builddir.Options) *float64 { return &o.Sample })},
}

// set reads a value into a field of the options.
func set[T any](read func(json.RawMessage, *T) error, field func(*builddir.Options) *T) func(*builddir.Options, json.RawMessage) error {
	return func(o *builddir.Options, value json.RawMessage) error { return read(value, field(o)) }
}

// decodeOptions reads the options of a request. Nothing is passed over: a name
// that is not known and a value of another type are errors.
func decodeOptions(object json.RawMessage) (builddir.Options, error) {
	// Sizes after compression take longer than all the rest.
	o := builddir.Options{NoSizes: true}
	if len(object) == 0 {
		return o, nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(object, &values); err != nil || values == nil {
		return o, fmt.Errorf("options are an object, such as {preset: 'fine'}, not %s", shown(object))
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(options, func(known option) bool { return known.name == name })
		if i < 0 {
			return o, unknown(name)
		}
		if err := options[i].set(&o, values[name]); err != nil {
			return o, &optionError{name, wrong(options[i], values[name], err)}
		}
	}
	return o, nil
}

// unknown is the error for a name that no option has.
func unknown(name string) error {
	names := make([]string, len(options))
	for i, known := range options {
		names[i] = known.name
	}
	if meant := nearest(name, names); meant != "" {
		return &optionError{name, fmt.Sprintf("unknown option %q: did you mean %q?", name, meant)}
	}
	return &optionError{name, fmt.Sprintf("unknown option %q: the options are %s", name, strings.Join(names, ", "))}
}

// wrong words the error for a value.
func wrong(o option, value json.RawMessage, err error) string {
	said := fmt.Sprintf("option %q takes %s, not %s", o.name, o.takes, shown(value))
	if !errors.Is(err, errTakes) {
		said += ": " + err.Error()
	}
	return said
}

// shown is a value as messages show it, cut to a reasonable length.
func shown(value json.RawMessage) string {
	const longest = 60
	if bytes.Equal(bytes.TrimSpace(value), []byte("null")) {
		return "null"
	}
	if runes := []rune(string(value)); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return string(value)
}

// decode reads a value of a type; null is of none.
func decode[T any](value json.RawMessage, to *T) error {
	if bytes.Equal(bytes.TrimSpace(value), []byte("null")) || json.Unmarshal(value, to) != nil {
		return errTakes
	}
	return nil
}

// list reads strings; an element that is null is none.
func list(value json.RawMessage, to *[]string) error {
	var elements []*string
	if err := decode(value, &elements); err != nil {
		return err
	}
	*to = make([]string, len(elements))
	for i, element := range elements {
		if element == nil {
			return errTakes
		}
		(*to)[i] = *element
	}
	return nil
}

// number reads a whole number that is not negative.
func number(value json.RawMessage, to *int) error {
	if err := decode(value, to); err != nil || *to < 0 {
		return errTakes
	}
	return nil
}

// name reads the name of something.
func name[T any](parse func(string) (T, error)) func(json.RawMessage, *T) error {
	return func(value json.RawMessage, to *T) error {
		var word string
		if err := decode(value, &word); err != nil {
			return err
		}
		parsed, err := parse(word)
		if err != nil {
			return errTakes // which lists the names
		}
		*to = parsed
		return nil
	}
}

// word reads one of some words. The first of them is the default, which is left
// away, as the command line does.
func word(words ...string) func(json.RawMessage, *string) error {
	return func(value json.RawMessage, to *string) error {
		if err := decode(value, to); err != nil || !slices.Contains(words, *to) {
			return errTakes
		}
		if *to == words[0] {
			*to = ""
		}
		return nil
	}
}

// share reads "3%", "0.03" or 0.03.
func share(value json.RawMessage, to *float64) error {
	var word string
	if err := decode(value, &word); err != nil {
		var fraction float64
		if err := decode(value, &fraction); err != nil {
			return err
		}
		word = strconv.FormatFloat(fraction, 'g', -1, 64)
	}
	parsed, err := builddir.ParseShare(word)
	if err != nil {
		return errTakes
	}
	*to = parsed
	return nil
}

// portion reads a share above 0, of all at most.
func portion(value json.RawMessage, to *float64) error {
	if err := share(value, to); err != nil || *to <= 0 || *to > 1 {
		return errTakes
	}
	return nil
}

// checks reads kinds of sites.
func checks(value json.RawMessage, to *functable.Sites) error {
	var sites []string
	if err := list(value, &sites); err != nil {
		return err
	}
	if slices.ContainsFunc(sites, func(site string) bool { return strings.Contains(site, ",") }) {
		return errTakes
	}
	parsed, err := transform.ParseChecks(strings.Join(sites, ","))
	if err != nil {
		return errTakes
	}
	*to = parsed
	return nil
}
