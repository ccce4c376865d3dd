// Package client asks a collector over its API, and uploads the files of releases to it.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/internal/urlerror"
)

// Client asks one collector.
type Client struct {
	base  *url.URL
	token string
	http  *http.Client
	// Sleep waits between attempts; tests replace it.
	Sleep func(context.Context, time.Duration) error
}

// New makes a client for the collector at an address, which may have a path.
func New(address, token string) (*Client, error) {
	base, err := url.Parse(address)
	switch {
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, fmt.Errorf("%q is no address of a collector, such as https://profiles.example", address)
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("the collector's address has more than a host and a path")
	case token == "":
		return nil, errors.New("a token is missing")
	case strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }):
		return nil, errors.New("the token has characters that no token has: is the file the right one?")
	}
	base.Path = strings.TrimSuffix(base.Path, "/") + "/api/v1"
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 2 * time.Minute
	return &Client{base: base, token: token, Sleep: sleep, http: &http.Client{
		Transport: transport,
		// The token is meant for this host only.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Refusal is an error that a collector answers with.
type Refusal struct {
	Status int
	Text   string
	after  time.Duration // when to try again, if it says so
}

func (r *Refusal) Error() string { return r.Text }

// maxAnswer bounds an answer in JSON, because the server may not be ours.
const maxAnswer = 256 << 20

// Get asks a question, and returns its answer in JSON. The path is one below /api/v1.
func (c *Client) Get(ctx context.Context, path string, parameters url.Values) ([]byte, error) {
	response, err := c.do(ctx, http.MethodGet, path, parameters, nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer ends early: %w", err)
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20)
	case !json.Valid(body):
		return nil, fmt.Errorf("%s answers, but not with JSON: is it a collector?", c.base.Host)
	}
	return body, nil
}

// Export copies an answer of any type, such as a profile.
func (c *Client) Export(ctx context.Context, path string, parameters url.Values, to io.Writer) error {
	response, err := c.do(ctx, http.MethodGet, path, parameters, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(to, response.Body); err != nil {
		return fmt.Errorf("the profile ends early: %w", err)
	}
	return nil
}

// do sends a request. An answer other than a success is an error.
func (c *Client) do(ctx context.Context, method, path string, parameters url.Values, body io.Reader, headers ...string) (*http.Response, error) {
	address := c.base.String() + path
	if len(parameters) > 0 {
		address += "?" + parameters.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be reached: %w", c.base.Host, urlerror.Cause(err))
	}
	if response.StatusCode/100 == 2 {
		return response, nil
	}
	defer response.Body.Close()
	return nil, refusalOf(response)
}

func refusalOf(r *http.Response) *Refusal {
	refusal := &Refusal{Status: r.StatusCode}
	if seconds, err := time.ParseDuration(r.Header.Get("Retry-After") + "s"); err == nil {
		refusal.after = seconds
	}
	var said struct {
		Error string `json:"error"`
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	switch {
	case r.StatusCode/100 == 3:
		refusal.Text = fmt.Sprintf("the collector redirects to %s: if that is right, give this address", r.Header.Get("Location"))
	case err == nil && json.Unmarshal(body, &said) == nil && said.Error != "":
		refusal.Text = said.Error
	default:
		refusal.Text = fmt.Sprintf("the server answers %s: is it a collector?", r.Status)
	}
	return refusal
}
