package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Bounds on an upload.
const (
	atOnce      = 3 // requests
	maxAttempts = 5
	longestWait = time.Minute
)

// Outcomes.
const (
	Sent   = "sent"
	Same   = "same" // the collector already has it
	Failed = "failed"
)

// Upload is the outcome for a file.
type Upload struct {
	Name    string `json:"name"`
	Outcome string `json:"outcome"`
	Bytes   int    `json:"bytes"`
	Error   string `json:"error,omitempty"`
}

// Upload sends the files of a release, a few at a time. It skips files that the collector already
// has, so repeating an interrupted upload continues it. If a file is refused, the others are still
// sent; if the token is refused, they are not. Upload calls done after each file.
func (c *Client) Upload(ctx context.Context, app, release string, files []File, done func(Upload)) ([]Upload, error) {
	there, err := c.there(ctx, app, release)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]Upload, len(files))
	for i := range files {
		results[i] = Upload{Name: files[i].Name, Outcome: Failed, Error: "not sent"}
	}
	var mu sync.Mutex // one call of done at a time
	var workers sync.WaitGroup
	next := make(chan int)
	for range min(atOnce, len(files)) {
		workers.Go(func() {
			for i := range next {
				u := Upload{Name: files[i].Name}
				if err := c.upload(ctx, app, release, &files[i], there, &u); err != nil {
					u.Outcome, u.Error = Failed, err.Error()
					if concernsAll(err) {
						cancel(err)
					}
				}
				mu.Lock()
				results[i] = u
				if done != nil {
					done(u)
				}
				mu.Unlock()
			}
		})
	}
	for i := range files {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	return results, context.Cause(ctx)
}

// concernsAll reports whether the other files would be refused as well.
func concernsAll(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && (r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden || r.Status/100 == 3)
}

// there returns the sizes of the files that the collector has.
func (c *Client) there(ctx context.Context, app, release string) (map[string]int, error) {
	var list struct {
		Files []struct {
			Name string `json:"name"`
			Size int    `json:"size"`
		} `json:"files"`
	}
	parameters := url.Values{"release": {release}}
	if app != "" {
		parameters.Set("app", app)
	}
	err := c.again(ctx, func() error {
		body, err := c.Get(ctx, "/files", parameters)
		if err != nil {
			return err
		}
		return json.Unmarshal(body, &list)
	})
	sizes := map[string]int{}
	for _, f := range list.Files {
		sizes[f.Name] = f.Size
	}
	return sizes, err
}

// upload sends a file, unless the collector already has it.
func (c *Client) upload(ctx context.Context, app, release string, f *File, there map[string]int, u *Upload) error {
	content, err := f.read()
	if err != nil {
		return err
	}
	u.Bytes = len(content)
	address := "/files/" + url.PathEscape(release) + "/" + escaped(f.Name)
	parameters := url.Values{}
	if app != "" {
		parameters.Set("app", app)
	}
	if size, known := there[f.Name]; known && size == len(content) {
		var about struct {
			SHA256 string `json:"sha256"`
		}
		sum := sha256.Sum256(content)
		// If comparing fails, sending the file again does no harm.
		if body, err := c.Get(ctx, address, parameters); err == nil && json.Unmarshal(body, &about) == nil && about.SHA256 == hex.EncodeToString(sum[:]) {
			u.Outcome = Same
			return nil
		}
	}
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	if _, err = zip.Write(content); err == nil {
		err = zip.Close()
	}
	if err != nil {
		return err
	}
	return c.again(ctx, func() error {
		response, err := c.do(ctx, http.MethodPut, address, parameters, bytes.NewReader(zipped.Bytes()),
			"Content-Encoding", "gzip", "Content-Type", "application/octet-stream")
		if err != nil {
			return err
		}
		u.Outcome = Sent
		return response.Body.Close()
	})
}

// escaped escapes the parts of a name.
func escaped(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// again retries until it succeeds, is refused for good, or has tried often enough.
func (c *Client) again(ctx context.Context, try func() error) error {
	wait := time.Second
	for attempt := 1; ; attempt++ {
		err := try()
		var r *Refusal
		refused := errors.As(err, &r)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case refused && r.Status != http.StatusTooManyRequests && r.Status != http.StatusBadGateway && r.Status != http.StatusServiceUnavailable && r.Status != http.StatusGatewayTimeout:
			return err
		case attempt == maxAttempts:
			return fmt.Errorf("after %d attempts: %w", attempt, err)
		}
		pause := wait
		if refused {
			pause = max(wait, min(r.after, longestWait))
		}
		if c.Sleep(ctx, pause) != nil {
			return err
		}
		wait *= 2
	}
}
