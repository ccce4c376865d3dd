package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// Bounds on the files of releases.
const (
	maxFile     = answer.MaxFile // bytes of one, unpacked
	maxRelease  = 512 << 20      // bytes of a release
	maxFiles    = 5000           // of a release
	maxReleases = 500            // of an app, counting those with files
	maxName     = 512            // bytes
	maxSegment  = 200            // bytes of a part of a name, or of a release's name
	uploadLasts = 5 * time.Minute
)

// fileRow describes a file.
type fileRow struct {
	Release  string    `json:"release"`
	Name     string    `json:"name"`
	Kind     string    `json:"kind"`
	DebugID  string    `json:"debugId,omitempty"`
	Size     int64     `json:"size"`
	Uploaded time.Time `json:"uploaded"`
	SHA256   string    `json:"sha256,omitempty"` // of the content; only in answers about one file
}

func rowOf(f store.File) fileRow {
	return fileRow{Release: f.Release, Name: f.Name, Kind: f.Kind, DebugID: f.DebugID, Size: f.Size, Uploaded: f.Uploaded}
}

func serveFiles(r *request) error {
	app, err := r.app()
	if err != nil {
		return err
	}
	files, err := r.api.Store.Files(r.ctx, app, r.text("release"))
	if err != nil {
		return err
	}
	answer := struct {
		Files []fileRow `json:"files"`
	}{[]fileRow{}}
	for _, f := range files {
		answer.Files = append(answer.Files, rowOf(f))
	}
	return r.reply(answer)
}

// place returns the file that a request names.
func (r *request) place() (app, release, name string, err error) {
	if app, err = r.app(); err != nil {
		return "", "", "", err
	}
	release, name = r.PathValue("release"), r.PathValue("name")
	if err := checkText("release", release, maxSegment); err != nil {
		return "", "", "", err
	}
	return app, release, name, checkName(name)
}

// checkName accepts plain relative paths with slashes. The store does not use names as paths, but
// other tools might.
func checkName(name string) error {
	if err := checkText("name", name, maxName); err != nil {
		return err
	}
	if path.IsAbs(name) || path.Clean(name) != name || strings.ContainsAny(name, `\:`) {
		return wrong("name: a relative path such as assets/app.js.map, without .., \\ and :, not %s", quoted(name))
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." || part == "." || len(part) > maxSegment {
			return wrong("name: %s is no part of a path, or longer than %d bytes", quoted(part), maxSegment)
		}
	}
	return nil
}

func checkText(what, text string, most int) error {
	switch {
	case text == "":
		return wrong("%s: it is missing: the address is %s/files/RELEASE/NAME", what, root)
	case len(text) > most:
		return wrong("%s: longer than %d bytes", what, most)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }):
		return wrong("%s: %s has characters that cannot be printed", what, quoted(text))
	}
	return nil
}

func serveFile(r *request) error {
	app, release, name, err := r.place()
	if err != nil {
		return err
	}
	files, err := r.api.Store.Files(r.ctx, app, release)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Name == name {
			content, err := r.api.Store.FileContent(r.ctx, app, release, name)
			if err != nil {
				return err
			}
			row := rowOf(f)
			row.SHA256 = digestOf(content)
			return r.reply(row)
		}
	}
	return notFound("release %s has no file %s", quoted(release), quoted(name))
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// putFile accepts a file of a release. A few are received at a time, but only one is checked and
// stored, because that takes several times its size in memory.
func putFile(r *request) error {
	app, release, name, err := r.place()
	if err != nil {
		return err
	}
	// An upload may take longer than an answer.
	ctx, cancel := context.WithTimeout(r.Request.Context(), uploadLasts)
	defer cancel()
	done, err := enter(ctx, r.api.receiving)
	if err != nil {
		return err
	}
	defer done()
	packed, err := r.body(ctx)
	if err != nil {
		return err
	}
	if done, err = enter(ctx, r.api.storing); err != nil {
		return err
	}
	defer done()
	content, err := r.unpacked(packed)
	if err != nil {
		return err
	}
	f, content, err := recognize(name, content)
	if err != nil {
		return err
	}
	f.App, f.Release, f.Name, f.Size, f.Uploaded = app, release, name, int64(len(content)), r.api.Now().UTC()
	replaced, err := r.room(ctx, f)
	if err != nil {
		return err
	}
	if err := r.api.Store.PutFile(ctx, f, content); err != nil {
		return err
	}
	r.api.metrics.uploaded.Add(float64(len(content)))
	row := rowOf(f)
	row.SHA256 = digestOf(content)
	if replaced {
		return r.reply(row)
	}
	return r.replyWith(http.StatusCreated, row)
}

// enter waits for a place.
func enter(ctx context.Context, places chan struct{}) (leave func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, busy("the collector is busy with others: ask again")
	}
}

var errTooMuch = tooLarge("the file is larger than %d MiB", maxFile>>20)

// until reads until a context ends, since the server only limits how slow a sender may be.
type until struct {
	ctx  context.Context
	from io.Reader
}

func (u *until) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(b)
}

// body returns the content of a request as it was sent.
func (r *request) body(ctx context.Context) ([]byte, error) {
	body, err := io.ReadAll(&until{ctx, http.MaxBytesReader(r.w, r.Body, maxFile)})
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, errTooMuch
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &problem{http.StatusRequestTimeout, fmt.Sprintf("the file takes more than %v: send it gzipped", uploadLasts)}
	case err != nil:
		return nil, wrong("the body ends early: %v", err)
	}
	return body, nil
}

// unpacked returns the content of a body.
func (r *request) unpacked(body []byte) ([]byte, error) {
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
		return body, nil
	case "gzip":
	default:
		return nil, &problem{http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Encoding: gzip or none, not %s", quoted(encoding))}
	}
	zip, err := gzip.NewReader(bytes.NewReader(body))
	var content []byte
	if err == nil {
		content, err = io.ReadAll(io.LimitReader(zip, maxFile+1))
	}
	switch {
	case err != nil:
		return nil, wrong("the body is not gzipped, as Content-Encoding says, or ends early: %v", err)
	case len(content) > maxFile:
		return nil, errTooMuch
	}
	return content, nil
}

// room checks that a release and an app have room for a file.
func (r *request) room(ctx context.Context, f store.File) (replaced bool, err error) {
	files, err := r.api.Store.Files(ctx, f.App, f.Release)
	if err != nil {
		return false, err
	}
	number, bytes := 1, f.Size
	for _, other := range files {
		if other.Name == f.Name {
			replaced = true
			continue
		}
		number++
		bytes += other.Size
	}
	switch {
	case number > maxFiles:
		return false, tooLarge("release %s has %d files: upload only maps and function tables", quoted(f.Release), maxFiles)
	case bytes > maxRelease:
		return false, tooLarge("the files of release %s would be larger than %d MiB", quoted(f.Release), maxRelease>>20)
	case len(files) > 0:
		return replaced, nil
	}
	return false, r.roomForRelease(ctx, f.App)
}

// roomForRelease checks that an app has room for another release.
func (r *request) roomForRelease(ctx context.Context, app string) error {
	files, err := r.api.Store.Files(ctx, app, "")
	if err != nil {
		return err
	}
	releases := map[string]bool{}
	for _, f := range files {
		releases[f.Release] = true
	}
	if len(releases) >= maxReleases {
		return tooLarge("%d releases have files: those that have sent nothing for long are removed in time (retention: releases)", maxReleases)
	}
	return nil
}

// recognize finds out what a file is, and refuses unusable ones. It keeps only the comments of a
// script that name its map and its debug id.
func recognize(name string, content []byte) (f store.File, kept []byte, err error) {
	if isScript(name) {
		f.Kind, f.DebugID = store.FileScript, sourcemap.DebugID(content)
		url := sourcemap.URL(content)
		if url == "" && f.DebugID == "" {
			return f, nil, unusable("%s: the script names neither a map nor a debug id, so there is nothing to learn from it", quoted(name))
		}
		return f, comments(url, f.DebugID), nil
	}
	var head struct {
		Functions json.RawMessage `json:"functions"`
	}
	if bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) && json.Unmarshal(content, &head) == nil && head.Functions != nil {
		table, err := functable.Decode(content)
		if err != nil {
			return f, nil, unusable("%s: not a function table that can be read: %v", quoted(name), err)
		}
		f.Kind, f.DebugID = store.FileTable, table.DebugID
		return f, content, nil
	}
	m, err := sourcemap.Parse(content)
	if err != nil {
		return f, nil, unusable("%s: neither a source map nor a function table: %v", quoted(name), err)
	}
	f.Kind, f.DebugID = store.FileMap, m.DebugID
	return f, content, nil
}

func isScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs":
		return true
	}
	return false
}

// comments returns the comments of a script that matter here.
func comments(url, debugID string) (kept []byte) {
	if url != "" {
		kept = fmt.Appendf(kept, "//# sourceMappingURL=%s\n", url)
	}
	if debugID != "" {
		kept = fmt.Appendf(kept, "//# debugId=%s\n", debugID)
	}
	return kept
}
