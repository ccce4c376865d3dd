package browser

import (
	"encoding/json"
	"slices"
	"time"
)

// Names returns the names of the browsers.
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

// Version is the browser's own name for itself, with its version.
func (s *Session) Version() (string, error) {
	value, err := s.driver.call(request{Op: "version", Browser: s.name})
	if err != nil {
		return "", err
	}
	var version string
	return version, json.Unmarshal(value, &version)
}

// Visit opens a page, waits as long as patience for an expression to be truthy,
// gives its value and closes the page.
func (s *Session) Visit(url, expression string, patience time.Duration) (json.RawMessage, error) {
	tab, err := s.Open(url)
	if err != nil {
		return nil, err
	}
	defer tab.Close()
	return tab.Wait(expression, patience)
}

// Tab is an open page of a session.
type Tab struct {
	session *Session
	id      int
}

// Open loads a page in a window of its own and returns after its load event.
func (s *Session) Open(url string) (*Tab, error) {
	id, err := s.driver.call(request{Op: "open", Browser: s.name, URL: url, Fresh: true})
	if err != nil {
		return nil, err
	}
	tab := &Tab{session: s}
	return tab, json.Unmarshal(id, &tab.id)
}

// Eval gives the value of an expression, awaited, as JSON.
func (tab *Tab) Eval(expression string) (json.RawMessage, error) {
	return tab.session.driver.call(request{Op: "eval", Page: tab.id, Expression: expression})
}

// Wait waits as long as patience for an expression to be truthy, and gives its value.
func (tab *Tab) Wait(expression string, patience time.Duration) (json.RawMessage, error) {
	return tab.session.driver.call(request{Op: "wait", Page: tab.id, Expression: expression, Limit: patience.Milliseconds()})
}

// Click moves the mouse to a position in the window and clicks, as a person does.
func (tab *Tab) Click(x, y int) error {
	_, err := tab.session.driver.call(request{Op: "click", Page: tab.id, X: x, Y: y})
	return err
}

// Press presses a key by its name and releases it, as a person does.
func (tab *Tab) Press(key string) error {
	_, err := tab.session.driver.call(request{Op: "press", Page: tab.id, Key: key})
	return err
}

// Metrics are the sums that Chromium's DevTools show for a page, by name, in seconds where they are
// times; none in other browsers.
func (tab *Tab) Metrics() (metrics map[string]float64, err error) {
	value, err := tab.session.driver.call(request{Op: "metrics", Page: tab.id})
	if err == nil {
		err = json.Unmarshal(value, &metrics)
	}
	return metrics, err
}

// Close closes the page.
func (tab *Tab) Close() {
	_, _ = tab.session.driver.call(request{Op: "close", Page: tab.id}) // one that is gone is closed
}

// Stop closes the browsers of all sessions. Later ones start theirs again.
func Stop() {
	running.Lock()
	defer running.Unlock()
	if running.driver != nil {
		running.driver.end()
		running.driver = nil
	}
}
