package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/internal/urlerror"
	"github.com/fieldprof/fieldprof/profile/live"
)

// Refusal is why the server does not want this source, or cannot be understood.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return "the server refuses: " + r.Why }

// Gone is why a connection that there was is lost.
type Gone struct{ Err error }

func (g *Gone) Error() string { return "the server went away" }

func (g *Gone) Unwrap() error { return g.Err }

// Endpoint is where sources connect to the server that a URL names.
func Endpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is not the URL of a server, such as http://localhost:8080", text)
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/__fieldprof/source", RawQuery: u.RawQuery}, nil
}

// connect connects, and says hello.
func (c *Client) connect(ctx context.Context) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	endpoint, err := Endpoint(c.options.URL)
	if err != nil {
		return nil, &Refusal{err.Error()}
	}
	token, err := c.token(ctx, endpoint.String())
	if err != nil {
		return nil, err
	}
	options := dialBy(c.http)
	options.Subprotocols = []string{live.Subprotocol}
	conn, response, err := websocket.Dial(ctx, endpoint.String(), &options)
	if err != nil {
		if response != nil && response.StatusCode == http.StatusForbidden {
			return nil, refusalOf(response)
		}
		return nil, err
	}
	c.mu.Lock()
	hello := c.hello
	c.queue.welcome = false
	c.mu.Unlock()
	hello.Token = token
	text, err := json.Marshal(hello)
	if err == nil {
		err = conn.Write(ctx, websocket.MessageText, text)
	}
	if err != nil {
		conn.CloseNow()
		return nil, err
	}
	return conn, nil
}

// longestMessage bounds a message from a server to a source, in bytes.
const longestMessage = 1 << 16

// trusting returns an HTTP client that trusts these certificates.
func trusting(roots *x509.CertPool) *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if roots == nil || !ok {
		return http.DefaultClient
	}
	transport = transport.Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	return &http.Client{Transport: transport}
}

// token asks the server for the token of its sources.
func (c *Client) token(ctx context.Context, endpoint string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
	if err != nil {
		return "", err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return "", urlerror.Cause(err) // the URL may have the key
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized, http.StatusForbidden:
		return "", refusalOf(response)
	default:
		return "", fmt.Errorf("it answers %d: is it instrument serve?", response.StatusCode)
	}
	var answer struct {
		Version int
		Token   string
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, longestMessage)).Decode(&answer); err != nil {
		return "", errors.New("its answer is not that of instrument serve")
	}
	if answer.Version != live.Version {
		return "", &Refusal{fmt.Sprintf("it speaks version %d of the protocol, and this program version %d", answer.Version, live.Version)}
	}
	return answer.Token, nil
}

func refusalOf(response *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(response.Body, 300))
	return &Refusal{string(text)}
}

// read returns the next message of the server.
func read(ctx context.Context, conn *websocket.Conn) (any, error) {
	conn.SetReadLimit(longestMessage)
	_, text, err := conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	message, err := live.Limits{Bytes: longestMessage}.Decode(text)
	if err != nil {
		return nil, &Refusal{"what it says cannot be read: " + err.Error()}
	}
	return message, nil
}
