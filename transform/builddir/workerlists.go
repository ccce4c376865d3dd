package builddir

import (
	"bytes"
	"slices"
)

// A service worker has its list in its own text, in a script that it loads by importScripts, or in a
// module that it imports. Scripts of pages have data that look like such lists, which are their own.

// keepsFiles reports whether a script that has what looks like a list has it for a service worker.
func (s *scriptFile) keepsFiles() bool { return s.ofWorker || s.listOf != nil }

// revises reports whether a script may have a service worker's list with revisions that are digests.
func (s *scriptFile) revises() bool { return s.hasHexes && s.keepsFiles() }

// mentionsLists reports whether a script has words that are in most scripts with a list for a service worker, and
// hardly in others.
func mentionsLists(src []byte) bool {
	return slices.ContainsFunc([]string{"skipWaiting", "__WB_", "precache", "Precache", "PRECACHE"}, func(word string) bool { return bytes.Contains(src, []byte(word)) })
}

// handlesInstall reports whether a script has a handler for the event that service workers get first.
func handlesInstall(src []byte) bool {
	const event = "install"
	for at := range occurrencesOf(src, event) {
		before, after := src[:at], src[at+len(event):]
		if at == 0 || len(after) == 0 {
			continue
		}
		switch quote := before[at-1]; quote {
		case '"', '\'', '`':
			if after[0] == quote {
				return true
			}
		case 'n':
			rest := bytes.TrimLeft(after[:min(len(after), 64)], " \t\r\n")
			if bytes.HasSuffix(before, []byte("on")) && len(rest) > 1 && rest[0] == '=' && rest[1] != '=' {
				return true
			}
		}
	}
	return false
}

// shortestHex is how long the shortest hexadecimal digest is.
const shortestHex = 32

// holdsHexes reports whether a script may have hexadecimal digests. No digest fits between two places that are so far
// apart as the shortest is long, so only what is around such places is looked at.
func holdsHexes(src []byte) bool {
	isHex := func(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }
	for at := 0; at < len(src); {
		start, end := at, at
		for start > 0 && at-start < shortestHex && isHex(src[start-1]) {
			start--
		}
		for end < len(src) && end-start < shortestHex && isHex(src[end]) {
			end++
		}
		if end-start >= shortestHex {
			return true
		}
		at = end + shortestHex
	}
	return false
}

// findLists finds the scripts that hold the lists of other scripts, which are service workers.
func (w *work) findLists() {
	for _, s := range w.scripts {
		note := func(list *scriptFile) {
			if list != nil && list != s && list.listOf == nil && !list.ofWorker {
				list.listOf = s
			}
		}
		if s.keeps {
			for _, name := range s.loads {
				loaded, _ := w.at(s, name)
				note(loaded)
			}
		}
		if s.installs && !s.inPages { // else it only mentions the event
			w.reach(s, func(imported *scriptFile) bool {
				note(imported)
				return false
			})
		}
	}
}

// loadedByScripts are the URLs of the scripts that a worker loads by importScripts, as far as the calls contain them.
func loadedByScripts(src []byte) (urls []string) {
	const call = "importScripts("
	for at := range occurrencesOf(src, call) {
		after := src[at+len(call):]
		list, ok := readArguments(after[:min(len(after), startReach)])
		if !ok {
			continue
		}
		for _, argument := range list {
			for _, s := range argument.strings {
				urls = append(urls, s.text)
			}
		}
	}
	return urls
}
