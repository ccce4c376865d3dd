// Package shown shows a program that runs to a server of live profiles (package live):
// it symbolizes and attributes what is sampled, since the server has neither the
// program's function table nor its source map.
package shown

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/live/client"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// Every is how often a program sends what was sampled.
const Every = 250 * time.Millisecond

// patience is how long a program that has ended waits for the server to have everything.
const patience = 2 * time.Second

// Source is a program as the server knows it. Its methods may be called by any goroutine,
// one at a time may add.
type Source struct {
	client *client.Client
	began  live.Began

	mu     sync.Mutex
	stream *live.Stream
	seq    int64 // of batches of the program
	at     int64 // the last time that is known to have passed, in microseconds
	now    live.Account

	profile int          // that is shown; 0 for none
	fresh   bool         // its first batch is still to come
	ending  bool         // the next batch ends it
	from    int64        // when it began
	before  live.Account // and what became of ticks until then
}

// New begins to show a program, with a profile that begins now. A hello says what kind of
// source it is. Frames of hidden files are left out.
func New(hello live.Hello, program engine.Program, settings *engine.Settings, script *instrumented.Script, hidden func(file string) bool) *Source {
	s := &Source{profile: 1, fresh: true, began: live.Began{
		Time: hello.Origin, Interval: float64(settings.Interval) / float64(time.Millisecond), Clock: hello.Clock}}
	hello.ID, hello.Attributed = newID(), true
	hello.Name, hello.URL = bounded(filepath.Base(program.Path)), bounded(program.Path)
	hello.Recording, hello.Interval = s.profile, s.began.Interval
	s.stream = live.NewStream(false, func(url string) (profile.Script, bool) {
		return script.Symbols(), url == script.File()
	})
	s.stream.Rule = settings.Rule()
	s.stream.Hide = func(f profile.Function) bool { return script.Glue(f) || hidden != nil && hidden(f.File) }
	s.mu.Lock() // start and stop wait until there is a client
	defer s.mu.Unlock()
	s.client = client.Dial(client.Options{URL: settings.Live.URL, Roots: settings.Live.Roots, Hello: hello, Start: s.start, Stop: s.stop,
		Lost: func(err error) { settings.Live.Lost(explain(settings.Live.URL, err)) }})
	return s
}

// start begins a profile, which the server has numbered. It keeps the interval of the
// run, whose own profile it would change.
func (s *Source) start(order live.Start) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if order.Profile == s.profile {
		s.ending = false
		return
	}
	if s.profile != 0 {
		s.end()
	}
	s.profile, s.fresh, s.ending, s.from, s.before = order.Profile, true, false, s.at, s.now
	s.stream.Renew()
}

// stop ends the profile with what was sampled until now.
func (s *Source) stop() {
	s.mu.Lock()
	s.ending = s.profile != 0
	s.mu.Unlock()
}

// end says that the profile has ended.
func (s *Source) end() {
	s.client.Send(&live.Batch{Profile: s.profile, Ended: true, Account: since(s.now, s.before), Began: s.first()})
	s.profile, s.ending = 0, false
}

// first is what the first batch of a profile says.
func (s *Source) first() *live.Began {
	if !s.fresh {
		return nil
	}
	s.fresh = false
	began := s.began
	began.Time += float64(s.from) / 1000
	return &began
}

// Add shows what was sampled since the last time: deployed positions, and records and
// stacks that go on in all batches. It numbers the batch, which must be sound.
func (s *Source) Add(b *live.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	b.Profile, b.Seq = 1, s.seq
	if b.Began != nil { // the program knows better
		s.began = *b.Began
	}
	out := s.stream.Batch(b)
	at := int64(0)
	for _, d := range b.Samples.Delta {
		at += d
	}
	s.at, s.now = max(s.at, at), b.Account
	if s.profile == 0 {
		s.stream.Renew() // the records and stacks of this batch are not sent
		return
	}
	out.Samples.Skid = b.Samples.Skid
	s.pass(out)
	if s.ending {
		s.end()
	}
}

// pass sends a batch as one of the profile that is shown.
func (s *Source) pass(b *live.Batch) {
	if len(b.Samples.Delta) > 0 {
		b.Samples.Delta = slices.Clone(b.Samples.Delta)
		b.Samples.Delta[0] = max(b.Samples.Delta[0]-s.from, 0)
	}
	for i := range b.Records {
		b.Records[i].Name, b.Records[i].File = bounded(b.Records[i].Name), bounded(b.Records[i].File)
	}
	b.Profile, b.Began, b.Account = s.profile, s.first(), since(s.now, s.before)
	s.client.Send(b)
}

// Close ends the profile and the connection. Batches that the server does not take in time are lost.
func (s *Source) Close() {
	s.mu.Lock()
	if s.profile != 0 {
		s.end()
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s.client.Close(ctx)
}

// since is what became of the ticks after those of an earlier account.
func since(now, before live.Account) live.Account {
	return live.Account{Raised: now.Raised - before.Raised, Missed: now.Missed - before.Missed,
		Taken: now.Taken - before.Taken, Idle: now.Idle - before.Idle, Program: now.Program - before.Program,
		GC: now.GC - before.GC, Lost: max(now.Lost-before.Lost, 0)} // lost ones may still be taken
}

// bounded is a text as messages may have it.
func bounded(text string) string {
	const most = 4096
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func newID() string {
	var id [16]byte
	rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// explain says in a line why there is no connection, and what happens now.
func explain(server string, err error) string {
	if u, parseErr := url.Parse(server); parseErr == nil && u.Host != "" {
		server = u.Scheme + "://" + u.Host // not the key
	}
	text := fmt.Sprintf("no server at %s (%v); the run goes on, and is shown when there is one", server, err)
	var refusal *client.Refusal
	var gone *client.Gone
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &unknown):
		text = fmt.Sprintf("%s has a certificate that this machine does not trust; the run goes on, and is not shown", server)
	case errors.As(err, &refusal):
		text = fmt.Sprintf("%s does not show this run: %s", server, refusal.Why)
	case errors.As(err, &gone):
		text = fmt.Sprintf("%s went away; the run goes on, and is shown again when it is back", server)
	}
	return profile.Notes([]string{text})[0] // servers write parts of it
}
