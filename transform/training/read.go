package training

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// Bounds of what is believed: more executions than a double counts exactly, or a year of work,
// are no counts.
const (
	mostExecutions   = 1 << 53
	mostMilliseconds = 366 * 24 * 3600 * 1000.0
	// leastMilliseconds is a microsecond: no clock of a counting build tells less. Costs are divided by it.
	leastMilliseconds = 1e-3
	longestName       = 1 << 16
)

// Is reports whether a file is meant to be counts, by its first bytes.
func Is(data []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
	if !ok {
		return false
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"format"`))
	if !ok {
		return false
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(":"))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"`+Format+`"`))
}

// Read reads counts, and believes nothing: anything that no counting build writes is an error that
// says where it is. The name is the name of the file, for messages.
func Read(name string, data []byte) (*Counts, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s: it is empty: a counting build writes counts when its process ends (docs/training.md)", name)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	c := &Counts{from: name}
	if err := decoder.Decode(c); err != nil {
		return nil, locate(name, data, decoder, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		line, column := place(data, decoder.InputOffset())
		return nil, fmt.Errorf("%s:%d:%d: there is more after the counts", name, line, column)
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// locate says where the decoder failed.
func locate(name string, data []byte, decoder *json.Decoder, err error) error {
	offset := decoder.InputOffset()
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &wrong):
		offset = wrong.Offset
		err = fmt.Errorf("%s cannot be %s", wrong.Field, wrong.Value)
	case errors.Is(err, io.ErrUnexpectedEOF):
		offset, err = int64(len(data)), errors.New("the file ends too early")
	}
	line, column := place(data, offset)
	return fmt.Errorf("%s:%d:%d: these are no counts: %w", name, line, column, err)
}

// place is the line and column of an offset, in bytes.
func place(data []byte, offset int64) (line, column int) {
	before := data[:max(0, min(offset, int64(len(data))))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}

// check finds what no counting build writes.
func (c *Counts) check() error {
	switch {
	case c.Format != Format:
		return fmt.Errorf("format is %.40q, not %q", c.Format, Format)
	case c.Version != Version:
		return fmt.Errorf("version is %d; this program reads %d", c.Version, Version)
	case c.Build == "" || len(c.Build) > longestName:
		return errors.New("build is missing")
	case c.Sessions < 1 || c.Sessions > math.MaxInt32:
		return fmt.Errorf("sessions is %d", c.Sessions)
	case !(c.Milliseconds >= leastMilliseconds && c.Milliseconds <= mostMilliseconds):
		return fmt.Errorf("milliseconds is %v: the program must have run for a microsecond, and at most a year", c.Milliseconds)
	}
	files := map[Script]bool{}
	any := false
	for i := range c.Files {
		f := &c.Files[i]
		key := Script{f.File, f.Hash}
		switch {
		case f.File == "" || len(f.File) > longestName || f.Hash == "" || len(f.Hash) > longestName:
			return fmt.Errorf("file %d lacks its name or its hash", i+1)
		case files[key]:
			return fmt.Errorf("%.200s occurs twice", f.File)
		}
		files[key] = true
		indices := map[int32]bool{}
		for k := range f.Functions {
			function := &f.Functions[k]
			if indices[function.Index] {
				return fmt.Errorf("%.200s: %s occurs twice", f.File, function)
			}
			indices[function.Index] = true
			executed, err := function.check()
			if err != nil {
				return fmt.Errorf("%.200s: %s: %w", f.File, function, err)
			}
			any = any || executed
		}
	}
	if !any {
		return errors.New("nothing was executed: run the counting build for longer")
	}
	return nil
}

// check reports whether the function was executed at all.
func (f *Function) check() (executed bool, err error) {
	switch {
	case f.Index < 0 || f.Line < 1 || f.Column < 1 || f.Statements < 0 || len(f.Name) > longestName:
		return false, errors.New("its index, position, name or statements cannot be")
	case f.Sites() == 0:
		return false, errors.New("it has no sites")
	}
	for _, n := range append([]int64{value(f.Entry), value(f.Exit)}, f.Loops...) {
		if n < 0 || n > mostExecutions {
			return false, fmt.Errorf("%d executions cannot be", n)
		}
		executed = executed || n > 0
	}
	return executed, nil
}

// String names the function for messages: "function 3 (render, 12:9)".
func (f *Function) String() string {
	name := f.Name
	if name == "" {
		name = "anonymous"
	}
	return fmt.Sprintf("function %d (%.100s, %d:%d)", f.Index, name, f.Line, f.Column)
}
