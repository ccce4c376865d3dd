package overhead

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// TestMain lets the test's program be the child that runs goja, too.
func TestMain(m *testing.M) {
	Child()
	os.Exit(m.Run())
}

// tiny is an order that takes a moment, and goes through all phases.
func tiny(engine string, w way) (Step, Order) {
	kernel := fixtures.Real()[1]
	s := Step{cell{Engine: engine, Program: kernel, Preset: transform.Balanced}, w}
	order := orderOf(s)
	order.Warm, order.Rounds, order.Seed = 1, 1, 7
	for i := range order.Phases {
		order.Phases[i].Ms, order.Phases[i].Blocks = 0, 1
	}
	return s, order
}

// Each engine runs two builds in turns, in blocks that favour neither, and records while
// it is told to.
func TestInvocations(t *testing.T) {
	for _, engine := range usualEngines {
		s, order := tiny(engine, waysIn(engine)[1])
		if engine == "node" { // for as long as the coordinator's worker takes to start, by guess
			order.Phases[2].Ms = 500
		}
		b := must.Get(makeBuilds(t.Context(), s.cell, true))(t)
		result, err := invoke(t.Context(), s, b, order, rand.New(rand.NewPCG(1, 2)), false)
		for err != nil && strings.Contains(err.Error(), "it recorded by the clock") && order.Phases[2].Ms < 100_000 {
			order.Phases[2].Ms *= 2 // the machine is busy
			result, err = invoke(t.Context(), s, b, order, rand.New(rand.NewPCG(1, 2)), false)
		}
		if errors.Is(err, node.ErrMissing) && os.Getenv("CI") == "" {
			t.Logf("SKIPPED: %v", err)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		for i, phase := range order.Phases {
			if phase.Only != nil {
				if logs := result.blocks(i, wallMeter); len(logs) != 0 {
					t.Errorf("%s, phase %d: %v", engine, i, logs)
				}
				continue
			}
			for meter := range instructionMeter {
				if logs := result.blocks(i, meter); len(logs) != 1 {
					t.Errorf("%s, phase %s, %s: %v", engine, phase.Name, meters[meter], logs)
				}
			}
		}
	}
}

// A program that prints other things when it is checked, or nothing, or fails, has no
// result.
func TestFailuresAreTold(t *testing.T) {
	for _, engine := range usualEngines {
		s, order := tiny(engine, waysIn(engine)[0])
		for want, second := range map[string]string{
			"it printed something other than the clean program": "globalThis.__iterate = () => console.log('other')",
			"no such thing": "globalThis.__iterate = () => { throw new Error('no such thing') }",
		} {
			b := &builds{clean: []byte("globalThis.__iterate = () => console.log('one')"), checked: []byte(second)}
			s.way.clean = true
			_, err := invoke(t.Context(), s, b, order, rand.New(rand.NewPCG(1, 2)), false)
			if errors.Is(err, node.ErrMissing) {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", engine, err, want)
			}
		}
		silent := []byte("globalThis.__iterate = () => {}")
		if _, err := invoke(t.Context(), s, &builds{clean: silent, checked: silent}, order, rand.New(rand.NewPCG(1, 2)), false); err == nil {
			t.Errorf("%s: a silent program has a result", engine)
		}
	}
}

// A driver's result is not trusted to be what was ordered.
func TestReadResult(t *testing.T) {
	order := &Order{Phases: []Phase{{Name: idlePhase}}, Clock: "shared"}
	for _, text := range []string{`{`, `{"turns":[[0,0,0]]}`, `{"turns":[[1,0,0,1,1,1,1]]}`, `{"turns":[[0,2,0,1,1,1,1]]}`,
		`{"failure":"it fell"}`, `{"clock":"poll","printed":true}`, `{"clock":"shared"}`} {
		if r, err := readResult([]byte(text), order); err == nil {
			t.Errorf("%s is %+v", text, r)
		}
	}
	must.Get(readResult([]byte(`{"turns":[[0,1,0,1,1,1,1]],"clock":"shared","printed":true}`), order))(t)
}

// The page has what its order says, and is isolated where memory is to be shared.
func TestPageHandler(t *testing.T) {
	results := make(chan []byte, 1)
	for _, isolated := range []bool{true, false} {
		server := httptest.NewServer(pageHandler(map[string][]byte{"/": []byte(document), "/turns.mjs": []byte("x")}, isolated, results))
		response := must.Get(http.Get(server.URL + "/"))(t)
		if got := response.Header.Get("Cross-Origin-Opener-Policy") != ""; got != isolated {
			t.Errorf("isolated %v: %v", isolated, response.Header)
		}
		response.Body.Close()
		must.Get(http.Post(server.URL+"/result", "", strings.NewReader("{}")))(t).Body.Close()
		if got := string(<-results); got != "{}" {
			t.Errorf("the result is %q", got)
		}
		server.Close()
	}
}

// An order survives its way to the driver.
func TestOrderAsJSON(t *testing.T) {
	_, order := tiny("node", proofWays("node")[1])
	text := must.Get(json.Marshal(order))(t)
	if !strings.Contains(string(text), `"only":0`) || strings.Contains(string(text), `"counter"`) {
		t.Errorf("%s", text)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is missing")
	}
}
