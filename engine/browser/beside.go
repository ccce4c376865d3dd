package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
)

// Beside is something that measures a program from the outside, such as the browser's
// own profiler.
type Beside struct {
	// Script is a classic script that the page runs before everything else. It
	// may GET "finished", which is answered once the program has ended, and
	// POST to "said", which ends the run.
	Script []byte
	// Headers are the page's.
	Headers map[string]string
	// Environment is the browser's (NAME=value); Preferences are Firefox's, in the
	// form of user.js (`"name", value`).
	Environment, Preferences []string
	// Arguments are additional ones of the browser.
	Arguments []string
	// Closes says that the browser ends by itself after the program.
	Closes bool
	// Around, if there is one, is called with the page's URL before the page gets Script,
	// and so before anything else runs in it. It returns a function that is called once
	// the program has ended, and whose result counts as what Script has posted.
	Around func(ctx context.Context, page string) (after func() ([]byte, error), err error)
}

// closing is how long a run may last after its program has ended.
const closing = 2 * time.Minute

// maxSaid bounds what Beside.Script may post, in bytes.
const maxSaid = 256 << 20

// RunBeside is Run with something beside the program, and also returns what that posted.
func RunBeside(name Name, beside Beside) func(context.Context, engine.Program, engine.Settings) (*engine.Result, []byte, error) {
	return func(ctx context.Context, program engine.Program, settings engine.Settings) (*engine.Result, []byte, error) {
		return runBeside(ctx, name, program, settings, &beside)
	}
}

// Bundle makes the script as which a program runs, before checks are inserted. A page
// loads it as "bundle.js".
func Bundle(name Name, path string) (*bundle.Bundle, error) {
	return bundle.Make(path, bundle.Target{Engine: string(name), Await: true})
}

// Find returns the path of a browser. The error is a MissingError if the browser, or
// something that it needs, is not installed.
func Find(name Name) (string, error) {
	binary, _, err := find(name)
	return binary, err
}

// finishing waits for what is beside the program after that has ended.
func (r *run) finishing(ctx context.Context, w *window) error {
	if r.host.beside.Around != nil {
		return r.host.endAround()
	}
	said := r.host.saidIt
	if r.host.beside.Closes {
		said = w.ended
	}
	select {
	case <-said:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(closing):
		return r.gone(fmt.Sprintf("was not through %v after the program had ended", closing), w)
	}
}

// around is what happens around the program, from outside of the page.
type around struct {
	begin func() error // once
	after func() ([]byte, error)
}

// prepareAround makes the page wait for Beside.Around.
func (h *host) prepareAround(ctx context.Context) {
	h.around.begin = sync.OnceValue(func() (err error) {
		h.around.after, err = h.beside.Around(ctx, h.base)
		return err
	})
}

func (h *host) endAround() (err error) {
	if err := h.around.begin(); err != nil {
		return err
	}
	h.said, err = h.around.after()
	return err
}

func (h *host) serveFinished(_ http.ResponseWriter, r *http.Request) {
	select {
	case <-h.reported:
	case <-r.Context().Done():
	}
}

func (h *host) serveSaid(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSaid))
	if err != nil {
		return // the page disappeared while posting, or posts too much
	}
	h.once.said.Do(func() {
		h.said = text
		close(h.saidIt)
	})
}

// addPreferences adds to the preferences that prepareFirefox wrote.
func addPreferences(folder string, preferences []string) error {
	if len(preferences) == 0 {
		return nil
	}
	file, err := os.OpenFile(filepath.Join(folder, "user.js"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for _, preference := range preferences {
		fmt.Fprintf(file, "user_pref(%s);\n", strings.TrimSpace(preference))
	}
	return file.Close()
}
