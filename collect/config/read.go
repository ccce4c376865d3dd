package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Error is a mistake in a file.
type Error struct {
	File         string // "" if the text came from elsewhere
	Line, Column int    // from 1
	Text         string
}

func (e *Error) Error() string {
	place := fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text)
	if e.File == "" {
		return place
	}
	return e.File + ":" + place
}

// maxBytes bounds a file; a person writes it.
const maxBytes = 1 << 20

// ReadFile reads a file. Relative paths in it start from its folder.
func ReadFile(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := Read(text, filepath.Dir(path))
	var mistake *Error
	if errors.As(err, &mistake) {
		mistake.File = path
	}
	return c, err
}

// Read reads the text of a file that is in a folder, and checks it.
func Read(text []byte, folder string) (*Config, error) {
	if len(text) > maxBytes {
		return nil, &Error{Line: 1, Column: 1, Text: "larger than 1 MiB: not a configuration"}
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, syntaxError(err)
	}
	c := &Config{}
	if len(document.Content) == 0 {
		return c, nil // nothing but comments
	}
	d := decoder{folder: folder, places: places{}}
	if err := d.value(document.Content[0], reflect.ValueOf(c).Elem(), ""); err != nil {
		return nil, err
	}
	c.place(folder)
	if err := c.check(d.places); err != nil {
		return nil, err
	}
	return c, nil
}

// place makes the paths of a file start from its folder.
func (c *Config) place(folder string) {
	paths := []*string{&c.Data, &c.Cert, &c.Key, &c.Spool.Dir}
	for i := range c.Apps {
		paths = append(paths, &c.Apps[i].Budgets)
	}
	for _, path := range paths {
		if *path != "" {
			*path = within(folder, *path)
		}
	}
	if path, ok := strings.CutPrefix(c.Store, "sqlite:"); ok && path != "" {
		c.Store = "sqlite:" + within(folder, path)
	}
}

func within(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// syntaxError takes the line out of what the YAML reader says.
func syntaxError(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if number, what, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(number); err == nil {
				return &Error{Line: line, Column: 1, Text: "not YAML: " + what}
			}
		}
	}
	return &Error{Line: 1, Column: 1, Text: "not YAML: " + text}
}

// places are where values are, by their paths: "apps[0].name".
type places map[string]*yaml.Node

// at makes an error of the value at a path, or at the nearest one around it.
func (p places) at(path, format string, args ...any) error {
	for at := path; ; at = at[:strings.LastIndexAny(at, ".[")] {
		if n := p[at]; n != nil {
			return wrong(n, path, format, args...)
		}
		if !strings.ContainsAny(at, ".[") {
			return fmt.Errorf(path+": "+format, args...) // not of a file
		}
	}
}

func wrong(n *yaml.Node, path, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if path != "" {
		text = path + ": " + text
	}
	return &Error{Line: n.Line, Column: n.Column, Text: text}
}

// decoder fills a Config from a document, and remembers where everything was.
type decoder struct {
	folder string
	places places
}

var durationType = reflect.TypeFor[time.Duration]()

func (d *decoder) value(n *yaml.Node, into reflect.Value, path string) error {
	d.places[path] = n
	if n.Kind == yaml.AliasNode {
		return wrong(n, path, "aliases are not read: write it out")
	}
	switch into.Kind() {
	case reflect.Struct:
		return d.fields(n, into, path)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			return wrong(n, path, "a list belongs here, each item with - in front")
		}
		into.Set(reflect.MakeSlice(into.Type(), len(n.Content), len(n.Content)))
		for i, item := range n.Content {
			if err := d.value(item, into.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map:
		return d.texts(n, into, path)
	}
	if n.Kind != yaml.ScalarNode {
		return wrong(n, path, "a single value belongs here")
	}
	text, err := d.resolve(n.Value)
	if err != nil {
		return wrong(n, path, "%v", err)
	}
	if err := set(into, text); err != nil {
		return wrong(n, path, "%v", err)
	}
	return nil
}

// fields reads a mapping into a structure.
func (d *decoder) fields(n *yaml.Node, into reflect.Value, path string) error {
	known := map[string]reflect.Value{}
	var names []string
	for i := range into.NumField() {
		name := into.Type().Field(i).Tag.Get("yaml")
		known[name] = into.Field(i)
		names = append(names, name)
	}
	if n.Kind != yaml.MappingNode {
		return wrong(n, path, "a mapping belongs here, with the keys %s", strings.Join(names, ", "))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		field, ok := known[key.Value]
		switch {
		case !ok:
			return wrong(key, path, "unknown key %q: the keys here are %s", key.Value, strings.Join(names, ", "))
		case seen[key.Value]:
			return wrong(key, path, "%s appears twice", key.Value)
		}
		seen[key.Value] = true
		if err := d.value(value, field, join(path, key.Value)); err != nil {
			return err
		}
	}
	return nil
}

// texts reads a mapping of names to texts.
func (d *decoder) texts(n *yaml.Node, into reflect.Value, path string) error {
	if n.Kind != yaml.MappingNode {
		return wrong(n, path, "a mapping of names to texts belongs here")
	}
	all := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, text := n.Content[i], ""
		if _, twice := all[key.Value]; twice {
			return wrong(key, path, "%s appears twice", key.Value)
		}
		if err := d.value(n.Content[i+1], reflect.ValueOf(&text).Elem(), join(path, key.Value)); err != nil {
			return err
		}
		all[key.Value] = text
	}
	into.Set(reflect.ValueOf(all))
	return nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
