// Package devtools serves a page to Chromium, and connects to it: the bench reads the
// time of the page's thread.
package devtools

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/engine/browser"
)

// Page is a connection to a page, for one call at a time.
type Page struct {
	conn *websocket.Conn
	last int
}

// FreePort is a port that nothing listens on.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// Open shows a URL in a Chromium of its own, connects to the page, and has it account for
// the time of its thread. The function ends both.
func Open(ctx context.Context, url string) (page *Page, end func(), err error) {
	port, err := FreePort()
	if err != nil {
		return nil, nil, err
	}
	hide, err := browser.Show(browser.Chromium, url, fmt.Sprintf("--remote-debugging-port=%d", port))
	if err != nil {
		return nil, nil, err
	}
	if page, err = Attach(ctx, port, url); err == nil {
		err = page.Call(ctx, "Performance.enable", map[string]string{"timeDomain": "threadTicks"}, nil)
	}
	if err != nil {
		hide()
		return nil, nil, err
	}
	return page, func() {
		page.Close()
		hide()
	}, nil
}

// mostSaid bounds a message of the browser: a profile of a minute has some megabytes.
const mostSaid = 256 << 20

// Attach connects to the page with this URL, once the browser that listens on the port has
// opened it.
func Attach(ctx context.Context, port int, url string) (*Page, error) {
	for {
		address, err := pageOf(ctx, port, url)
		if err == nil {
			conn, _, err := websocket.Dial(ctx, address, nil)
			if err != nil {
				return nil, err
			}
			conn.SetReadLimit(mostSaid)
			return &Page{conn: conn}, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", ctx.Err(), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Close ends the connection. The browser may end first.
func (p *Page) Close() { _ = p.conn.CloseNow() }

func pageOf(ctx context.Context, port int, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/json/list", port), nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var targets []struct{ URL, WebSocketDebuggerURL string }
	if err := json.NewDecoder(response.Body).Decode(&targets); err != nil {
		return "", err
	}
	for _, t := range targets {
		if t.URL == url {
			return t.WebSocketDebuggerURL, nil
		}
	}
	return "", fmt.Errorf("%s is not open", url)
}

// Call calls a method of the protocol and decodes its result, if one is wanted.
func (p *Page) Call(ctx context.Context, method string, params, result any) error {
	p.last++
	request, err := json.Marshal(map[string]any{"id": p.last, "method": method, "params": params})
	if err != nil {
		return err
	}
	if err := p.conn.Write(ctx, websocket.MessageText, request); err != nil {
		return err
	}
	for {
		_, data, err := p.conn.Read(ctx)
		if err != nil {
			return err
		}
		var answer struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		switch err := json.Unmarshal(data, &answer); {
		case err != nil:
			return err
		case answer.ID != p.last: // an event
			continue
		case answer.Error != nil:
			return fmt.Errorf("%s: %s", method, answer.Error.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(answer.Result, result)
	}
}

// Run evaluates an expression of the page and awaits it.
func (p *Page) Run(ctx context.Context, expression string) error {
	var result struct {
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	err := p.Call(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &result)
	if err == nil && result.ExceptionDetails != nil {
		err = fmt.Errorf("%s: %s", expression, result.ExceptionDetails.Exception.Description)
	}
	return err
}

// Spent is time in seconds: of the page's thread in tasks and in their scripts, and what
// passed.
type Spent struct{ Tasks, Scripts, Clock float64 }

// Spent is the time so far.
func (p *Page) Spent(ctx context.Context) (Spent, error) {
	var result struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	err := p.Call(ctx, "Performance.getMetrics", struct{}{}, &result)
	values := map[string]float64{}
	for _, m := range result.Metrics {
		values[m.Name] = m.Value
	}
	return Spent{values["TaskDuration"], values["ScriptDuration"], values["Timestamp"]}, err
}

// Since is the time that was spent between two looks.
func (s Spent) Since(before Spent) Spent {
	return Spent{s.Tasks - before.Tasks, s.Scripts - before.Scripts, s.Clock - before.Clock}
}

// Click presses and releases the mouse at a position of the window.
func (p *Page) Click(ctx context.Context, x, y int) error {
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		err := p.Call(ctx, "Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}
