package cpuprofile

import (
	"bytes"
	"fmt"
	"strconv"
)

// list is an array of numbers, which are most of a file. encoding/json takes
// ten times as long for them.
type list[T int | int32 | int64 | float64] []T

// UnmarshalJSON is given well-formed JSON.
func (l *list[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if data[0] != '[' {
		return fmt.Errorf("%.20s… is no array of numbers", data)
	}
	out := make(list[T], 0, bytes.Count(data, []byte(","))+1)
	for i := 1; i < len(data); {
		switch data[i] {
		case ' ', '\t', '\r', '\n', ',', ']':
			i++
			continue
		}
		end := i
		for end < len(data) && data[end] != ',' && data[end] != ']' && data[end] > ' ' {
			end++
		}
		v, err := number[T](data[i:end])
		if err != nil {
			return fmt.Errorf("entry %d: %w", len(out), err)
		}
		out = append(out, v)
		i = end
	}
	*l = out
	return nil
}

func number[T int | int32 | int64 | float64](text []byte) (T, error) {
	// Short whole numbers, as nearly all are.
	if digits := bytes.TrimPrefix(text, []byte("-")); len(digits) > 0 && len(digits) < 10 {
		v, whole := 0, true
		for _, c := range digits {
			v = v*10 + int(c-'0')
			whole = whole && c >= '0' && c <= '9'
		}
		if whole {
			if len(digits) < len(text) {
				v = -v
			}
			return T(v), nil
		}
	}
	var zero T
	if _, ok := any(zero).(float64); ok {
		v, err := strconv.ParseFloat(string(text), 64)
		return T(v), err
	}
	v, err := strconv.ParseInt(string(text), 10, 64)
	if err == nil && int64(T(v)) != v {
		err = fmt.Errorf("%s is out of range", text)
	}
	return T(v), err
}
