package k6

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mccutchen/go-httpbin/v2/httpbin"

	"github.com/fieldprof/fieldprof/internal/must"
)

// examples are the examples of k6 that need nothing but servers, which run on this machine.
var examples = []string{
	"base64.js", "cookies.js", "crypto.js", "custom_metrics.js", "html_form_post.js", "http_2.js", "http_basic_auth.js",
	"http_batch.js", "http_digest_auth.js", "http_get.js", "http_verbs.js", "json.js", "jwt.js", "logging.js", "redirects.js", "stages.js",
	"grpc_client_streaming.js", "grpc_healthcheck.js", "grpc_invoke.js", "grpc_reflection.js", "grpc_server_streaming.js",
	"tagging.js", "thresholds.js", "thresholds_readme_example.js", "timers.js", "enhanced/script.ts",
	"websocket.js", "websockets/test-echo.js", "experimental/streams.js",
	"experimental/csv-parse.js", "experimental/csv-parser.js", "experimental/fs/fs.js",
	"source_map/issue_1804/main.js", "source_map/typescript_template/test1.js", "webcrypto/digest.js",
	"webcrypto/derive_key/derive-key-pbkdf2.js", "webcrypto/encrypt_decrypt/encrypt-decrypt-aes-gcm.js", "webcrypto/sign_verify/sign-verify-hmac.js",
}

// k6's examples end as they do without checks, and have the same metrics.
func TestExamples(t *testing.T) {
	folder := t.TempDir()
	source := strings.TrimSpace(must.Run(t, ".", "go", "list", "-m", "-f", "{{.Dir}}", "go.k6.io/k6"))
	must.Do(t, os.CopyFS(filepath.Join(folder, "examples"), os.DirFS(filepath.Join(source, "examples"))))
	const proto = "internal/lib/testutils/grpcservice/route_guide.proto"
	must.WriteFile(t, filepath.Join(folder, proto), string(must.Get(os.ReadFile(filepath.Join(source, proto)))(t)))
	address := serveGRPC(t, filepath.Join(folder, proto))
	bin := httpbin.New()
	web := http.NewServeMux()
	web.Handle("/", bin)
	web.HandleFunc("echo.websocket.org/", echo)
	web.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"token":"abc","id":1}`) })
	plain, secure := httptest.NewServer(web), httptest.NewUnstartedServer(web)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	must.Write(t, folder, "config.json", fmt.Sprintf(`{"hosts": {"httpbin.org": %q, "echo.websocket.org:80": %[1]q, "*:443": %q}, "insecureSkipTLSVerify": true}`,
		plain.Listener.Addr(), secure.Listener.Addr()))
	for _, example := range examples {
		t.Run(example, func(t *testing.T) {
			t.Parallel() // many wait most of the time
			summary, profile := filepath.Join(t.TempDir(), "summary.json"), filepath.Join(t.TempDir(), "out.pb.gz")
			measure := func(out ...string) string {
				arguments := append([]string{"run", "--quiet", "--address", "", "--config", "config.json", "-u", "2", "-i", "2", "--summary-export", summary,
					"-e", "GRPC_ADDR=" + address, "-e", "GRPC_PROTO_PATH=../" + proto}, out...)
				r := k6(t, folder, "", append(arguments, filepath.Join("examples", example))...)
				if strings.Contains(r.output, "fieldprof: no checks") {
					t.Error(r.output)
				}
				return fmt.Sprint(r.code, counts(t, summary))
			}
			want := measure()
			must.Equal(t, measure("--out", "fieldprof="+profile), want)
		})
	}
}

// counts are the metrics of a summary with what they count.
func counts(t *testing.T, path string) string {
	summary := must.JSON[struct {
		Metrics map[string]map[string]any `json:"metrics"`
	}](t, must.Get(os.ReadFile(path))(t))
	all := map[string]any{}
	for name, m := range summary.Metrics {
		all[name] = "measured"
		switch name {
		case "iterations", "http_reqs", "ws_sessions", "grpc_streams":
			all[name] = m["count"]
		case "vus", "vus_max":
			delete(all, name) // k6 reports them each second: a short test may have none
		case "checks", "http_req_failed":
			all[name] = fmt.Sprint(m["passes"], m["fails"])
		}
	}
	return fmt.Sprint(all) // in order of name
}
