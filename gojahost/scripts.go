package gojahost

import (
	"crypto/sha256"
	"runtime"
	"strconv"
	"weak"

	"github.com/dop251/goja/file"
)

// scripts are those that a recording knows.
//
// One that it compiled is forgotten when nothing can show it any more: no program, no
// function of a runtime, no stack that is kept. All of these refer to goja's file of the
// script, so the end of that file tells.
type scripts struct {
	named map[string]*script // by the name that frames carry
	texts map[string]*texts  // of those that were compiled, by file
}

// texts are the texts of a file.
type texts struct {
	last  int               // number that one of them got
	names map[textID]string // by which goja knows them
}

// textID tells the texts of a file apart.
type textID struct {
	sum    [sha256.Size]byte
	prefix int
}

func newScripts() scripts { return scripts{map[string]*script{}, map[string]*texts{}} }

// add adds a script, and returns the name by which goja is to know it and which its frames
// carry. Nothing else in a frame tells scripts apart, so a second text of one file becomes
// name?2.
func (l *scripts) add(s *script) (name string) {
	of := l.texts[s.File()]
	if of == nil {
		of = &texts{names: map[textID]string{}}
		l.texts[s.File()] = of
	}
	s.id = textID{sha256.Sum256(s.Code), s.prefix}
	name, known := of.names[s.id]
	if known {
		s.users = l.named[name].users
	} else {
		name = l.free(s.File(), of)
	}
	s.users++
	of.names[s.id], l.named[name] = name, s
	return name
}

// free is a name for another text of a file, which none has had while it had others.
func (l *scripts) free(file string, of *texts) (name string) {
	for {
		of.last++
		if name = file; of.last > 1 {
			name += "?" + strconv.Itoa(of.last)
		}
		if l.named[name] == nil {
			return name
		}
	}
}

// drop undoes an add.
func (l *scripts) drop(name string) {
	s := l.named[name]
	if s.users--; s.users > 0 {
		return
	}
	delete(l.named, name)
	of := l.texts[s.File()]
	if delete(of.names, s.id); len(of.names) == 0 {
		delete(l.texts, s.File())
	}
}

// entry is a script in a recording. It does not keep the recording, whose stacks refer to
// goja's file: then neither would ever be collected.
type entry struct {
	in   weak.Pointer[recording]
	name string
}

// forgetAfter forgets a script when goja's file of it is gone.
func (r *recording) forgetAfter(f *file.File, name string) {
	runtime.AddCleanup(f, func(e entry) {
		if r := e.in.Value(); r != nil {
			r.forget(e.name)
		}
	}, entry{weak.Make(r), name})
}

// forget takes back what register did.
func (r *recording) forget(name string) {
	r.known.Lock()
	r.scripts.drop(name)
	r.known.Unlock()
}
