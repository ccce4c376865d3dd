package jsscan

// handed notes a function that is written where an argument is, in a call whose callee
// ends at an offset. quoted: the first argument begins with a quote.
func (s *scanner) handed(fn, callee int, quoted bool) {
	f := &s.script.Functions[fn]
	if f.Kind != Expression && f.Kind != Arrow {
		return // the constructor of a class
	}
	enters, iterates := s.handing(callee, quoted)
	if iterates {
		s.seen |= sawIteration
	}
	f.Entered = f.Entered || f.Generator || enters
}

// handing says what becomes of a function that is an argument of a call: the event loop enters
// it, or the callee calls it again and again. Callee and quoted are as for handed.
func (s *scanner) handing(callee int, quoted bool) (enters, iterates bool) {
	text, member := s.calleeName(callee)
	enters = defers[string(text)] || member && (defersMethod[string(text)] || quoted && routes[string(text)])
	return enters, member && iteratesWith[string(text)]
}

// defers are functions of engines and Node that call their argument from the event loop.
// They may be written as members: window.setTimeout, http.createServer.
var defers = set("setTimeout", "setInterval", "setImmediate", "queueMicrotask", "requestAnimationFrame", "requestIdleCallback",
	"MutationObserver", "ResizeObserver", "IntersectionObserver", "PerformanceObserver", "createServer")

// defersMethod are methods that do: of promises, of objects with events, and of frameworks
// for servers. Methods that call a callback before they return, as methods of arrays do, are
// not among them: the callback's time has a checked caller.
var defersMethod = set("then", "catch", "finally", "on", "once", "addListener", "prependListener", "prependOnceListener",
	"addEventListener", "nextTick", "listen", "use", "addHook")

// routes are methods that do so for a path, or for the address of a request.
var routes = set("get", "post", "put", "patch", "delete", "head", "options", "all")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// handles reports whether the text that ends before the current token, the operator of an
// assignment, is a handler's property as the DOM spells them: on and three or more
// lower-case letters, so not once and only.
func (s *scanner) handles() bool {
	end := s.prevEnd
	start := end
	for start > 0 && 'a' <= s.buf[start-1] && s.buf[start-1] <= 'z' {
		start--
	}
	return end-start >= len("oncut") && string(s.buf[start:start+2]) == "on" && (start == 0 || !partOfName[s.buf[start-1]])
}

// settleHandler notes the function that was read last if it is all that is assigned to a
// handler's property.
func (s *scanner) settleHandler(x *expr) {
	if x.handler == 0 || x.target != x.handler {
		return
	}
	if x.fn < 0 {
		if m, ok := s.mentioned(x.handler); ok {
			m.enters = true
			s.script.mentions = append(s.script.mentions, m)
		}
		return
	}
	if f := &s.script.Functions[x.fn]; f.Kind == Expression || f.Kind == Arrow {
		f.Entered = true
	}
}
