package api_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
)

const (
	sourceMap  = `{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA","debugId":"85314830-023f-4cf1-a267-535f4e37bb17"}`
	table      = `{"version":1,"file":"app.js","debugId":"85314830-023f-4cf1-a267-535f4e37bb17","strings":[""],"functions":[0,1,1,8,1,-1,0,1,0,0]}`
	scriptEnds = "//# sourceMappingURL=app.js.map\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17\n"
)

type file struct {
	Release, Name, Kind, DebugID, SHA256 string
	Size                                 int64
}

func TestFilesAreRecognized(t *testing.T) {
	c := newCollector(t)
	for _, x := range []struct{ name, content, kind, kept string }{
		{"app.js.map", sourceMap, "map", sourceMap},
		{"assets/deep/app.js.functions.json", table, "table", table},
		{"named.json", table, "table", table},
		{"app.js", "let secret = 1;\n" + scriptEnds, "script", scriptEnds},
	} {
		for _, status := range []int{201, 200} {
			got := decode[file](t, c.want(c.ask("PUT", "/api/v1/files/1.2/"+x.name+"?app=shop", x.content), status))
			sum := sha256.Sum256([]byte(x.kept))
			if want := (file{"1.2", x.name, x.kind, got.DebugID, hex.EncodeToString(sum[:]), int64(len(x.kept))}); got != want || got.DebugID == "" {
				t.Errorf("%+v, want %+v", got, want)
			}
			if told := decode[file](t, c.want(c.ask("GET", "/api/v1/files/1.2/"+x.name+"?app=shop", "", token(upload)), 200)); told != got {
				t.Errorf("%+v, want %+v", told, got)
			}
		}
		if content, err := c.store.FileContent(t.Context(), "shop", "1.2", x.name); err != nil || string(content) != x.kept {
			t.Errorf("%s: %q, %v", x.name, content, err)
		}
	}
	c.want(c.ask("PUT", "/api/v1/files/feature%2Fcart%20%3A1/app.js.map?app=shop", sourceMap), 201)
	c.want(c.ask("GET", "/api/v1/files/1.2/none.map?app=shop", ""), 404, "has no file")
	all := decode[struct{ Files []file }](t, c.want(c.ask("GET", "/api/v1/files?app=shop", ""), 200)).Files
	of := decode[struct{ Files []file }](t, c.want(c.ask("GET", "/api/v1/files?app=shop&release=feature/cart+:1", ""), 200)).Files
	if len(all) != 5 || len(of) != 1 || of[0].Release != "feature/cart :1" {
		t.Errorf("%v, %v", all, of)
	}
	if body := c.want(c.ask("GET", "/api/v1/files?app=news", ""), 200); strings.TrimSpace(string(body)) != `{"files":[]}` {
		t.Errorf("%s", body)
	}
}

func TestHostileFiles(t *testing.T) {
	c := newCollector(t)
	for _, x := range []struct {
		name, content string
		status        int
	}{
		{"../app.map", sourceMap, 400},
		{"a/../../app.map", sourceMap, 400},
		{"%2e%2e/app.map", sourceMap, 400},
		{"a%2F..%2F..%2Fapp.map", sourceMap, 400},
		{"%2Fetc%2Fpasswd", sourceMap, 400},
		{"a%5C..%5Capp.map", sourceMap, 400},
		{"C%3A/app.map", sourceMap, 400},
		{"a//app.map", sourceMap, 400},
		{"./app.map", sourceMap, 400},
		{"a%00.map", sourceMap, 400},
		{"a%0D%0ASet-Cookie%3A%20x.map", sourceMap, 400},
		{"%ff.map", sourceMap, 400},
		{"", sourceMap, 400},
		{strings.Repeat("a/", 300) + "app.map", sourceMap, 400},
		{strings.Repeat("a", 250), sourceMap, 400},
		{"app.map", "", 422},
		{"app.map", "[]", 422},
		{"app.map", `{"version":3,"sources":[],"names":[],"mappings":"AAAAAAAAAAA"}`, 422},
		{"app.map", `{"version":3,"sections":[{"offset":{"line":9e9,"column":0},"map":{}}]}`, 422},
		{"app.map", strings.Repeat(`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":`, 10_000), 422},
		{"app.functions.json", `{"version":1,"file":"x","strings":[],"functions":[1,2,3]}`, 422},
		{"app.js", "let a = 1", 422},
		{"photo.png", "\x89PNG\r\n", 422},
	} {
		r := c.ask("PUT", "/api/v1/files/1.2/"+x.name+"?app=shop", x.content)
		c.want(r, x.status)
	}
	c.want(c.ask("PUT", "/api/v1/files/"+strings.Repeat("1", 250)+"/app.map?app=shop", sourceMap), 400, "release")
	if files, err := c.store.Files(t.Context(), "shop", ""); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}

func zipped(t *testing.T, content io.Reader) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.Copy(z, content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestZippedFiles(t *testing.T) {
	c := newCollector(t)
	zip := header("Content-Encoding", "gzip")
	text := zipped(t, strings.NewReader(sourceMap))
	c.want(c.ask("PUT", "/api/v1/files/1/a.map?app=shop", text, zip), 201)
	c.want(c.ask("PUT", "/api/v1/files/1/a.map?app=shop", text[:len(text)-9], zip), 400, "ends early")
	c.want(c.ask("PUT", "/api/v1/files/1/a.map?app=shop", sourceMap, zip), 400, "not gzipped")
	c.want(c.ask("PUT", "/api/v1/files/1/a.map?app=shop", text, header("Content-Encoding", "br")), 415)
	bomb := zipped(t, io.LimitReader(endless{}, 33<<20))
	c.want(c.ask("PUT", "/api/v1/files/1/a.map?app=shop", bomb, zip), 413, "32 MiB")
	c.want(c.ask("PUT", "/api/v1/files/1/a.map?app=shop", "", func(r *http.Request) {
		r.Body = io.NopCloser(io.LimitReader(endless{}, 33<<20))
	}), 413)
}

// A release and an app have room for so much.
func TestRoomForFiles(t *testing.T) {
	c := newCollector(t)
	put := func(release, name string, size int64) {
		if err := c.store.PutFile(t.Context(), store.File{App: "shop", Release: release, Name: name, Size: size}, nil); err != nil {
			t.Fatal(err)
		}
	}
	put("1", "large.map", 512<<20-100)
	c.want(c.ask("PUT", "/api/v1/files/1/a.map?app=shop", sourceMap), 413, "512 MiB")
	c.want(c.ask("PUT", "/api/v1/files/1/large.map?app=shop", sourceMap), 200) // in its place
	for i := range 5000 {
		put("2", fmt.Sprint(i), 1)
	}
	c.want(c.ask("PUT", "/api/v1/files/2/a.map?app=shop", sourceMap), 413, "5000 files")
	for i := range 500 {
		put(fmt.Sprint(i), "a", 1)
	}
	c.want(c.ask("PUT", "/api/v1/files/new/a.map?app=shop", sourceMap), 413, "500 releases")
}

// full is a store without room for files.
type full struct{ *memory.Store }

func (full) PutFile(context.Context, store.File, []byte) error {
	return fmt.Errorf("store x: %w", store.ErrNoRoom)
}

// A full store says what to do.
func TestNoRoomForFiles(t *testing.T) {
	c := newCollector(t)
	c.openOver(full{c.store})
	c.want(c.ask("PUT", "/api/v1/files/1/a.map?app=shop", sourceMap), 507, "shorten retention.releases")
}

// An upload is refused, or stored under exactly its name, and the name is a plain relative path.
func FuzzFiles(f *testing.F) {
	for _, name := range []string{"app.js.map", "a/b.functions.json", "app.js", "../x", "a/../b", "a\\b", "/x", "", ".", "a//b", "ü", "\xff", "a\x00", "a\u202eb"} {
		for _, content := range []string{sourceMap, table, scriptEnds, "{", `{"functions":0}`, `{"version":3,"sections":[]}`} {
			f.Add("1.2", name, content)
		}
	}
	c := newCollector(f)
	f.Fuzz(func(t *testing.T, release, name, content string) {
		c.t = t
		c.store = memory.New()
		c.open()
		r := c.ask("PUT", "/api/v1/files/", content, func(r *http.Request) {
			r.URL.Path = "/api/v1/files/" + release + "/" + name
			r.URL.RawPath = "/api/v1/files/" + url.PathEscape(release) + "/" + strings.ReplaceAll(url.PathEscape(name), "%2F", "/")
			r.URL.RawQuery = "app=shop"
		})
		kept, err := c.store.Files(t.Context(), "shop", "")
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case r.StatusCode == 201:
			if len(kept) != 1 || kept[0].Name != name || kept[0].Release != release || !filepath.IsLocal(name) || !fs.ValidPath(name) {
				t.Errorf("%q of %q is kept as %+v", name, release, kept)
			}
		case r.StatusCode/100 != 4 || len(kept) > 0:
			t.Errorf("%q: %d, %v", name, r.StatusCode, kept)
		}
	})
}
