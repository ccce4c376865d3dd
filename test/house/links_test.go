package house

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]*))?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// Links in the pages for readers lead to files and headings that exist.
func TestLinksLeadSomewhere(t *testing.T) {
	root := os.DirFS("../..")
	pages := []string{"README.md", "CONTRIBUTING.md"}
	must.Do(t, fs.WalkDir(root, "docs", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			pages = append(pages, name)
		}
		return err
	}))
	for _, page := range pages {
		text := must.Get(fs.ReadFile(root, page))(t)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			to, anchor := page, m[2]
			if m[1] != "" {
				to = path.Join(path.Dir(page), m[1])
			}
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join("../..", filepath.FromSlash(to))); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, to)
			} else if anchor != "" && path.Ext(to) == ".md" && !slices.Contains(anchors(root, to), anchor) {
				t.Errorf("%s links to %s#%s, and there is no such heading", page, to, anchor)
			}
		}
	}
}

// anchors returns the names that a page's headings have in links.
func anchors(root fs.FS, page string) []string {
	text, _ := fs.ReadFile(root, page)
	var list []string
	for _, m := range heading.FindAllSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^\p{L}\p{N}\- ]`).ReplaceAllString(strings.ToLower(string(m[1])), "")
		list = append(list, strings.ReplaceAll(plain, " ", "-"))
	}
	return list
}
