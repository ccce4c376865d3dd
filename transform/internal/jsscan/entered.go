package jsscan

// handed notes a function that is written where an argument is, in a call whose callee
// ends at an offset. quoted: the first argument begins with a quote.
func (s *scanner) handed(fn, callee int, quoted bool) {
	f := &s.script.Functions[fn]
	if f.Kind != Expression && f.Kind != Arrow {
		return // the constructor of a class
	}
	text, member := s.calleeName(callee)
	if member && iteratesWith[string(text)] {
		s.seen |= sawIteration
	}
	f.Entered = f.Entered || f.Generator || entersArgument(text, member, quoted)
}

// entersArgument reports whether the event loop enters what is an argument of a call of this
// name.
func entersArgument(callee []byte, member, quoted bool) bool {
	return defers[string(callee)] || member && (defersMethod[string(callee)] || quoted && routes[string(callee)])
}

// defers are functions of engines and Node that call their argument from the event loop.
// They may be written as members: window.setTimeout, http.createServer.
var defers = set("setTimeout", "setInterval", "setImmediate", "queueMicrotask", "requestAnimationFrame", "requestIdleCallback",
	"MutationObserver", "ResizeObserver", "IntersectionObserver", "PerformanceObserver", "createServer")

// defersMethod are methods that do: of promises, of what has events, and of frameworks
// for servers. What calls a callback before it returns, as array methods do, is not among
// them: its time has a checked caller.
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

// handles reports whether what ends before the current token, the operator of an
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
