package visits

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/fieldprof/fieldprof/test/browser"
)

// Visit is what one visit measured, by the names of measures; those that a browser does not
// tell are missing. A visit that failed has a reason instead.
type Visit struct {
	Values map[string]float64 `json:"values,omitempty"`
	Failed string             `json:"failed,omitempty"`

	shown string // by the page in the end
}

// patience ends a visit that hangs.
const patience = 90 * time.Second

// visit opens a build in a browser with empty caches, waits until it is loaded, interacts with it
// as a person does, and closes it.
func visit(session *browser.Session, s *served, build string, n Network) Visit {
	h, err := serve(s.builds[build], n)
	if err != nil {
		return Visit{Failed: err.Error()}
	}
	defer h.close() // which ends what still loads
	var v Visit
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		v, err = visitHost(session, h, s.steps, build == recording)
	}()
	select {
	case <-ended:
	case <-time.After(patience):
		return Visit{Failed: fmt.Sprintf("no end after %v", patience)}
	}
	if missing := h.missing(); missing != "" {
		err = errors.Join(err, fmt.Errorf("not found: %s", missing))
	}
	if err != nil {
		return Visit{Failed: err.Error()}
	}
	return v
}

func visitHost(session *browser.Session, h *host, steps []step, isRecording bool) (Visit, error) {
	v := Visit{Values: map[string]float64{}}
	tab, err := session.Open(h.url)
	if err != nil {
		return v, err
	}
	defer tab.Close()
	if err := eval(tab, "visited.loaded()", &v.Values); err != nil {
		return v, err
	}
	loading, err := spend(tab)
	if err != nil {
		return v, err
	}
	for _, s := range steps {
		if err := s.take(tab); err != nil {
			return v, err
		}
	}
	var end struct {
		INP, Handlers *float64
		Shown         string
		Errors        []string
	}
	if err := eval(tab, "visited.ended()", &end); err != nil {
		return v, err
	}
	if len(end.Errors) > 0 {
		return v, fmt.Errorf("an error on the page: %s", end.Errors[0])
	}
	whole, err := spend(tab)
	if err != nil {
		return v, err
	}
	for name, spent := range loading {
		v.Values[name], v.Values["interaction-"+name] = spent, whole[name]-spent
	}
	for name, value := range map[string]*float64{"inp": end.INP, "handlers": end.Handlers} {
		if value != nil {
			v.Values[name] = *value
		}
	}
	v.Values["bytes"], v.Values["requests"] = float64(h.bytes.Load()), float64(h.requests.Load())
	v.shown = end.Shown
	if isRecording {
		return v, v.sampled(tab)
	}
	return v, nil
}

// spend is what the page's thread has spent so far in milliseconds: in scripts, by the clock, and of
// its processor in all. Only Chromium says it.
func spend(tab *browser.Tab) (map[string]float64, error) {
	metrics, err := tab.Metrics()
	spent := map[string]float64{}
	for counted, name := range map[string]string{"ScriptDuration": "script", "ThreadTime": "thread"} {
		if seconds, ok := metrics[counted]; ok {
			spent[name] = 1000 * seconds
		}
	}
	return spent, err
}

// sampled makes sure that the page was recorded.
func (v *Visit) sampled(tab *browser.Tab) error {
	var samples float64
	if err := eval(tab, "visited.samples()", &samples); err != nil {
		return err
	}
	if samples == 0 {
		return errors.New("the recording has no samples")
	}
	v.Values["samples"] = samples
	return nil
}

// take does a step, and waits until the page has shown what it leads to.
func (s step) take(tab *browser.Tab) error {
	var err error
	if s.press != "" {
		err = tab.Press(s.press)
	} else {
		var at [2]int
		if err := eval(tab, fmt.Sprintf("visited.middle(%q)", s.click), &at); err != nil {
			return err
		}
		err = tab.Click(at[0], at[1])
	}
	if err != nil {
		return err
	}
	return eval(tab, fmt.Sprintf("visited.stepped(%q)", s.done), nil)
}

func eval(tab *browser.Tab, expression string, result any) error {
	value, err := tab.Eval(expression)
	if err != nil {
		return fmt.Errorf("%s: %w", expression, err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(value, result)
}
