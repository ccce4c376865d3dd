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

// examples are k6's own: those that need nothing but a web server, which is on this machine.
var examples = []string{
	"base64.js", "cookies.js", "crypto.js", "custom_metrics.js", "html_form_post.js", "http_2.js", "http_basic_auth.js",
	"http_batch.js", "http_digest_auth.js", "http_get.js", "http_verbs.js", "json.js", "jwt.js", "logging.js", "redirects.js", "stages.js",
	"tagging.js", "thresholds.js", "thresholds_readme_example.js", "timers.js", "enhanced/script.ts",
	"experimental/csv-parse.js", "experimental/csv-parser.js", "experimental/fs/fs.js",
	"source_map/issue_1804/main.js", "source_map/typescript_template/test1.js", "webcrypto/digest.js",
	"webcrypto/derive_key/derive-key-pbkdf2.js", "webcrypto/encrypt_decrypt/encrypt-decrypt-aes-gcm.js", "webcrypto/sign_verify/sign-verify-hmac.js",
}

// k6's examples end as they do without checks, and have the same metrics.
func TestExamples(t *testing.T) {
	folder := t.TempDir()
	source := strings.TrimSpace(must.Run(t, ".", "go", "list", "-m", "-f", "{{.Dir}}", "go.k6.io/k6"))
	must.Do(t, os.CopyFS(filepath.Join(folder, "examples"), os.DirFS(filepath.Join(source, "examples"))))
	bin := httpbin.New()
	pizza := http.NewServeMux()
	pizza.Handle("/", bin)
	pizza.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"token":"abc","id":1}`) })
	plain, secure := httptest.NewServer(bin), httptest.NewUnstartedServer(pizza)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer plain.Close()
	defer secure.Close()
	must.Write(t, folder, "config.json", fmt.Sprintf(`{"hosts": {"httpbin.org": %q, "quickpizza.grafana.com": %q}, "insecureSkipTLSVerify": true}`,
		plain.Listener.Addr(), secure.Listener.Addr()))
	for _, example := range examples {
		t.Run(example, func(t *testing.T) {
			measure := func(out ...string) string {
				arguments := append([]string{"run", "--quiet", "--address", "", "--config", "config.json", "-u", "2", "-i", "2", "--summary-export", "summary.json"}, out...)
				r := k6(t, folder, "", append(arguments, filepath.Join("examples", example))...)
				if strings.Contains(r.output, "fieldprof: no checks") {
					t.Error(r.output)
				}
				return fmt.Sprint(r.code, counts(t, filepath.Join(folder, "summary.json")))
			}
			want := measure()
			must.Equal(t, measure("--out", "fieldprof=out.pb.gz"), want)
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
		case "iterations", "http_reqs":
			all[name] = m["count"]
		case "vus", "vus_max":
			delete(all, name) // k6 reports them each second: a short test may have none
		case "checks", "http_req_failed":
			all[name] = fmt.Sprint(m["passes"], m["fails"])
		}
	}
	return fmt.Sprint(all) // in order of name
}
