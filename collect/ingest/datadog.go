package ingest

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

const (
	proxyPath = "/v1/datadog"
	quotaPath = "/api/v2/profiling/quota"
)

// forwarded is where the SDK's option `proxy` wants a request to go: a path and its query.
func forwarded(query url.Values) (path string, forwarded url.Values) {
	to, err := url.Parse(query.Get("ddforward"))
	if err != nil || to.Host != "" || to.Scheme != "" {
		return "", query
	}
	forwarded = to.Query()
	for name, values := range query {
		if forwarded.Get(name) == "" && name != "ddforward" {
			forwarded[name] = values
		}
	}
	return to.Path, forwarded
}

// answerQuota says that a session may be profiled: the SDK asks once it has begun.
func answerQuota(_ *request, w http.ResponseWriter) {
	answerJSON(w, http.StatusOK, map[string]any{"data": map[string]any{"attributes": map[string]any{"admitted": true, "reason": "quota_ok"}}})
}

func answerDatadog(_ *request, w http.ResponseWriter) {
	answerJSON(w, http.StatusAccepted, map[string]any{})
}

// datadogEvent says what a trace is.
type datadogEvent struct {
	Start   time.Time               `json:"start"`
	End     time.Time               `json:"end"`
	Tags    string                  `json:"tags_profiler"`
	Session struct{ ID string }     `json:"session"`
	View    struct{ ID, Name list } `json:"view"`
	DD      struct {
		ClockDrift float64 `json:"clock_drift"` // milliseconds
	} `json:"_dd"`
}

// list is a list of texts, or one.
type list []string

func (l *list) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*l = list{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(l))
}

func (l list) first() string {
	if len(l) == 0 {
		return ""
	}
	return l[0]
}

// decodeDatadog decodes a form of two files, the event and the trace.
func decodeDatadog(req *request) ([]*message, error) {
	kind, parameters, err := mime.ParseMediaType(req.http.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return nil, refused(http.StatusUnsupportedMediaType, "format", "a profile is a form of two files, the event and wall-time.json")
	}
	files, err := filesOf(req, parameters["boundary"])
	if err != nil {
		return nil, err
	}
	var e datadogEvent
	if len(files["event"]) > mostEvent {
		return nil, tooLarge(mostEvent)
	}
	if err := json.Unmarshal(files["event"], &e); err != nil {
		return nil, errors.New("event: " + err.Error())
	}
	if files["wall-time.json"] == nil {
		return nil, errors.New("wall-time.json is missing")
	}
	_, p, err := readTrace(req, files["wall-time.json"])
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, errors.New("wall-time.json has no trace")
	}
	m := &message{source: "datadog", profile: p, began: e.Start, labels: pageOf(req)}
	m.id = idOf(req, "datadog", e.Session.ID, strings.Join(e.View.ID, "\n"), e.Start.UTC().Format(time.RFC3339Nano), e.End.UTC().Format(time.RFC3339Nano))
	if view := e.View.ID.first(); view != "" {
		m.view = idOf(req, "datadog view", e.Session.ID, view)
	}
	m.labels[record.Route] = datadogRoute(e.View.Name.first())
	m.custom = map[string]string{}
	for tag := range strings.SplitSeq(e.Tags[:min(len(e.Tags), 4096)], ",") {
		name, value, _ := strings.Cut(tag, ":")
		m.custom[name] = value
	}
	m.labels[record.Release] = cmp.Or(m.custom["version"], m.labels[record.Release])
	return []*message{m}, nil
}

// datadogRoute is the name of a view: what the page calls it, or its path as the SDK writes
// it, with ? in place of numbers.
func datadogRoute(name string) string {
	if strings.HasPrefix(name, "/") {
		name = strings.ReplaceAll(name, "?", ":id")
	}
	return routeOfPath(name)
}

// Bounds of a form: its parts, and the bytes of the event.
const mostParts, mostEvent = 20, 1 << 20

// filesOf are the files of a form, by name. The SDK may have compressed each.
func filesOf(req *request, boundary string) (map[string][]byte, error) {
	files := map[string][]byte{}
	form := multipart.NewReader(bytes.NewReader(req.body), boundary)
	left := req.most
	for parts := 0; ; parts++ {
		part, err := form.NextRawPart()
		if err == io.EOF {
			return files, nil
		}
		if err != nil || parts >= mostParts {
			return nil, refused(http.StatusBadRequest, "format", "the form is damaged, or has too many parts")
		}
		name := part.FormName()
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, refused(http.StatusBadRequest, "format", "the form is damaged")
		}
		if name != "event" && name != "wall-time.json" {
			continue
		}
		if len(content) > 1 && content[0] == 0x78 && (uint(content[0])<<8|uint(content[1]))%31 == 0 {
			z, err := zlib.NewReader(bytes.NewReader(content))
			if err != nil {
				return nil, refused(http.StatusBadRequest, "gzip", "what is compressed is damaged")
			}
			plain, err := inflate(z, left)
			if err != nil {
				return nil, err
			}
			content = bytes.Clone(plain.Bytes())
			plain.free()
			left -= int64(len(content))
		}
		files[name] = content
	}
}
