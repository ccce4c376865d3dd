package k6

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

const looping = "export default function () { for (let i = 0; i < 5; i++) console.log('it runs') }"

// Without the output nothing changes: neither scripts nor what k6 packs for elsewhere.
func TestWithoutTheOutput(t *testing.T) {
	folder := t.TempDir()
	must.Write(t, folder, "main.js", looping)
	for _, arguments := range [][]string{run("main.js"), run("--out", "json=metrics.json", "main.js"), {"inspect", "main.js"}, {"x", "fieldprof"}, {"archive", "-O", "a.tar", "main.js"}} {
		r := k6(t, folder, "", append([]string{"FIELDPROF_OUTPUT=out.pb.gz"}, arguments...)...)
		must.Equal(t, r.code, 0, r.output)
		if strings.Contains(r.output, "fieldprof:") || must.Exists(filepath.Join(folder, "out.pb.gz")) {
			t.Errorf("%v: %s", arguments, r.output)
		}
	}
	packed := must.Get(os.ReadFile(filepath.Join(folder, "a.tar")))(t)
	if strings.Contains(string(packed), moduleName) || !strings.Contains(string(packed), looping) {
		t.Error("the archive has another script")
	}
}

// Formats follow from the name, options from --out or the environment.
func TestOutputs(t *testing.T) {
	folder := t.TempDir()
	must.Write(t, folder, "main.js", looping)
	for name, arguments := range map[string][]string{
		"a.cpuprofile":    run("--out", "fieldprof=a.cpuprofile,interval=5,preset=precise,keep=100", "main.js"),
		"b.folded":        append([]string{"FIELDPROF_INTERVAL=2ms", "K6_OUT=fieldprof=b.folded"}, run("main.js")...),
		"c.pb.gz":         append([]string{"FIELDPROF_OUTPUT=c.pb.gz"}, run("--out", "fieldprof", "main.js")...),
		"k6.pb.gz":        run("--out", "fieldprof", "main.js"),
		"d,e.pb.gz":       run("--out", "fieldprof=d,e.pb.gz", "main.js"),
		"f-vu1.pb.gz":     run("--out", "fieldprof=f.pb.gz,each=vu", "main.js"),
		"g.speedscope.gz": run("--out", "fieldprof=g.speedscope.gz", "main.js"),
	} {
		r := k6(t, folder, "", arguments...)
		must.Equal(t, r.code, 0, r.output)
		p := must.Get(format.ReadFile(filepath.Join(folder, name)))(t)
		if p.Len() == 0 {
			t.Errorf("%s has no samples", name)
		}
	}
	if got := must.Get(filepath.Glob(filepath.Join(folder, ".*")))(t); len(got) > 0 {
		t.Errorf("temporary files: %v", got)
	}
}

// A collector gets pprof, and its refusals are reported.
func TestPush(t *testing.T) {
	folder := t.TempDir()
	must.Write(t, folder, "main.js", looping)
	got := make(chan int, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/profiles" {
			http.Error(w, "wrong key", http.StatusForbidden)
			return
		}
		p, err := pprof.Read(r.Body)
		if err != nil {
			t.Error(err)
			got <- 0
			return
		}
		got <- p.Len()
	}))
	defer server.Close()
	r := k6(t, folder, "", run("--out", "fieldprof="+server.URL+"/v1/profiles?key=a,b", "main.js")...)
	must.Equal(t, r.code, 0, r.output)
	if <-got == 0 {
		t.Error("the profile has no samples")
	}
	r = k6(t, folder, "", run("--out", "fieldprof="+server.URL+"/elsewhere", "main.js")...)
	must.Contain(t, "the output", r.output, "403 Forbidden: wrong key")
}

// Modules from other machines have checks, too.
func TestRemoteModules(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/a.js":
			http.Redirect(w, r, "/moved/a.js", http.StatusFound)
		case "/moved/a.js":
			_, _ = io.WriteString(w, "export { b } from './b.js';\nexport "+loop("a", 6))
		case "/b.js":
			_, _ = io.WriteString(w, "export "+loop("b", 3))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	must.Write(t, folder, "ca.pem", string(certificate))
	must.Write(t, folder, "main.js", "import { a, b } from '"+server.URL+"/a.js';\nexport default function () { a(); b() }")
	r := k6(t, folder, "", append([]string{"SSL_CERT_FILE=" + filepath.Join(folder, "ca.pem")}, run("--out", "fieldprof=out.pb.gz", "main.js")...)...)
	must.Equal(t, r.code, 0, r.output)
	got := counted(folder, must.Get(format.ReadFile(filepath.Join(folder, "out.pb.gz")))(t))
	must.Equal(t, got[server.URL+"/a.js:2 a scenario=default vu=1"], 7, got)
	must.Equal(t, got[server.URL+"/b.js:1 b scenario=default vu=1"], 4, got)
}

// A command that cannot work fails before the test begins, and leaves nothing.
func TestBadInput(t *testing.T) {
	for name, c := range map[string]struct {
		arguments []string
		want      string
	}{
		"no such folder":   {run("--out", "fieldprof=none/out.pb.gz", "main.js"), "cannot write none/out.pb.gz: no such file"},
		"a folder":         {run("--out", "fieldprof=lib", "main.js"), "no profile format has this extension"},
		"a folder's name":  {run("--out", "fieldprof=folder.pb.gz", "main.js"), "cannot write folder.pb.gz: it is a directory"},
		"no format":        {run("--out", "fieldprof=out.exe", "main.js"), "no profile format has this extension"},
		"no option":        {run("--out", "fieldprof=out.pb.gz,color=red", "main.js"), "there is no such option; known are interval"},
		"an interval":      {run("--out", "fieldprof=out.pb.gz,interval=1ns", "main.js"), "at least 100"},
		"no interval":      {append([]string{"FIELDPROF_INTERVAL=often"}, run("--out", "fieldprof=out.pb.gz", "main.js")...), "time: invalid duration"},
		"a preset":         {run("--out", "fieldprof=out.pb.gz,preset=best", "main.js"), "best"},
		"keep":             {run("--out", "fieldprof=out.pb.gz,keep=0", "main.js"), "a number of samples"},
		"each":             {run("--out", "fieldprof=out.pb.gz,each=group", "main.js"), "the only value is vu"},
		"no address":       {run("--out", "fieldprof=https:///x", "main.js"), "names no host"},
		"each and address": {run("--out", "fieldprof=https://localhost:1/,each=vu", "main.js"), "each=vu is for files"},
		"an archive":       {run("--out", "fieldprof=out.pb.gz", "archive.tar"), "if this is an archive, extract it"},
		"the cloud":        {append([]string{"K6_CLOUD_HOST=http://127.0.0.1:1", "K6_OUT=cloud,fieldprof=out.pb.gz"}, run("main.js")...), "127.0.0.1:1/v1/tests"}, // k6's own message
		"two files":        {run("--out", "fieldprof=out.pb.gz", "--out", "fieldprof=out.html", "main.js"), "name one file"},
		"no one listens":   {run("--out", "fieldprof=http://127.0.0.1:1/v1/profiles?key=SECRET", "main.js"), "sending the profile to 127.0.0.1:1"},
		"another output":   {run("--out", "fieldprof=out.pb.gz", "--out", "json=nowhere/x", "main.js"), "nowhere/x"},
		"a wrong output":   {run("--out", "fieldprof=out.pb.gz", "--out", "nothing", "main.js"), "invalid output type"},
		"in the config":    {run("--config", "config.json", "main.js"), "it must be named by --out or K6_OUT"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			must.WriteTree(t, folder, map[string]string{
				"main.js":               "export default function () { for (let i = 0; i < 1; i++) console.log('it runs') }",
				"folder.pb.gz/x":        "",
				"lib/x":                 "",
				"config.json":           `{"out": ["fieldprof=out.pb.gz"]}`,
				"cloud/credentials.txt": "",
			})
			must.Equal(t, k6(t, folder, "", "archive", "main.js").code, 0)
			before := len(must.ReadTree(t, folder))
			r := k6(t, folder, "", c.arguments...)
			must.Contain(t, "the output", r.output, c.want)
			if name == "no one listens" {
				must.Contain(t, "the output", r.output, "it runs", "it is in k6.pb.gz")
				must.Equal(t, strings.Contains(r.output, "SECRET"), false, r.output)
				must.Get(format.ReadFile(filepath.Join(folder, "k6.pb.gz")))(t)
				return
			}
			if r.code == 0 || strings.Contains(r.output, "it runs") {
				t.Errorf("code %d: %s", r.code, r.output)
			}
			must.Equal(t, len(must.ReadTree(t, folder)), before, r.output)
		})
	}
}

// The scenario is in the profile also where metrics have no such tag.
func TestFewSystemTags(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.Write(t, folder, "main.js", loop("work", 5)+"\nexport const options = { scenarios: { browse: { executor: 'per-vu-iterations', exec: 'visit' } } };\nexport function visit() { work() }")
	r := k6(t, folder, "", append([]string{"K6_SYSTEM_TAGS=url,status"}, run("--out", "fieldprof=out.pb.gz", "main.js")...)...)
	must.Equal(t, r.code, 0, r.output)
	got := counted(folder, must.Get(format.ReadFile(filepath.Join(folder, "out.pb.gz")))(t))
	must.Equal(t, got["main.js:1 work scenario=browse vu=1"], 6, got)
}
