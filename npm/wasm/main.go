//go:build js && wasm

// Wasm serves package transform/service to the JavaScript around it: bytes go in
// and out by function calls, since there are no streams here.
//
// The host first defines an object globalThis.fieldprofHost with
//
//	write(bytes)        receives the service's output; the bytes belong to the callee
//	start(read, close)  receives the functions to talk to it: read(bytes), close()
//	end(text)           is called when it has ended, with the reason or ""
package main

import (
	"context"
	"io"
	"runtime/debug"
	"syscall/js"

	"github.com/fieldprof/fieldprof/transform/service"
)

func main() {
	// The collector has no processor of its own here, so it runs less often while memory
	// is plentiful.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(1 << 30)
	host := js.Global().Get("fieldprofHost")
	in, feed := io.Pipe()
	arriving := make(chan []byte, 1<<10)
	go func() {
		for chunk := range arriving {
			if _, err := feed.Write(chunk); err != nil {
				break
			}
		}
		feed.Close()
	}()
	read := js.FuncOf(func(_ js.Value, args []js.Value) any {
		chunk := make([]byte, args[0].Get("byteLength").Int())
		js.CopyBytesToGo(chunk, args[0])
		arriving <- chunk
		return nil
	})
	closed := js.FuncOf(func(js.Value, []js.Value) any {
		close(arriving)
		return nil
	})
	host.Call("start", read, closed)
	said := ""
	if err := service.Serve(context.Background(), in, writer{host}); err != nil {
		said = err.Error()
	}
	host.Call("end", said)
}

// writer passes bytes to the host.
type writer struct{ host js.Value }

func (w writer) Write(p []byte) (int, error) {
	bytes := js.Global().Get("Uint8Array").New(len(p))
	js.CopyBytesToJS(bytes, p)
	w.host.Call("write", bytes)
	return len(p), nil
}
