package site

import (
	"bufio"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/serve/site"
	"github.com/fieldprof/fieldprof/test/browser"
)

func TestMain(m *testing.M) { browser.Main(m) }

const token = "token-of-the-test"

// served is a site with a hub that notes what connects, and sends nothing.
type served struct {
	*site.Site
	url string

	mu   sync.Mutex
	came map[string]hello // by URL, the latest
}

// hello is a part of what a source says first.
type hello struct{ Token, What, URL string }

func serve(t *testing.T, o site.Options) *served {
	t.Helper()
	o.Source = token
	o.Log = func(line string) { t.Log(line) }
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	of, err := site.New(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	s := &served{Site: of, came: map[string]hello{}}
	mux := http.NewServeMux()
	mux.Handle("/", s)
	mux.HandleFunc("/__fieldprof/source", func(w http.ResponseWriter, r *http.Request) { s.listen(ctx, w, r) })
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.url = server.URL
	return s
}

// listen opens a WebSocket, reads what comes first, and keeps it open.
func (s *served) listen(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	connection, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer connection.Close()
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	fmt.Fprintf(connection, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: %s\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		r.Header.Get("Sec-WebSocket-Protocol"), base64.StdEncoding.EncodeToString(sum[:]))
	var first hello
	if err := json.Unmarshal(readFrame(buffered), &first); err == nil {
		s.mu.Lock()
		s.came[first.URL] = first
		s.mu.Unlock()
	}
	io.Copy(io.Discard, buffered)
}

// readFrame reads a frame of a WebSocket's client, which is masked.
func readFrame(from io.Reader) []byte {
	head := make([]byte, 2)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil
	}
	size := int(head[1] & 0x7f)
	if size == 126 {
		long := make([]byte, 2)
		io.ReadFull(from, long)
		size = int(binary.BigEndian.Uint16(long))
	}
	mask, data := make([]byte, 4), make([]byte, size)
	io.ReadFull(from, mask)
	io.ReadFull(from, data)
	for i := range data {
		data[i] ^= mask[i%4]
	}
	return data
}

// waitFor waits until a source whose URL begins like this has come, with the site's token.
func (s *served) waitFor(t *testing.T, what, path string) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		for url, h := range s.came {
			if h.What == what && strings.HasPrefix(url, s.url+path) {
				if h.Token != token {
					t.Errorf("%s comes with the token %q", url, h.Token)
				}
				s.mu.Unlock()
				return
			}
		}
		s.mu.Unlock()
	}
	t.Fatalf("no %s of %s came, only %v", what, path, s.came)
}

var frame = regexp.MustCompile(`(https?://[^\s()]+?):(\d+):(\d+)`)

// placeOf says what the site knows of the innermost frame of a stack.
func (s *served) placeOf(t *testing.T, stack string) (name, source string) {
	t.Helper()
	found := frame.FindStringSubmatch(stack)
	if found == nil {
		t.Fatalf("no frame in %q", stack)
	}
	script, ok := s.Script("", found[1])
	if !ok || script.Table == nil {
		t.Fatalf("%s is not known", found[1])
	}
	line, _ := strconv.Atoi(found[2])
	column, _ := strconv.Atoi(found[3])
	f := script.Table.Functions[script.Table.Find(functable.Position{Line: int32(line), Column: int32(column)})]
	if f.Original == nil {
		place, _ := script.Map.Find(line-1, column-1)
		return f.Name, place.Source
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
	script, err := os.ReadFile("testdata/dev.mjs")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("node", "--input-type=module", "--eval", string(script), root)
	command.Dir = packages
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
