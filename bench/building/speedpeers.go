package building

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"

	"github.com/fieldprof/fieldprof/internal/lexing"
	"github.com/fieldprof/fieldprof/transform"
)

// The peers with which others are compared.
const (
	peerLexer     = "lexer"
	peerTransform = "transform"
	peerWithMap   = "transform, with map"
)

// peer is a tool that is timed.
type peer struct {
	name    string
	against string // which of our transforms it is compared with, or "" for the lexer alone
	goal    string
	takes   func(*subject) bool
	// run does its work on one text; a peer without it runs in Node.
	run func(s *subject, code, sourceMap []byte) error
}

// istanbulSize bounds istanbul's input: it needs a second for each megabyte or two.
const istanbulSize = 700_000

func speedPeers() []peer {
	all := func(*subject) bool { return true }
	shipped := func(s *subject) bool { return !s.printed }
	mapped := func(s *subject) bool { return s.mapPath != "" }
	small := func(s *subject) bool { return !s.printed && s.size <= istanbulSize }
	lexer := func(_ *subject, code, _ []byte) error { return lexing.Read(code) }
	return []peer{
		{peerLexer, "", "", all, lexer},
		{"lexer again", "", "", all, lexer},
		{peerTransform, "", "≥ 0.75 of the lexer", shipped, func(s *subject, code, _ []byte) error { return runTransform(s, code, nil) }},
		{peerWithMap, "", "≥ 0.45 of the lexer", mapped, runTransform},
		{"js.Parse", peerTransform, "", shipped, func(_ *subject, code, _ []byte) error {
			_, err := js.Parse(parse.NewInputBytes(code), js.Options{})
			return err
		}},
		{"esbuild transform", peerTransform, "≥ 8×", shipped, runESBuild},
		{"swc", peerTransform, "≥ 8×", shipped, nil},
		{"acorn + magic-string", peerTransform, "≥ 10×", shipped, nil},
		{"acorn + magic-string, with map", peerWithMap, "≥ 10×", mapped, nil},
		{"istanbul", peerTransform, "≥ 200×", small, nil},
	}
}

func runTransform(s *subject, code, sourceMap []byte) error {
	result, err := transform.Transform(code, transform.Options{File: s.name, SourceMap: sourceMap})
	if err == nil && len(result.Warnings) > 0 {
		err = errors.New(result.Warnings[0].String())
	}
	return err
}

func runESBuild(s *subject, code, _ []byte) error {
	result := api.Transform(string(code), api.TransformOptions{Loader: api.LoaderJS, LogLevel: api.LogLevelSilent})
	if len(result.Errors) > 0 {
		return errors.New(result.Errors[0].Text)
	}
	return nil
}

// nodePeers is the Node process that times the peers from npm.
type nodePeers struct {
	command  *exec.Cmd
	requests io.WriteCloser
	replies  *bufio.Reader
}

func startNodePeers(ctx context.Context) (*nodePeers, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("node is not on the PATH; the peers from npm need it (install Node.js)")
	}
	n := &nodePeers{command: exec.CommandContext(ctx, node, "--max-old-space-size=4096", filepath.Join(peersFolder(), "peers.mjs"))}
	if n.requests, err = n.command.StdinPipe(); err != nil {
		return nil, err
	}
	replies, err := n.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	n.replies = bufio.NewReader(replies)
	return n, n.command.Start()
}

// reply is what peers.mjs answers.
type reply struct {
	NS       int64             `json:"ns"`
	Error    string            `json:"error"`
	Versions map[string]string `json:"versions"`
}

func (n *nodePeers) ask(request map[string]any) (reply, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return reply{}, err
	}
	if _, err := n.requests.Write(append(line, '\n')); err != nil {
		return reply{}, fmt.Errorf("peers.mjs: %w", err)
	}
	text, err := n.replies.ReadBytes('\n')
	if err != nil {
		return reply{}, fmt.Errorf("peers.mjs: %w", err)
	}
	var r reply
	return r, json.Unmarshal(text, &r)
}

// time requests one run. A peer that fails on a text is not an error of the bench.
func (n *nodePeers) time(peer string, s *subject) (took time.Duration, failure string, err error) {
	r, err := n.ask(map[string]any{"peer": peer, "path": s.path, "module": s.module})
	return time.Duration(r.NS), r.Error, err
}

func (n *nodePeers) stop() {
	n.requests.Close()
	n.command.Wait()
}
