package hub

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/report"
)

// Bounds of what panels may ask for.
const (
	maxRead = 256 << 20 // bytes of a file to compare with
	maxName = 4 << 10   // of a source
	maxText = report.MaxSource
)

// htmlFormat is the name of the report among the formats.
const htmlFormat = "html"

// Formats are the names of those in which profiles can be saved.
func Formats() []string {
	var names []string
	for _, f := range format.All() {
		names = append(names, f.Name)
	}
	return append(names, htmlFormat)
}

// serveSave answers with the profiles of sources, merged.
func (h *Hub) serveSave(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	write, extension, err := h.writer(query.Get("format"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var profiles []*profile.Profile
	for _, s := range h.named(query["source"]) {
		if p := s.profile(); p != nil && p.Len() > 0 {
			profiles = append(profiles, p)
		}
	}
	if len(profiles) == 0 {
		http.Error(w, "There is nothing to save yet: start a profile.", http.StatusConflict)
		return
	}
	merged, err := profile.Merge(profiles...)
	if err != nil {
		http.Error(w, "These profiles have different intervals: save them one by one.", http.StatusConflict)
		return
	}
	var file bytes.Buffer
	if err := write(&file, merged); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "live-"+time.Now().Format("20060102-150405")+extension))
	w.Write(file.Bytes())
}

// writer returns what writes a format, and the extension of its files.
func (h *Hub) writer(name string) (write func(io.Writer, *profile.Profile) error, extension string, err error) {
	if name == htmlFormat {
		return func(w io.Writer, p *profile.Profile) error {
			return report.Write(w, p, report.Options{Source: h.code.Text, Before: h.options.Before})
		}, ".html", nil
	}
	f, err := format.ByName(name)
	if err != nil {
		return nil, "", err
	}
	return f.Write, f.Extensions[0], nil
}

// serveText answers with the text of an original source.
func (h *Hub) serveText(w http.ResponseWriter, r *http.Request) {
	file := r.URL.Query().Get("file")
	text, ok := "", false
	if len(file) <= maxName {
		text, ok = h.code.Text(file)
	}
	if !ok || len(text) > maxText {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, text)
}

// serveBefore answers with the profile that was named on the command line.
func (h *Hub) serveBefore(w http.ResponseWriter, r *http.Request) {
	if h.options.Before == nil {
		http.NotFound(w, r)
		return
	}
	writeBatch(w, h.options.Before)
}

// serveRead answers a profile in any format with the same as a batch.
func (h *Hub) serveRead(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Query().Get("name")) // of the file, for its extension
	p, _, err := format.Read(http.MaxBytesReader(w, r.Body, maxRead), name)
	if err != nil {
		status := http.StatusUnprocessableEntity
		if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, err.Error(), status)
		return
	}
	writeBatch(w, p)
}

func writeBatch(w http.ResponseWriter, p *profile.Profile) {
	data, err := json.Marshal(live.BatchOf(p))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(data)
}
