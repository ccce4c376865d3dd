package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Senders that trickle, in the header or in the body, are cut off; others are served.
func TestTricklersAreCutOff(t *testing.T) {
	s := opened(t, Options{Patience: 50 * time.Millisecond}, func(p *parts) {
		p.ingest = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err != nil {
				http.Error(w, "too slow", http.StatusRequestTimeout)
				return
			}
			io.WriteString(w, "taken")
		})
	})
	url, _, _ := running(t, s)
	for _, text := range []string{"", "POST /v1/profiles HTTP/1.1\r\nHost: x\r\n", "POST /v1/profiles HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx"} {
		if answer := exchange(t, url, text); strings.Contains(answer, "taken") {
			t.Errorf("%q: %q", text, answer)
		}
	}
	must.Contain(t, "what others get", patiently(t, url, "POST /v1/profiles HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nwhole"), "taken")
}

// exchange sends a request as it is and returns the answer, when the collector has closed the connection.
func exchange(t *testing.T, url, request string) string {
	t.Helper()
	conn := must.Get(net.Dial("tcp", strings.TrimPrefix(url, "http://")))(t)
	defer conn.Close()
	fmt.Fprint(conn, request)
	must.Do(t, conn.SetReadDeadline(time.Now().Add(hang)))
	answer, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q: the connection stays open after %q", request, answer)
	}
	return string(answer)
}

// patiently is exchange for a request that must have an answer. On a busy machine it may arrive too late for the
// patience of these tests, and then is cut off, or answered so.
func patiently(t *testing.T, url, request string) (answer string) {
	t.Helper()
	must.Happen(t, "there is an answer", func() bool {
		answer = exchange(t, url, request)
		return answer != "" && !strings.Contains(answer, "too slow")
	})
	return answer
}

// The server reads what a handler leaves of a body before it answers. It does not wait for that, nor at all for a
// body that is too long to be read.
func TestBodiesThatNobodyReadsAreNotAwaited(t *testing.T) {
	for length, patience := range map[string]time.Duration{"10": 50 * time.Millisecond, "99999999": time.Hour} {
		s := opened(t, Options{Patience: patience}, func(p *parts) { p.ingest = http.NotFoundHandler() })
		url, _, _ := running(t, s)
		answer := patiently(t, url, "POST /v1/profiles HTTP/1.1\r\nHost: x\r\nContent-Length: "+length+"\r\n\r\n")
		if !strings.HasPrefix(answer, "HTTP/1.1 404") {
			t.Errorf("%s bytes: %q", length, answer)
		}
	}
}

// Patience is with senders: an answer to a body that has arrived may take longer.
func TestAnswersMayTakeLongerThanBodies(t *testing.T) {
	const patience = 50 * time.Millisecond
	s := opened(t, Options{Patience: patience}, func(p *parts) {
		p.ingest = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err != nil {
				http.Error(w, "too slow", http.StatusRequestTimeout)
				return
			}
			select {
			case <-r.Context().Done():
			case <-time.After(5 * patience):
				io.WriteString(w, "taken")
			}
		})
	})
	url, _, _ := running(t, s)
	answer := patiently(t, url, "POST /v1/profiles HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody")
	must.Contain(t, "the answer", answer, "taken")
}

// chunks is a body of which each read takes some time of a clock.
type chunks struct {
	now   *time.Time
	takes time.Duration
	n     int
}

func (c *chunks) Read([]byte) (int, error) { *c.now = c.now.Add(c.takes); return c.n, nil }
func (c *chunks) Close() error             { return nil }

// Only the sender's time counts, and bytes that arrive earn time.
func TestPace(t *testing.T) {
	now := time.Unix(0, 0)
	var deadline time.Time
	inner := &chunks{now: &now}
	b := pacedBody{ReadCloser: inner, left: 10 * time.Second, now: func() time.Time { return now }, setDeadline: func(at time.Time) error { deadline = at; return nil }}
	for _, step := range []struct {
		busy  time.Duration // of the handler, before it reads
		takes time.Duration
		n     int
		left  time.Duration // at which the read gives up
	}{
		{0, 0, 0, 10 * time.Second},
		{time.Hour, 4 * time.Second, 1, 10 * time.Second},
		{time.Hour, 2 * time.Second, slowest, 6*time.Second + time.Second/slowest},
		{0, 0, 60 * slowest, 5*time.Second + time.Second/slowest},
		{0, 0, 0, 65*time.Second + time.Second/slowest},
	} {
		now = now.Add(step.busy)
		inner.takes, inner.n = step.takes, step.n
		began := now
		must.Get(b.Read(nil))(t)
		if got := deadline.Sub(began); got != step.left {
			t.Errorf("%+v: %v", step, got)
		}
	}
}

// Writes are refused while memory is short, and questions are not.
func TestGuard(t *testing.T) {
	s := opened(t, Options{}, func(p *parts) { p.ingest, p.api = says("taken"), says("api") })
	now := inUse{}
	s.guard.inUse = func() inUse { return now }
	for _, step := range []struct {
		share float64
		code  int
	}{{0.5, 200}, {0.75, 200}, {0.81, 503}, {0.75, 503}, {0.69, 200}, {0.79, 200}, {2, 503}} {
		now = inUse{int64(step.share * float64(s.config.Memory)), now.collection + 1}
		s.guard.look()
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/profiles", strings.NewReader("x")))
		if w.Code != step.code || step.code == 503 && w.Header().Get("Retry-After") == "" {
			t.Errorf("at %v: %d", step.share, w.Code)
		}
		if got := get(t, s.Handler(), "/api/v1/apps"); got.Code != http.StatusOK {
			t.Errorf("at %v a question gets %d", step.share, got.Code)
		}
	}
	runtime.GC()
	if now := live(); now.bytes <= 0 || now.collection == 0 {
		t.Errorf("the runtime says that %+v is in use", now)
	}
}

// While writes are refused hardly anything is allocated, so that no collection would notice that there
// is room again: the guard collects. It does not where the runtime does.
func TestGuardCollects(t *testing.T) {
	now, collections := inUse{bytes: 90, collection: 1}, 0
	g := &guard{limit: 100, inUse: func() inUse { return now }}
	g.collect = func() {
		collections++
		now = inUse{bytes: 30, collection: now.collection + 1}
	}
	for range 3 * oldAfter {
		g.look()
		now.collection++
	}
	if !g.full.Load() || collections != 0 {
		t.Errorf("full: %v, after %d collections", g.full.Load(), collections)
	}
	for range oldAfter + 1 {
		g.look()
	}
	if g.full.Load() || collections != 1 {
		t.Errorf("full: %v, after %d collections", g.full.Load(), collections)
	}
	for range 3 * oldAfter {
		g.look()
	}
	if collections != 1 {
		t.Errorf("%d collections while there is room", collections)
	}
}

// Writes are refused by the limit that the process has.
func TestGuardHasTheLimitOfTheProcess(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	t.Setenv("GOMEMLIMIT", "4GiB")
	debug.SetMemoryLimit(4 << 30) // as the runtime does at the start
	must.Equal(t, newGuard(448<<20, nil).limit, int64(4<<30))
	t.Setenv("GOMEMLIMIT", "")
	must.Equal(t, newGuard(448<<20, nil).limit, int64(448<<20))
}

// A renewed certificate is used without a restart, and half a one is not.
func TestCertificateIsReadAgain(t *testing.T) {
	folder, now := t.TempDir(), time.Unix(1e9, 0)
	var said strings.Builder
	k := &certificateKeeper{
		cert: filepath.Join(folder, "c.pem"), key: filepath.Join(folder, "k.pem"),
		now: func() time.Time { return now }, log: slog.New(slog.NewTextHandler(&said, nil)),
	}
	if _, err := k.get(nil); err == nil || !strings.Contains(err.Error(), "c.pem") {
		t.Error(err)
	}
	later := now
	write := func(serial int64) {
		certificate, key := issue(t, serial)
		must.Do(t, os.WriteFile(k.cert, certificate, 0o600))
		must.Do(t, os.WriteFile(k.key, key, 0o600))
		later = later.Add(time.Hour)
		must.Do(t, os.Chtimes(k.cert, later, later))
	}
	serial := func() int64 {
		now = now.Add(time.Minute)
		return must.Get(k.get(nil))(t).Leaf.SerialNumber.Int64()
	}
	write(1)
	if got := serial(); got != 1 {
		t.Error(got)
	}
	write(2)
	if got := serial(); got != 2 {
		t.Error(got)
	}
	must.Equal(t, said.String(), "")
	must.Do(t, os.WriteFile(k.cert, []byte("half"), 0o600))
	if got := serial(); got != 2 {
		t.Error(got)
	}
	if got := serial(); got != 2 || strings.Count(said.String(), "level=WARN") != 1 || !strings.Contains(said.String(), "c.pem") {
		t.Errorf("%d, and it said %q once", got, said.String())
	}
	write(3)
	if got := serial(); got != 3 {
		t.Error(got)
	}
}

// issue makes a certificate and its key.
func issue(t *testing.T, serial int64) (certificate, key []byte) {
	t.Helper()
	secret := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	der := must.Get(x509.CreateCertificate(rand.Reader, template, template, secret.Public(), secret))(t)
	text := must.Get(x509.MarshalPKCS8PrivateKey(secret))(t)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})
}
