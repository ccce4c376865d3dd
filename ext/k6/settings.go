package k6

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost/sobekhost"
	"github.com/fieldprof/fieldprof/transform"
)

// settings are what the user asked for.
type settings struct {
	file     string // or
	push     *url.URL
	interval time.Duration
	preset   transform.Preset
	each     bool // a file for each virtual user
	keep     int  // samples
}

// defaultOutput is the file if nothing names one.
const defaultOutput = "k6.pb.gz"

// fastest bounds the interval.
const fastest = 100 * time.Microsecond

// parseSettings reads what follows fieldprof= in --out, over the environment.
func parseSettings(argument string, env map[string]string) (settings, error) {
	s := settings{interval: coordinator.DefaultInterval, keep: sobekhost.MaxSamples}
	set := func(source, key, value string) error {
		if err := s.set(key, value); err != nil {
			return fmt.Errorf("%s %q: %w", source, value, err)
		}
		return nil
	}
	for _, key := range []string{"interval", "preset", "each", "keep"} {
		if variable := "FIELDPROF_" + strings.ToUpper(key); env[variable] != "" {
			if err := set(variable, key, env[variable]); err != nil {
				return s, err
			}
		}
	}
	target := argument
	for {
		rest, option, found := cutLast(target, ",")
		key, value, is := strings.Cut(option, "=")
		if !found || !is || strings.ContainsAny(key, "/?&.") { // a comma of the file's name
			break
		}
		if err := set("the option "+key+" of --out", key, value); err != nil {
			return s, err
		}
		target = rest
	}
	target = cmp.Or(target, env["FIELDPROF_OUTPUT"], defaultOutput)
	if !strings.HasPrefix(target, "https://") && !strings.HasPrefix(target, "http://") {
		s.file = target
		return s, nil
	}
	var err error
	if s.push, err = url.Parse(target); err == nil && s.push.Host == "" {
		err = errors.New("the address names no host")
	}
	if err == nil && s.each {
		err = errors.New("each=vu is for files")
	}
	return s, err
}

// cutLast is strings.Cut at the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

func (s *settings) set(key, value string) (err error) {
	switch key {
	case "interval":
		if s.interval, err = duration(value); err == nil && s.interval < fastest {
			err = fmt.Errorf("the interval must be at least %v", fastest)
		}
	case "preset":
		s.preset, err = transform.ParsePreset(value)
	case "each":
		if s.each = value == "vu"; !s.each {
			err = errors.New("the only value is vu")
		}
	case "keep":
		if s.keep, err = strconv.Atoi(value); err != nil || s.keep < 1 {
			err = errors.New("it takes a number of samples")
		}
	default:
		err = errors.New("there is no such option; known are interval, preset, each and keep")
	}
	return err
}

// duration takes 5ms, and 5 for milliseconds.
func duration(text string) (time.Duration, error) {
	if ms, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(ms * float64(time.Millisecond)), nil
	}
	return time.ParseDuration(text)
}
