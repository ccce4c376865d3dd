package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

const suiteFolder = "js-self-profiling"

// site is the suite, instrumented and served.
type site struct {
	url  string // without a slash at the end
	root string // folder of the instrumented suite, temporary
	temp string
	http *http.Server
}

// openSite instruments the suite in a checkout and serves it.
func openSite(dir string, obeyPolicy bool) (*site, error) {
	if info, err := os.Stat(filepath.Join(dir, suiteFolder)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s holds no folder %s: it should be a checkout of web-platform-tests/wpt", dir, suiteFolder)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "fieldprof-wpt-")
	if err != nil {
		return nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	s := &site{url: fmt.Sprintf("http://127.0.0.1:%d", port), root: filepath.Join(temp, "served"), temp: temp}
	source := filepath.Join(temp, "suite")
	err = copySuite(os.DirFS(dir), source, port)
	if err == nil {
		_, err = builddir.Run(context.Background(), builddir.Options{
			Input: source, Output: s.root, Selection: transform.Selection{Preset: transform.Precise}, NoSizes: true, Runtime: runtime.Options{Prefer: "polyfill", ObeyPolicy: obeyPolicy, WrapWorkers: true},
		})
	}
	if err == nil {
		err = movePrologues(s.root)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	s.http = &http.Server{Handler: &handler{checkout: os.DirFS(dir), suite: os.DirFS(s.root)}}
	go s.http.Serve(listener)
	return s, nil
}

func (s *site) close() {
	s.http.Close()
	os.RemoveAll(s.temp)
}

// copySuite copies the suite, substituted: the files that are instrumented must be those
// that are served.
func copySuite(checkout fs.FS, to string, port int) error {
	return fs.WalkDir(checkout, suiteFolder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		place := filepath.Join(to, filepath.FromSlash(name))
		if entry.IsDir() {
			return os.MkdirAll(place, 0o755)
		}
		text, err := fs.ReadFile(checkout, name)
		if err != nil {
			return err
		}
		if strings.Contains(path.Base(name), ".sub.") {
			text = substitute(text, port)
		}
		return os.WriteFile(place, text, 0o644)
	})
}

var (
	secureOrigin = regexp.MustCompile(`https(://\{\{)`)
	otherHost    = regexp.MustCompile(`\{\{(?:hosts\[alt\]\[[^\]]*\]|(?:hosts\[\]|domains)\[[^\]]+\])\}\}`)
	ownHost      = regexp.MustCompile(`\{\{(?:host|hosts\[\]\[\]|domains\[\]|location\[hostname\])\}\}`)
	anyPort      = regexp.MustCompile(`\{\{(?:ports\[\w+\]\[\d\]|location\[port\])\}\}`)
)

// substitute fills in what the suite's own server would in files with .sub. in
// their names: this server has one port and two hosts, which makes two origins.
func substitute(text []byte, port int) []byte {
	text = secureOrigin.ReplaceAll(text, []byte("http$1"))
	text = otherHost.ReplaceAll(text, []byte("localhost"))
	text = ownHost.ReplaceAll(text, []byte("127.0.0.1"))
	return anyPort.ReplaceAll(text, []byte(fmt.Sprint(port)))
}
