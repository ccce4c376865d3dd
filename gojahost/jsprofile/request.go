package jsprofile

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// request is what a client asks for.
type request struct {
	duration time.Duration
	waits    bool // from now on, not before now
	idle     bool
	goSide   bool // with Go's own profile of what scripts called
	format   format
}

// The default and the bounds of the seconds that a request may ask for.
const (
	defaultSeconds = 10
	maxSeconds     = 3600   // from now on
	maxLast        = 100000 // before now: a day and more
)

// parse reads the parameters of a request. Errors are for the client that sent it.
func parse(raw string) (asked request, err error) {
	asked = request{duration: defaultSeconds * time.Second, waits: true, format: formats[0]}
	query, err := url.ParseQuery(raw)
	if err != nil {
		return asked, fmt.Errorf("the parameters cannot be read: %w", err)
	}
	for name, values := range query {
		if !slices.Contains([]string{"seconds", "last", "format", "idle", "go"}, name) {
			return asked, fmt.Errorf("there is no parameter %q, only seconds, last, format, idle and go", short(name))
		}
		if len(values) > 1 {
			return asked, fmt.Errorf("%s is there %d times", name, len(values))
		}
	}
	if query.Has("seconds") && query.Has("last") {
		return asked, errors.New("seconds is from now on and last before now: ask for one of them")
	}
	if query.Has("seconds") {
		if asked.duration, err = seconds("seconds", query.Get("seconds"), maxSeconds); err != nil {
			return asked, err
		}
	}
	if query.Has("last") {
		asked.waits = false
		if asked.duration, err = seconds("last", query.Get("last"), maxLast); err != nil {
			return asked, err
		}
	}
	if query.Has("idle") {
		if asked.idle, err = strconv.ParseBool(query.Get("idle")); err != nil {
			return asked, fmt.Errorf("idle=%q is neither 1 nor 0", short(query.Get("idle")))
		}
	}
	if query.Has("go") {
		if asked.goSide, err = strconv.ParseBool(query.Get("go")); err != nil {
			return asked, fmt.Errorf("go=%q is neither 1 nor 0", short(query.Get("go")))
		}
		if asked.goSide && !asked.waits {
			return asked, errors.New("go=1 is from now on: ask for seconds, not for last")
		}
	}
	if query.Has("format") {
		name := query.Get("format")
		i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
		if i < 0 {
			return asked, fmt.Errorf("there is no format %q, only pprof, cpuprofile and html", short(name))
		}
		asked.format = formats[i]
	}
	return asked, nil
}

// seconds reads a number of seconds.
func seconds(name, text string, most float64) (time.Duration, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || n <= 0 || n > most {
		return 0, fmt.Errorf("%s=%q is no number of seconds above 0 and up to %.0f", name, short(text), most)
	}
	return time.Duration(n * float64(time.Second)), nil
}

// short bounds what an error repeats.
func short(text string) string {
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
