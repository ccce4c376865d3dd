package deploy

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// start runs a server until the end of the test, and waits until it answers.
func start(t *testing.T, cmd *exec.Cmd, address string) {
	t.Helper()
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s said: %s", cmd.Path, said.String())
		}
	})
	must.Happen(t, cmd.Path+" answers", func() bool {
		response, err := http.Get(address)
		if err == nil {
			response.Body.Close()
		}
		return err == nil
	})
}

// bothSites gives a folder with dist and dist-profiled.
func bothSites(t *testing.T) string {
	t.Helper()
	folder := application(t, nil)
	shell(t, folder, "instrument dist/")
	return folder
}

func TestNginx(t *testing.T) {
	nginx := need(t, "nginx", "/usr/sbin/nginx")
	folder, port := bothSites(t), must.FreePort(t)
	conf := block(t, "fieldprof.conf")
	conf = replaced(t, conf, "listen 8080;", "listen 127.0.0.1:"+port+";")
	for _, site := range []string{"/srv/app/dist;", "/srv/app/dist-profiled;"} {
		conf = replaced(t, conf, site, folder+strings.TrimPrefix(site, "/srv/app"))
	}
	// The rest is what a system's own configuration has, for this user.
	me := must.Get(user.Current())(t)
	whole := "daemon off; master_process off; pid nginx.pid; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n"
	if me.Uid == "0" {
		whole = "user root;\n" + whole
	}
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		whole += kind + "_temp_path tmp-" + kind + ";\n"
	}
	must.Do(t, os.WriteFile(filepath.Join(folder, "nginx.conf"), []byte(whole+conf+"}\n"), 0o644))
	address := "http://127.0.0.1:" + port
	start(t, exec.Command(nginx, "-p", folder, "-c", "nginx.conf", "-e", "stderr"), address)
	checkServer(t, address, func(client string) bool {
		// nginx draws by MurmurHash2, of which 1 % is the lowest part.
		return murmur2("first draw 127.0.0.1 "+client) < 0xffffffff/100
	})
	throughBothSites(t, address)
}

func TestNodeServer(t *testing.T) {
	node := need(t, "node")
	folder, port := bothSites(t), must.FreePort(t)
	must.Do(t, os.WriteFile(filepath.Join(folder, "server.mjs"), []byte(block(t, "server.mjs")), 0o644))
	address := "http://127.0.0.1:" + port
	server := exec.Command(node, "server.mjs")
	server.Dir = folder
	server.Env = append(os.Environ(), "PORT="+port)
	start(t, server, address)
	checkServer(t, address, func(client string) bool {
		sum := sha256.Sum256([]byte("first draw ::ffff:127.0.0.1 " + client))
		return float64(binary.BigEndian.Uint32(sum[:]))/(1<<32) < 0.01
	})
	throughBothSites(t, address)
}

// murmur2 is MurmurHash2 with a seed of 0.
func murmur2(text string) uint32 {
	const m = 0x5bd1e995
	data, hash := []byte(text), uint32(len(text))
	for ; len(data) >= 4; data = data[4:] {
		k := binary.LittleEndian.Uint32(data) * m
		hash = hash*m ^ (k^k>>24)*m
	}
	if len(data) > 0 {
		for i := len(data) - 1; i >= 0; i-- {
			hash ^= uint32(data[i]) << (8 * i)
		}
		hash *= m
	}
	hash = (hash ^ hash>>13) * m
	return hash ^ hash>>15
}

// answer is what a server says to one request.
type answer struct {
	status int
	header http.Header
	body   string
}

func get(t *testing.T, url, client, cookie string) answer {
	t.Helper()
	request := must.Get(http.NewRequest("GET", url, nil))(t)
	request.Header.Set("User-Agent", client)
	if cookie != "" {
		request.Header.Set("Cookie", cookie)
	}
	response := must.Get(http.DefaultClient.Do(request))(t)
	defer response.Body.Close()
	body := must.Get(io.ReadAll(response.Body))(t)
	return answer{response.StatusCode, response.Header, string(body)}
}

// isProfiled reports whether an answer is a file of the profiled site.
func (a answer) isProfiled() bool {
	return strings.Contains(a.body, "fieldprof/runtime.js") || strings.Contains(a.body, "__fieldprof") || strings.Contains(a.body, "fieldprof/checks.js")
}

// checkServer asks a server for both sites, as clients of every sort.
func checkServer(t *testing.T, address string, isDrawn func(client string) bool) {
	t.Helper()
	const page, asset, other = "/index.html", "/assets/vendor-1a2b.js", "/assets/shared-5e6f.mjs"
	var drawn, rest string // a client of each kind
	count := 0
	const clients = 2000
	for i := range clients {
		client := fmt.Sprintf("client %d", i)
		if isDrawn(client) {
			count++
			drawn = client
		} else {
			rest = client
		}
		if got := get(t, address+page, client, ""); got.isProfiled() != isDrawn(client) {
			t.Fatalf("%s: profiled: %v", client, got.isProfiled())
		}
	}
	if count < clients/200 || count > clients/50 {
		t.Errorf("%d of %d clients are drawn, which is not near 1 %%", count, clients)
	}
	for _, c := range []struct {
		client, cookie, query string
		profiled              bool
	}{
		{drawn, "", "", true},
		{rest, "", "", false},
		{drawn, "fieldprof=clean", "", false},
		{rest, "fieldprof=profiled", "", true},
		{rest, "a=b; fieldprof=profiled; c=d", "", true},
		{rest, "fieldprof=junk", "", false},
		{drawn, "fieldprof=junk", "", true},
		{rest, "fieldprof=clean", "?fieldprof=1", true},
		{drawn, "fieldprof=profiled", "?fieldprof=0", false},
		{rest, "", "?fieldprof=2", false},
	} {
		for _, path := range []string{page, "/", asset, other} {
			got := get(t, address+path+c.query, c.client, c.cookie)
			if got.status != http.StatusOK || got.isProfiled() != c.profiled {
				t.Errorf("%s%s with %q: %d, profiled: %v", path, c.query, c.cookie, got.status, got.isProfiled())
			}
			checkHeaders(t, path, c.cookie, c.profiled, got.header)
		}
	}
	for _, cookie := range []string{"fieldprof=clean", "fieldprof=profiled"} {
		for _, path := range []string{asset + ".map", asset + ".map.gz", asset + ".map.br", asset + ".MAP", "/assets/none.js", "/../nginx.conf", "/%2e%2e/%2e%2e/server.mjs"} {
			if got := get(t, address+path, "", cookie); got.status != http.StatusNotFound && got.status != http.StatusBadRequest {
				t.Errorf("%s: %d", path, got.status)
			}
		}
	}
	table := get(t, address+asset+".functions.json", "", "fieldprof=profiled")
	if table.status != http.StatusOK {
		t.Errorf("the function table: %d", table.status)
	}
}

func checkHeaders(t *testing.T, path, cookie string, profiled bool, header http.Header) {
	t.Helper()
	is := func(name, want string) {
		t.Helper()
		if got := header.Get(name); got != want {
			t.Errorf("%s with %q, profiled %v: %s is %q, want %q", path, cookie, profiled, name, got, want)
		}
	}
	name, clean := "clean", "public, max-age=31536000, immutable"
	opener, embedder, policy := "", "", ""
	if profiled {
		name, clean, opener, embedder = "profiled", "private, no-cache", "same-origin", "require-corp"
		policy = "js-profiling, js-profiling-mode=eager"
	}
	is("Vary", "Cookie")
	is("Cross-Origin-Opener-Policy", opener)
	is("Cross-Origin-Embedder-Policy", embedder)
	is("Document-Policy", policy)
	if strings.HasPrefix(path, "/assets/") {
		is("Cache-Control", clean)
		is("Set-Cookie", "")
		is("Clear-Site-Data", "")
		return
	}
	is("Cache-Control", "private, no-cache")
	if strings.Contains(cookie, "fieldprof="+name) {
		is("Set-Cookie", "")
		is("Clear-Site-Data", "")
		return
	}
	is("Set-Cookie", "fieldprof="+name+"; Path=/; SameSite=Lax")
	if profiled {
		is("Clear-Site-Data", `"cache"`)
	} else {
		is("Clear-Site-Data", "")
	}
}
