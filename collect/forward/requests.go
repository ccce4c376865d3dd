package forward

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/profile/format/otlp"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

// The method of Pyroscope's PusherService, by the Connect protocol.
const pushPath = "/push.v1.PusherService/Push"

type pushRequest struct {
	Series []pushSeries `json:"series"`
}

type pushSeries struct {
	Labels  []pushLabel  `json:"labels"`
	Samples []pushSample `json:"samples"`
}

type pushLabel struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type pushSample struct {
	RawProfile []byte `json:"rawProfile"` // gzipped pprof; JSON has it in base64
}

func (t *target) pyroscope(ctx context.Context, all []series) (*http.Request, error) {
	var push pushRequest
	for i := range all {
		s := &all[i]
		var raw bytes.Buffer
		if err := pprof.Write(&raw, s.profile); err != nil {
			return nil, err
		}
		labels := []pushLabel{{"__name__", "process_cpu"}, {"service_name", cut(s.series.App, maxValue)}}
		for _, l := range s.labels() {
			labels = append(labels, pushLabel(l))
		}
		slices.SortFunc(labels, func(a, b pushLabel) int { return strings.Compare(a.Name, b.Name) })
		push.Series = append(push.Series, pushSeries{labels, []pushSample{{raw.Bytes()}}})
	}
	body, err := json.Marshal(push)
	if err != nil {
		return nil, err
	}
	address := t.config.URL
	if !strings.HasSuffix(address, pushPath) {
		if address, err = url.JoinPath(address, pushPath); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Connect-Protocol-Version", "1")
	return request, nil
}

// otlpPath is where receivers of OTLP over HTTP take profiles.
const otlpPath = "/v1development/profiles"

func (t *target) otlp(ctx context.Context, all []series) (*http.Request, error) {
	resource := map[string]string{}
	for _, l := range all[0].labels() {
		resource[l.Name] = l.Value
	}
	var body bytes.Buffer
	if err := otlp.WriteResource(&body, all[0].profile, resource); err != nil {
		return nil, err
	}
	address, err := url.Parse(t.config.URL)
	if err != nil {
		return nil, err
	}
	if address.Path == "" || address.Path == "/" {
		address = address.JoinPath(otlpPath)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address.String(), &body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	return request, nil
}
