package engines

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/browser"
)

// browsersEach runs a test in every browser.
func browsersEach(t *testing.T, test func(t *testing.T, run runner)) {
	for _, name := range []browser.Name{browser.Chromium, browser.Firefox, browser.WebKit} {
		t.Run(string(name), func(t *testing.T) { test(t, browser.Run(name)) })
	}
}

// answers is a server that pages of other origins may ask. Its answer comes in parts, with longer
// pauses than a program that has ended rests; /never never comes.
func answers(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.URL.Path == "/never" {
			<-r.Context().Done()
			return
		}
		for i := range 3 {
			fmt.Fprintf(w, "part %d;", i)
			http.NewResponseController(w).Flush()
			time.Sleep(300 * time.Millisecond)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A program goes on while it reads an answer, in whichever way.
func TestReadsArePending(t *testing.T) {
	url := answers(t)
	path := write(t, "app.mjs", `
const url = process.argv[2], whole = "part 0;part 1;part 2;", text = new TextDecoder();
const ask = async () => (await fetch(url)).body;
const ways = {
	async reader(body) {
		let got = "";
		for (let reader = body.getReader(), read; !(read = await reader.read()).done;) got += text.decode(read.value);
		return got;
	},
	async through(body) {
		let got = "";
		for (let reader = body.pipeThrough(new TextDecoderStream()).getReader(), read; !(read = await reader.read()).done;) got += read.value;
		return got;
	},
	async to(body) {
		let got = "";
		await body.pipeTo(new WritableStream({ write(part) { got += text.decode(part); } }));
		return got;
	},
	async halves(body) { return ways.reader(body.tee()[1]); },
	async iterator(body) {
		if (!body[Symbol.asyncIterator]) return whole;
		let got = "";
		for await (const part of body) got += text.decode(part);
		return got;
	},
};
for (const way in ways) console.log(way, (await ways[way](await ask())) === whole);
const { body } = await fetch(url);
body.getReader().read().then(() => console.log("left")); // and no more of it
`)
	browsersEach(t, func(t *testing.T, run runner) {
		got, _ := perform(t, run, engine.Program{Path: path, Args: []string{url}}, engine.Settings{})
		if want := (outcome{stdout: "reader true\nthrough true\nto true\nhalves true\niterator true\nleft\n"}); got != want {
			t.Errorf("%+v\nwant %+v", got, want)
		}
	})
}

// A task that is stopped, or fails, is not pending any more.
func TestStoppedTasksAreNotPending(t *testing.T) {
	url := answers(t)
	path := write(t, "app.js", `
const hour = 3_600_000, url = process.argv[2], timers = {};
timers[setInterval(() => {}, hour)] = timers[setTimeout(() => {}, hour)] = true;
for (const id in timers) clearInterval(id); // IDs that are keys are strings
cancelAnimationFrame(String(requestAnimationFrame(() => {})));
clearImmediate(String(setImmediate(() => {})));

const failing = (name, send) => { try { send(new XMLHttpRequest()); } catch (error) { console.log(name, "failed"); } };
failing("synchronous", (r) => { r.open("GET", "http://127.0.0.1:1/", false); r.send(); });
failing("unopened", (r) => r.send());
failing("twice", (r) => { r.open("GET", url); r.onload = () => console.log("once"); r.send(); r.send(); });
const opened = new XMLHttpRequest();
opened.open("GET", url + "/never"); opened.send(); opened.open("GET", url);
const aborted = new XMLHttpRequest();
aborted.open("GET", url + "/never"); aborted.send(); aborted.abort();
`)
	browsersEach(t, func(t *testing.T, run runner) {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		got, result, err := attempt(ctx, run, engine.Program{Path: path, Args: []string{url}}, engine.Settings{})
		skipMissing(t, err)
		if err != nil || result.Stopped || got != (outcome{stdout: "synchronous failed\nunopened failed\ntwice failed\nonce\n"}) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
