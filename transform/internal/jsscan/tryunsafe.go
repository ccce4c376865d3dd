package jsscan

import "bytes"

// tryUnsafe reports whether putting the body of fn, the function being read, into
// a block would change what its top-level function declarations mean. There
// they are like var; in a block they are like let, and anything else of the same
// name would be an error, or another variable.
func (s *scanner) tryUnsafe(fn *Function) bool {
	declared := s.declared[s.f.declared:]
	if len(declared) == 0 {
		return false
	}
	if s.seen&sawEval != 0 {
		return true
	}
	params := s.buf[fn.Params:fn.ParamsEnd]
	if fn.Kind == Arrow && len(params) > 4096 {
		return true // its parameters are searched as text
	}
	names := make(map[string]bool, len(declared))
	for _, at := range declared {
		name := s.buf[at.start:at.end]
		if bytes.IndexByte(name, '\\') >= 0 || string(name) == "arguments" || names[string(name)] {
			return true
		}
		names[string(name)] = true
		if fn.Kind == Arrow && (bytes.Contains(params, name) || bytes.IndexByte(params, '\\') >= 0) {
			return true
		}
	}
	for _, at := range s.vars[s.f.vars:] {
		name := s.buf[at.start:at.end]
		if names[string(name)] || bytes.IndexByte(name, '\\') >= 0 {
			return true
		}
	}
	return false
}
