package services

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/fixtures"
)

// distinct is how many requests of a service's series are sent, over and over.
const distinct = 5000

// request is one of a service's series.
type request struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    *string           `json:"body"` // JSON
}

// requestsOf asks Node for the series of a service.
func requestsOf(ctx context.Context, name string) ([]request, error) {
	cmd := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", fmt.Sprintf(
		"import { requests } from './requests.mjs'; console.log(JSON.stringify(Array.from({ length: %d }, (_, n) => requests['%s'](n))))", distinct, name))
	cmd.Dir = filepath.Join(fixtures.Dir(), "service")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the requests of %s: %w", name, err)
	}
	var list []request
	return list, json.Unmarshal(out, &list)
}

// send sends one to a service at an address, and reads the answer. That one of no known page is
// not found is an answer; that the service failed is an error.
func (r *request) send(client *http.Client, address string) error {
	body, method := io.Reader(http.NoBody), r.Method
	if r.Body != nil {
		body = strings.NewReader(*r.Body)
	}
	if method == "" {
		method = http.MethodGet
	}
	out, err := http.NewRequest(method, address+r.Path, body)
	if err != nil {
		return err
	}
	for name, value := range r.Headers {
		out.Header.Set(name, value)
	}
	if r.Body != nil {
		out.Header.Set("Content-Type", "application/json")
	}
	answer, err := client.Do(out)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("%s %s: %s", method, r.Path, answer.Status)
	}
	return nil
}
