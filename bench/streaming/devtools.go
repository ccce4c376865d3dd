package streaming

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

// devtools is a connection to a page of Chromium, for one call at a time.
type devtools struct {
	conn *websocket.Conn
	last int
}

// freePort is a port that nothing listens on.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// attach connects to the page with this URL, once the browser has opened it.
func attach(ctx context.Context, port int, url string) (*devtools, error) {
	for {
		address, err := pageOf(ctx, port, url)
		if err == nil {
			conn, _, err := websocket.Dial(ctx, address, nil)
			if err != nil {
				return nil, err
			}
			conn.SetReadLimit(16 << 20)
			return &devtools{conn: conn}, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", ctx.Err(), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

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

func (d *devtools) call(ctx context.Context, method string, params, result any) error {
	d.last++
	request, err := json.Marshal(map[string]any{"id": d.last, "method": method, "params": params})
	if err != nil {
		return err
	}
	if err := d.conn.Write(ctx, websocket.MessageText, request); err != nil {
		return err
	}
	for {
		_, data, err := d.conn.Read(ctx)
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
		case answer.ID != d.last: // an event
			continue
		case answer.Error != nil:
			return fmt.Errorf("%s: %s", method, answer.Error.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(answer.Result, result)
	}
}

// run evaluates an expression of the page and awaits it.
func (d *devtools) run(ctx context.Context, expression string) error {
	var result struct {
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	err := d.call(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &result)
	if err == nil && result.ExceptionDetails != nil {
		err = fmt.Errorf("%s: %s", expression, result.ExceptionDetails.Exception.Description)
	}
	return err
}

// spent is the time of the page's thread so far, in seconds.
type spent struct{ tasks, scripts, clock float64 }

func (d *devtools) spent(ctx context.Context) (spent, error) {
	var result struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	err := d.call(ctx, "Performance.getMetrics", struct{}{}, &result)
	values := map[string]float64{}
	for _, m := range result.Metrics {
		values[m.Name] = m.Value
	}
	return spent{values["TaskDuration"], values["ScriptDuration"], values["Timestamp"]}, err
}
