package node

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/shown"
	"github.com/fieldprof/fieldprof/profile/live"
)

// show begins to show the running program, if the settings say so. It returns a function
// that ends that, once the process has ended.
func (r *run) show() (end func()) {
	if r.order.Live == "" || r.settings.Mode != engine.Profile {
		return func() {}
	}
	w := &show{run: r, check: live.NewRecording(&live.Hello{}, nil)}
	w.check.Limits = live.Limits{Samples: 1, Marks: 1} // it keeps none
	hello := live.Hello{What: "node", Engine: "node", Clocks: []string{"shared", "poll"}, Origin: float64(time.Now().UnixMilli())}
	if slices.Contains(hello.Clocks, r.settings.Clock) { // "auto" is up to the program
		hello.Clock = r.settings.Clock
	}
	w.source = shown.New(hello, r.program, &r.settings, r.script, r.isOurs)
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		w.follow(ended)
	}()
	return func() {
		close(ended)
		<-done
		w.source.Close()
	}
}

// show passes on what the program streams.
type show struct {
	run    *run
	source *shown.Source
	check  *live.Recording
	files  int
}

// follow reads files until the process has ended, or until one cannot be read.
func (w *show) follow(ended <-chan struct{}) {
	for last := false; ; {
		err := w.read()
		if err != nil {
			w.run.settings.Live.Lost(fmt.Sprintf("what the program streams cannot be read: %v", err))
			return
		}
		if last {
			return
		}
		select {
		case <-ended:
			last = true
		case <-time.After(shown.Every / 4):
		}
	}
}

// read passes on all files that there are, in order.
func (w *show) read() error {
	for {
		name := fmt.Sprint(w.run.order.Live, w.files+1)
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		w.files++
		_ = os.Remove(name) // the folder is removed in the end
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			message, err := live.Limits{}.Decode(line)
			if err != nil {
				return err
			}
			b, ok := message.(*live.Batch)
			if !ok {
				return fmt.Errorf("it is no batch")
			}
			if err := w.check.Add(b); err != nil {
				return err
			}
			w.source.Add(b)
		}
	}
}
