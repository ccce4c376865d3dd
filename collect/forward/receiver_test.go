package forward

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	pb "github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pprofile"
)

// receiver is a target that checks what it gets as the real ones do, and adds it up.
type receiver struct {
	mu     sync.Mutex
	sums   map[string]int64 // nanoseconds by labels and stack
	times  []time.Time
	posts  int
	refuse func(w http.ResponseWriter, body []byte) bool // answers itself
	faults []error
	now    time.Time

	spelled int64 // frames of a request
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.posts++
	if r.refuse != nil && r.refuse(w, body) {
		return
	}
	switch {
	case err != nil:
	case request.Method != http.MethodPost:
		err = fmt.Errorf("method %s", request.Method)
	case request.URL.Path == "/tenant/push.v1.PusherService/Push" && request.Header.Get("Content-Type") == "application/json":
		err = r.push(body)
	case request.URL.Path == "/v1development/profiles" && request.Header.Get("Content-Type") == "application/x-protobuf":
		err = r.export(body)
	default:
		err = fmt.Errorf("path %s, type %s", request.URL.Path, request.Header.Get("Content-Type"))
	}
	if err != nil {
		r.faults = append(r.faults, err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	io.WriteString(w, "{}")
}

var (
	labelPattern  = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	metricPattern = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)
)

// push is Pyroscope's method, with the rules of its ValidateLabels and ValidateProfile.
func (r *receiver) push(body []byte) error {
	var message struct {
		Series []struct {
			Labels  []struct{ Name, Value string }
			Samples []struct {
				RawProfile []byte
				ID         string
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&message); err != nil {
		return err
	}
	for _, s := range message.Series {
		values, name := map[string]string{}, ""
		var key []string
		for _, l := range s.Labels {
			if _, twice := values[l.Name]; twice || !labelPattern.MatchString(l.Name) || len(l.Name) > maxName || len(l.Value) > maxValue {
				return fmt.Errorf("label %q", l.Name)
			}
			if values[l.Name] = l.Value; l.Name == "__name__" {
				name = l.Value
			} else {
				key = append(key, l.Name+"="+l.Value)
			}
		}
		if !metricPattern.MatchString(name) || values["service_name"] == "" {
			return fmt.Errorf("labels %v", s.Labels)
		}
		for _, sample := range s.Samples {
			if err := r.profile(strings.Join(key, " "), sample.RawProfile); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *receiver) profile(key string, raw []byte) error {
	p, err := pb.ParseData(raw)
	if err != nil {
		return err
	}
	if err := p.CheckValid(); err != nil {
		return err
	}
	if err := r.seen(time.Unix(0, p.TimeNanos)); err != nil {
		return err
	}
	for _, s := range p.Sample {
		var stack []string
		for _, l := range s.Location {
			stack = append(stack, l.Line[0].Function.Name)
		}
		if s.Value[0]*p.Period != s.Value[1] {
			return fmt.Errorf("%d samples of %d are %d", s.Value[0], p.Period, s.Value[1])
		}
		r.add(key, stack, s.Value[1])
	}
	return nil
}

// seen checks a time by the limits of Pyroscope.
func (r *receiver) seen(at time.Time) error {
	if at.Before(r.now.Add(-time.Hour)) || at.After(r.now.Add(10*time.Minute)) {
		return fmt.Errorf("a profile of %v at %v", at, r.now)
	}
	r.times = append(r.times, at)
	return nil
}

func (r *receiver) add(key string, stack []string, nanoseconds int64) {
	slices.Reverse(stack)
	r.sums[key+" | "+strings.Join(stack, ";")] += nanoseconds
}

// export is an OTLP receiver, as the collector has it.
func (r *receiver) export(body []byte) error {
	all, err := new(pprofile.ProtoUnmarshaler).UnmarshalProfiles(body)
	if err != nil {
		return err
	}
	d := all.Dictionary()
	text := func(i int32) string { return d.StringTable().At(int(i)) }
	for _, resource := range all.ResourceProfiles().All() {
		attributes := map[string]string{}
		for name, value := range resource.Resource().Attributes().All() {
			attributes[name] = value.AsString()
		}
		key := "service_name=" + attributes["service.name"]
		delete(attributes, "service.name")
		for _, name := range sortedKeys(attributes) {
			key += " " + name + "=" + attributes[name]
		}
		for _, scope := range resource.ScopeProfiles().All() {
			for _, p := range scope.Profiles().All() {
				if err := r.seen(p.Time().AsTime()); err != nil {
					return err
				}
				for _, s := range p.Samples().All() {
					if s.Values().Len() != 1 || s.TimestampsUnixNano().Len() > 0 {
						return fmt.Errorf("%d values, %d timestamps", s.Values().Len(), s.TimestampsUnixNano().Len())
					}
					var stack []string
					for _, l := range d.StackTable().At(int(s.StackIndex())).LocationIndices().All() {
						stack = append(stack, text(d.FunctionTable().At(int(d.LocationTable().At(int(l)).Lines().At(0).FunctionIndex())).NameStrindex()))
					}
					r.add(key, stack, s.Values().At(0)*p.Period())
				}
			}
		}
	}
	return nil
}
