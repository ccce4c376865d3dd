package site

import (
	"bufio"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/serve/site"
	"github.com/fieldprof/fieldprof/test/browser"
)

func TestMain(m *testing.M) { browser.Main(m) }

const token = "token-of-the-test"

// served is a site with a hub that accepts sources and tells them nothing.
type served struct {
	*site.Site
	url string
}

func serve(t *testing.T, o site.Options) *served {
	t.Helper()
	o.Source = token
	o.Log = func(line string) { t.Log(line) }
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	s, err := site.New(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", s)
	mux.HandleFunc("/__fieldprof/source", func(w http.ResponseWriter, r *http.Request) { listen(ctx, w, r) })
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &served{s, server.URL}
}

// listen opens a WebSocket and keeps it open.
func listen(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer connection.Close()
	fmt.Fprintf(connection, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: %s\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		r.Header.Get("Sec-WebSocket-Protocol"), base64.StdEncoding.EncodeToString(sum[:]))
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	for buffer := make([]byte, 4096); ; {
		if _, err := connection.Read(buffer); err != nil {
			return
		}
	}
}

var frame = regexp.MustCompile(`(https?://[^\s()]+?):(\d+):(\d+)`)

// placeOf says what the site knows of the innermost frame of a stack.
func (s *served) placeOf(t *testing.T, stack string) (name, source string) {
	t.Helper()
	found := frame.FindStringSubmatch(stack)
	if found == nil {
		t.Fatalf("no frame in %q", stack)
	}
	script, ok := s.Script(found[1])
	if !ok || script.Table == nil {
		t.Fatalf("%s is not known", found[1])
	}
	line, _ := strconv.Atoi(found[2])
	column, _ := strconv.Atoi(found[3])
	f := script.Table.Functions[script.Table.Find(functable.Position{Line: int32(line), Column: int32(column)})]
	if f.Original == nil {
		return f.Name, ""
	}
	return f.Original.Name, f.Original.Source
}

// developed is an app with its dev server, and the site in front of it.
func developed(t *testing.T) (*served, string) {
	t.Helper()
	packages := filepath.Join(fixtures.Dir(), "../test/sites/testdata")
	fixtures.EnsureIn(t, packages)
	root := filepath.Join(t.TempDir(), "app")
	if err := os.CopyFS(root, os.DirFS("testdata/app")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(root, "node_modules")); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("node", "testdata/dev.mjs", root, packages)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	t.Cleanup(func() {
		input.Close()
		command.Wait()
	})
	address, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal("the dev server did not start: ", err)
	}
	return serve(t, site.Options{Proxy: strings.TrimSpace(address), Isolated: true}), root
}
