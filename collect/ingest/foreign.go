package ingest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/format/otlp"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

// bare is a profile without an envelope. Its labels may be in the query.
func bare(req *request, p *profile.Profile) ([]*message, error) {
	return []*message{described(req, "trace", p, identity(req))}, nil
}

// described is a profile that only the request describes: its query and its headers. Texts tell it from
// others.
func described(req *request, source string, p *profile.Profile, texts ...string) *message {
	m := &message{source: source, profile: p, began: p.Meta.Start, labels: pageOf(req), id: idOf(req, append([]string{source}, texts...)...)}
	for _, name := range record.Known {
		if text := req.query.Get(name); text != "" && name != record.Page {
			m.labels[name] = text
		}
	}
	m.custom = map[string]string{"service": p.Meta.Program}
	for name := range req.app.custom {
		if text := req.query.Get(name); text != "" {
			m.custom[name] = text
		}
	}
	m.rate, _ = strconv.ParseFloat(req.query.Get("rate"), 64)
	return m
}

// pageOf is what the headers say of the page.
func pageOf(req *request) record.Labels {
	page := req.http.Header.Get("Referer")
	labels := record.Labels{record.Page: cmp.Or(originOf(page), originOf(req.http.Header.Get("Origin")))}
	// Most pages tell only their origin, which is not a route.
	if u, err := url.Parse(page); err == nil && u.Path != "" && u.Path != "/" {
		labels[record.Route] = routeOf(page)
	}
	return labels
}

// identity tells a request from others: by its own id, else by its content.
func identity(req *request) string {
	if id := req.http.Header.Get("X-Fieldprof-Request-Id"); id != "" {
		return "id " + id
	}
	sum := sha256.Sum256(req.body)
	return hex.EncodeToString(sum[:])
}

// decodeBinary decodes pprof and OTLP.
func decodeBinary(req *request) ([]*message, error) {
	_, found, err := format.Options{}.Open(bytes.NewReader(req.body), "")
	switch {
	case isGzipped(req.body):
		return nil, refused(http.StatusBadRequest, "gzip", "it is gzipped twice: unzip it once")
	case err == nil && found.Name == "otlp" && !looksLikePprof(req):
		return decodeOTLP(req)
	case err == nil && (found.Name == "pprof" || found.Name == "otlp"):
		return decodePprof(req)
	}
	return nil, refused(http.StatusUnsupportedMediaType, "format", "neither an envelope nor a trace, pprof or OTLP")
}

func looksLikePprof(req *request) bool {
	return len(req.body) > 2 && req.body[0] == 0x0a && (req.body[2] == 0x08 || req.body[2] == 0x10)
}

// perFrame is how many samples a request may have for each frame that it may have, and how many
// frames when its stacks are spelled out.
const perFrame = 4

// mostSpelled is how many frames the stacks of a request may have when they are spelled out.
func (req *request) mostSpelled() int64 { return perFrame * int64(req.app.limits.Frames) }

// spell counts the stacks of a message among those of its request.
func (req *request) spell(p *profile.Profile) error {
	req.spelled += record.Spelled(p)
	if most := req.mostSpelled(); req.spelled > most {
		return &format.TooMany{What: "frames when its stacks are spelled out", Most: most}
	}
	return nil
}

func decodePprof(req *request) ([]*message, error) {
	if err := checkSize(req, pprofShape); err != nil {
		return nil, err
	}
	p, err := pprof.ReadBounded(bytes.NewReader(req.body), req.mostSpelled())
	if err != nil {
		return nil, err
	}
	return []*message{described(req, "pprof", p, identity(req))}, nil
}

func decodeOTLP(req *request) ([]*message, error) {
	if isJSON(req) {
		body, err := otlp.FromJSON(req.body, req.mostSpelled())
		if err != nil {
			return nil, err
		}
		req.body = body
	}
	if err := checkSize(req, otlpShape); err != nil {
		return nil, err
	}
	all, others, err := otlp.Limits{Frames: req.mostSpelled(), Profiles: mostItems}.ReadAll(bytes.NewReader(req.body))
	if err != nil {
		return nil, err
	}
	texts, messages := []string{identity(req)}, make([]*message, len(all))
	for i, p := range all {
		if i > 0 {
			texts = []string{texts[0], strconv.Itoa(i)}
		}
		messages[i] = described(req, "otlp", p, texts...)
	}
	if others > 0 {
		messages = append(messages, &message{refused: "not-a-profile"})
	}
	return messages, nil
}

// isJSON reports whether a request's media type is JSON.
func isJSON(req *request) bool {
	kind, _, _ := mime.ParseMediaType(req.http.Header.Get("Content-Type"))
	return kind == "application/json"
}

// answerOTLP is an empty ExportProfilesServiceResponse, in the encoding of the request.
func answerOTLP(req *request, w http.ResponseWriter) {
	if isJSON(req) {
		answerJSON(w, http.StatusOK, struct{}{})
		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	w.WriteHeader(http.StatusOK)
}
