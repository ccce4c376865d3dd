package browser

import (
	"encoding/json"
	"slices"
	"time"
)

// Names are those of the browsers there are.
func Names() []string { return slices.Clone(names) }

// Session is a browser for a program that is no test. All sessions share one
// driver, which Stop ends.
type Session struct {
	name   string
	driver *driver
}

// Start starts a browser by its name. The error says which program is missing.
func Start(name string) (*Session, error) {
	found, err := findPrograms(name)
	if err != nil {
		return nil, err
	}
	d, err := theDriver()
	if err != nil {
		return nil, err
	}
	_, err = d.call(request{Op: "launch", Browser: name, Programs: found})
	return &Session{name, d}, err
}

// Visit opens a page, waits as long as patience for an expression to be truthy,
// gives its value and closes the page.
func (s *Session) Visit(url, expression string, patience time.Duration) (json.RawMessage, error) {
	id, err := s.driver.call(request{Op: "open", Browser: s.name, URL: url})
	if err != nil {
		return nil, err
	}
	var page int
	if err := json.Unmarshal(id, &page); err != nil {
		return nil, err
	}
	defer s.driver.call(request{Op: "close", Page: page})
	return s.driver.call(request{Op: "wait", Page: page, Expression: expression, Limit: patience.Milliseconds()})
}

// Stop closes the browsers of all sessions.
func Stop() {
	if !started.Load() {
		return
	}
	if d, err := theDriver(); err == nil {
		d.end()
	}
}
