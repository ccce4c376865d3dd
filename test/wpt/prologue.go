package main

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/fieldprof/fieldprof/functable"
)

// The suite expects functions where its files define them. Checks are after
// a function's beginning, but a script's prologue is before its first line,
// and moves what is defined on that one. Here, where all scripts are bound to
// the same names, one prologue serves for all: it moves from the scripts of
// pages into the runtime's, which every page loads first.

var prologue = regexp.MustCompile(`^var\{flag:[$\w]+=\[0,0\]\}=globalThis\.__fieldprof\|\|0;`)

// movePrologues takes the prologues out of a site's scripts, and puts them into
// the runtime's.
func movePrologues(root string) error {
	moved := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), suiteFolder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".js" {
			return err
		}
		file := filepath.Join(root, filepath.FromSlash(name))
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		found := prologue.Find(text)
		if found == nil {
			return nil
		}
		moved[string(found)] = true
		if err := moveTable(file+".functions.json", int32(len(found))); err != nil {
			return err
		}
		return os.WriteFile(file, bytes.TrimPrefix(text, found), 0o644)
	})
	if err != nil {
		return err
	}
	file := filepath.Join(root, "fieldprof/runtime.js")
	text, err := os.ReadFile(file)
	for found := range moved {
		text = append(text, found...)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// moveTable moves the entries of a function table for the first line to the left.
func moveTable(file string, by int32) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	table, err := functable.Decode(text)
	if err != nil {
		return err
	}
	for i := range table.Functions {
		f := &table.Functions[i]
		for _, p := range []*functable.Position{&f.Start, &f.End, &f.Definition} {
			if p.Line == 1 && p.Column > by {
				p.Column -= by
			}
		}
	}
	if text, err = table.Encode(); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
