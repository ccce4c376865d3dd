package config

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// resolve replaces a text that stands for another one.
func (d *decoder) resolve(text string) (string, error) {
	if file, ok := strings.CutPrefix(text, "text-file:"); ok {
		content, err := os.ReadFile(within(d.folder, file))
		if err != nil {
			return "", err
		}
		if len(content) > maxBytes {
			return "", fmt.Errorf("%s is larger than 1 MiB: not a secret", file)
		}
		return strings.TrimSpace(string(content)), nil
	}
	if rest, ok := strings.CutPrefix(text, "$$"); ok {
		return "$" + rest, nil
	}
	if name, ok := strings.CutPrefix(text, "$"); ok {
		value, known := os.LookupEnv(name)
		if !known {
			return "", fmt.Errorf("there is no environment variable %s: set it, or write $$%s for the text itself", name, name)
		}
		return value, nil
	}
	return text, nil
}

var (
	errDuration = errors.New("a duration belongs here, such as 90s, 12h or 30d")
	errSize     = errors.New("a size belongs here, in bytes or such as 64KiB, 4MiB or 1GiB")
	errNumber   = errors.New("a number belongs here")
	errZero     = errors.New("more than 0 belongs here; without the key the default holds")
)

// set parses a text into a field. Zero is a number only where a field points to one: elsewhere it would be
// taken for no value.
func set(into reflect.Value, text string) error {
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		return parse(into.Elem(), text)
	}
	err := parse(into, text)
	if err == nil && into.Kind() != reflect.String && into.Kind() != reflect.Bool && into.IsZero() {
		return errZero
	}
	return err
}

func parse(into reflect.Value, text string) (err error) {
	switch {
	case into.Type() == durationType:
		var d time.Duration
		if d, err = parseDuration(text); err == nil {
			into.SetInt(int64(d))
		}
	case into.Kind() == reflect.String:
		into.SetString(text)
	case into.Kind() == reflect.Bool:
		switch text {
		case "true", "false":
			into.SetBool(text == "true")
		default:
			return errors.New("true or false belongs here")
		}
	case into.Kind() == reflect.Int:
		n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 32)
		if err != nil || n < 0 {
			return errNumber
		}
		into.SetInt(n)
	case into.Kind() == reflect.Int64:
		var n int64
		if n, err = ParseSize(text); err == nil {
			into.SetInt(n)
		}
	case into.Kind() == reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return errNumber
		}
		into.SetFloat(x)
	default:
		panic("no values of the type " + into.Type().String())
	}
	return err
}

func parseDuration(text string) (time.Duration, error) {
	const day, most = 24 * time.Hour, 100 * 366
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || !(n >= 0 && n <= most) {
			return 0, errDuration
		}
		return time.Duration(n * float64(day)), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > most*day {
		return 0, errDuration
	}
	return d, nil
}

// ParseSize reads a size in bytes.
func ParseSize(text string) (int64, error) {
	factor := int64(1)
	for i, unit := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if rest, ok := strings.CutSuffix(text, unit); ok {
			text, factor = strings.TrimSpace(rest), 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/factor {
		return 0, errSize
	}
	return n * factor, nil
}
