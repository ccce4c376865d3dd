package api_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
)

// heldStore is a store that answers Values when the test lets it.
type heldStore struct {
	*memory.Store
	entered chan string // apps that are asked about
	leave   chan struct{}
}

func (h *heldStore) Values(ctx context.Context, s store.Selection) (map[string][]store.Value, error) {
	h.entered <- s.App
	select {
	case <-h.leave:
		return h.Store.Values(ctx, s)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Slow questions of one token leave places for the others, and a client that goes away frees its place.
func TestPlaces(t *testing.T) {
	c := newCollector(t)
	held := &heldStore{c.store, make(chan string), make(chan struct{})}
	c.openOver(held)
	answered := make(chan int)
	ask := func(ctx context.Context, with, app string) {
		go func() {
			answered <- c.ask("GET", "/api/v1/values?app="+app, "", token(with), func(r *http.Request) { *r = *r.WithContext(ctx) }).StatusCode
		}()
	}
	await := func(entered chan string, want string) {
		t.Helper()
		select {
		case app := <-entered:
			if app != want {
				t.Errorf("%s is asked about, want %s", app, want)
			}
		case <-time.After(5 * time.Minute):
			t.Fatal("no question reached the store")
		}
	}
	for range 2 {
		ask(t.Context(), readShop, "shop")
		await(held.entered, "shop")
	}
	leaving, goAway := context.WithCancel(t.Context())
	ask(leaving, readShop, "shop") // has no place
	ask(t.Context(), readNews, "news")
	await(held.entered, "news")
	goAway()
	<-answered
	ask(t.Context(), readShop, "shop") // has none, either
	held.leave <- struct{}{}           // until one of the others is done
	<-answered
	drained := make(chan struct{})
	go func() {
		for range 3 {
			held.leave <- struct{}{}
		}
		close(drained)
	}()
	// Whichever was first: the last one enters once a place of its token is free.
	for left := 3; left > 0; {
		select {
		case <-held.entered:
		case status := <-answered:
			left--
			if status != http.StatusOK {
				t.Errorf("%d", status)
			}
		case <-time.After(5 * time.Minute):
			t.Fatal("a question is stuck")
		}
	}
	<-drained
}
