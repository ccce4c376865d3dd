package plot

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
)

// Pictures are plots in Markdown, by the names of their files in a folder. Readers who do not see
// them are told their titles.
func Pictures(plots map[string][]byte, folder string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(plots)) {
		_, rest, _ := strings.Cut(string(plots[name]), "<title>")
		title, _, _ := strings.Cut(rest, "</title>")
		fmt.Fprintf(&b, "\n![%s](%s/%s)\n", html.UnescapeString(title), folder, name)
	}
	return b.String()
}
