//go:build linux

package deploy

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The server holds no file of a client that went away, and lives on when it may not
// read one.
func TestNodeServerKeepsNoFiles(t *testing.T) {
	node, port := need(t, "node"), must.FreePort(t)
	folder := t.TempDir()
	for dir := folder; strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil { // for the user that the server runs as
			t.Fatal(err)
		}
	}
	must.WriteTree(t, folder, map[string]string{"server.mjs": block(t, "server.mjs"), "dist/large.bin": strings.Repeat("x", 32<<20), "dist/secret.txt": "s", "dist/plain.txt": "plain"})
	must.Do(t, os.Chmod(filepath.Join(folder, "dist/secret.txt"), 0))
	cmd := exec.Command(node, "server.mjs")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "PORT="+port)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	address := "http://127.0.0.1:" + port
	start(t, cmd, address+"/plain.txt")

	for range 10 {
		connection := must.Get(net.Dial("tcp", "127.0.0.1:"+port))(t)
		fmt.Fprintf(connection, "GET /large.bin?fieldprof=0 HTTP/1.1\r\nHost: x\r\n\r\n")
		if line, err := bufio.NewReader(connection).ReadString('\n'); !strings.Contains(line, "200") {
			t.Fatalf("%q, %v", line, err)
		}
		connection.Close()
	}
	must.Happen(t, "the server closes the files of clients that went away", func() bool {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", cmd.Process.Pid))
		for _, link := range links {
			if target, _ := os.Readlink(link); strings.HasSuffix(target, "large.bin") {
				return false
			}
		}
		return true
	})
	for path, want := range map[string]int{"/secret.txt": http.StatusNotFound, "/dist": http.StatusNotFound, "/%00": http.StatusNotFound, "/plain.txt": http.StatusOK, "/large.bin": http.StatusOK} {
		response, err := http.Get(address + path + "?fieldprof=0")
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, response.StatusCode, want)
		}
	}
}
