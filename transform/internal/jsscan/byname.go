package jsscan

import (
	"bytes"
	"slices"
	"strings"
)

// A function is often handed over by its name: app.get("/", show), rows.filter(isOpen),
// button.onclick = this.press, stream.on("data", this.read.bind(this)). The function may be
// defined later, in a region that is read elsewhere, so such names are collected (mention)
// and looked up when everything has been read (resolve).
//
// There is no table of scopes. A plain name is looked up in the functions around it, from the
// inside out, up to the first in which a function is declared or bound under that name. A
// parameter with the name ends the search; a variable does not. A name after a dot means the
// nearest function of an object or class that has it. A wrong guess costs a check, no more.

// mention is a name, alone or at the end of a path, where a function may be.
type mention struct {
	fn       int  // the function that it is in, or -1
	at       int  // where the path begins
	name     span // its last name
	member   bool // a dot precedes it
	enters   bool // the event loop enters what it means
	iterates bool // what it is handed to calls it again and again
}

// moved is the mention where other functions and text precede it.
func (m mention) moved(functions, by int) mention {
	if m.fn >= 0 {
		m.fn += functions
	}
	m.at, m.name = m.at+by, span{m.name.start + by, m.name.end + by}
	return m
}

// handedByName notes a name that is written where an argument is, from an offset up to the
// current token. Callee and quoted are as for handed.
func (s *scanner) handedByName(from, callee int, quoted bool) {
	if callee < 2 || !partOfName[s.buf[callee-1]] || !partOfName[s.buf[callee-2]] {
		return // none of the names has one letter
	}
	m, ok := s.mentioned(from)
	if !ok {
		return
	}
	m.enters, m.iterates = s.handing(callee, quoted)
	if m.enters || m.iterates {
		s.script.mentions = append(s.script.mentions, m)
	}
}

// mentioned returns what the text from an offset to the current token mentions, if it is a
// path of names, or a path with .bind(this) after it.
func (s *scanner) mentioned(from int) (m mention, ok bool) {
	if s.prevEnd <= from {
		return m, false // a syntax error
	}
	text := s.buf[from:s.prevEnd]
	end := pathLength(text)
	if end < len(text) {
		bound, isBound := bytes.CutSuffix(text[:end], []byte(".bind"))
		inside := text[end+1:]
		if !isBound || text[end] != '(' || pathLength(inside) != len(inside)-1 || inside[len(inside)-1] != ')' {
			return m, false
		}
		text = bound
	}
	if len(text) == 0 || '0' <= text[0] && text[0] <= '9' {
		return m, false
	}
	dot := bytes.LastIndexByte(text, '.')
	if dot == len(text)-1 {
		return m, false // no name follows
	}
	return mention{fn: s.f.fn, at: from, name: span{from + dot + 1, from + len(text)}, member: dot >= 0}, true
}

// pathLength counts the bytes at the head of a text that may be part of a path of names.
func pathLength(text []byte) int {
	for i, c := range text {
		if !partOfName[c] && c != '.' && c != '#' {
			return i
		}
	}
	return len(text)
}

// claim gives an arrow function the mentions in its parameters, which were read before
// it was known that they are parameters.
func (s *scanner) claim(arrow, around, params int) {
	for i := len(s.script.mentions) - 1; i >= 0 && s.script.mentions[i].at >= params; i-- {
		if m := &s.script.mentions[i]; m.fn == around {
			m.fn = arrow
		}
	}
}

// boundName is a name and the function that it is bound in, -1 for the top level.
type boundName struct {
	parent int
	name   string
}

// meanings has the functions that have a name which is mentioned.
type meanings struct {
	bound   map[boundName][]int
	members map[string][]int // in order of Start
}

// resolve marks the functions that the mentions mean, and those that hand them to what
// iterates, and forgets the mentions.
func (c *Script) resolve(text []byte) {
	if len(c.mentions) == 0 {
		return
	}
	names := c.meanings(text)
	for _, m := range c.mentions {
		name := string(text[m.name.start:m.name.end])
		var meant []int
		if m.member {
			meant = c.nearest(m.at, names.members[name])
		} else {
			meant = c.inScope(text, m.fn, name, names.bound)
		}
		for _, i := range meant {
			c.Functions[i].Entered = c.Functions[i].Entered || m.enters
			if m.iterates && m.fn >= 0 {
				c.Functions[m.fn].Iterates = true
			}
		}
	}
	c.mentions = nil
}

// meanings finds the functions that the mentions may mean.
func (c *Script) meanings(text []byte) meanings {
	mentioned := map[string]bool{}
	for _, m := range c.mentions {
		mentioned[string(text[m.name.start:m.name.end])] = true
	}
	found := meanings{map[boundName][]int{}, map[string][]int{}}
	for i := range c.Functions {
		f := &c.Functions[i]
		name := f.Name
		if name == "" {
			name = f.Inferred[strings.LastIndexByte(f.Inferred, '.')+1:]
		}
		if !mentioned[name] {
			continue
		}
		switch f.Kind {
		case Declaration, Expression, Arrow:
			if f.Kind == Declaration || f.Inferred == name {
				at := boundName{f.Parent, name}
				found.bound[at] = append(found.bound[at], i)
			}
		case Method:
		default:
			continue
		}
		if f.Kind != Declaration {
			found.members[name] = append(found.members[name], i)
		}
	}
	return found
}

// inScope returns the functions that a name means inside of a function, or of none.
func (c *Script) inScope(text []byte, fn int, name string, bound map[boundName][]int) []int {
	for ; ; fn = c.Functions[fn].Parent {
		if found := bound[boundName{fn, name}]; len(found) > 0 || fn < 0 {
			return found
		}
		f := &c.Functions[fn]
		if f.Kind == Expression && f.Name == name {
			return []int{fn}
		}
		if hasName(text[f.Params:f.ParamsEnd], name) {
			return nil
		}
	}
}

// hasName reports whether a text contains a name that is not part of a longer one.
func hasName(text []byte, name string) bool {
	for at := 0; ; {
		n := bytes.Index(text[at:], []byte(name))
		if n < 0 {
			return false
		}
		at += n
		end := at + len(name)
		if (at == 0 || !partOfName[text[at-1]]) && (end == len(text) || !partOfName[text[end]]) {
			return true
		}
		at = end
	}
}

// nearest returns the one among some functions that begins nearest to an offset.
func (c *Script) nearest(offset int, fns []int) []int {
	if len(fns) == 0 {
		return nil
	}
	after, _ := slices.BinarySearchFunc(fns, offset, func(i, offset int) int { return c.Functions[i].Start - offset })
	if after == len(fns) || after > 0 && offset-c.Functions[fns[after-1]].Start <= c.Functions[fns[after]].Start-offset {
		after--
	}
	return fns[after : after+1]
}
