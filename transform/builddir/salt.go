package builddir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/internal/release"
)

// Salt returns a text that names the release and every option that affects the output:
// "fieldprof 0.1.0 balanced". A bundler that includes it in its hashes gives profiled
// files names of their own. It is safe in a comment of JavaScript or CSS, and has no
// line break.
func (o Options) Salt() string {
	var b strings.Builder
	fmt.Fprintf(&b, "fieldprof %s %s", release.Version, o.Preset)
	if n := o.MinStatements; n > 0 && n != o.Preset.MinStatements() {
		fmt.Fprintf(&b, " min-statements %d", n)
	}
	if o.Checks != 0 && o.Checks != o.Preset.Checks() {
		fmt.Fprintf(&b, " checks %s", o.Checks)
	}
	if o.Form != 0 {
		fmt.Fprintf(&b, " %s", o.Form)
	}
	if o.MaxGzip > 0 {
		fmt.Fprintf(&b, " max-gzip %s%%", strconv.FormatFloat(o.MaxGzip, 'g', -1, 64))
	}
	for _, list := range []struct {
		name     string
		patterns []string
	}{{"include", o.Include}, {"exclude", o.Exclude}, {"embed", o.Embed}} {
		if len(list.patterns) > 0 {
			fmt.Fprintf(&b, " %s %q", list.name, list.patterns)
		}
	}
	if o.PublicPath != "" {
		fmt.Fprintf(&b, " public-path %q", o.PublicPath)
	}
	if clock := o.Runtime.Clock; clock != "" && clock != "auto" {
		fmt.Fprintf(&b, " clock %q", clock)
	}
	if prefer := o.Runtime.Prefer; prefer != "" && prefer != "native" {
		fmt.Fprintf(&b, " prefer %q", prefer)
	}
	if base := o.Runtime.Base; base != 0 {
		fmt.Fprintf(&b, " base %s", strconv.FormatFloat(base, 'g', -1, 64))
	}
	if o.Sample > 0 {
		fmt.Fprintf(&b, " sample %s", strconv.FormatFloat(o.Sample, 'g', -1, 64))
	}
	// A glob such as **/x must not end the comment.
	return strings.ReplaceAll(b.String(), "*/", `*\/`)
}
