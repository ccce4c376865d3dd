package builddir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/transform/training"
)

// Salt returns a text that names the release and every option that affects the output:
// "fieldprof 0.1.0 balanced". A bundler that includes it in its hashes gives profiled
// files names of their own. It is safe in a comment of JavaScript or CSS, and has no
// line break.
func (o Options) Salt() string {
	var b strings.Builder
	fmt.Fprintf(&b, "fieldprof %s %s", release.Version, o.Preset)
	add := func(is bool, format string, values ...any) {
		if is {
			fmt.Fprintf(&b, " "+format, values...)
		}
	}
	add(o.MinStatements > 0 && o.MinStatements != o.Preset.MinStatements(), "min-statements %d", o.MinStatements)
	add(o.Checks != 0 && o.Checks != o.Preset.Checks(), "checks %s", o.Checks)
	add(o.Form != 0, "%s", o.Form)
	add(o.MaxGzip > 0, "max-gzip %v%%", o.MaxGzip)
	add(o.Train, "train")
	if o.Counts != nil {
		counts, _ := o.Counts.Encode() // all of it was read from JSON
		add(true, "counts %s max-overhead %v%%", training.Hash(counts), o.MaxOverhead)
		add(o.Times != nil, "times %s", o.shown())
	}
	add(len(o.Include) > 0, "include %q", o.Include)
	add(len(o.Exclude) > 0, "exclude %q", o.Exclude)
	add(len(o.Embed) > 0, "embed %q", o.Embed)
	add(o.PublicPath != "", "public-path %q", o.PublicPath)
	add(o.Runtime.Clock != "" && o.Runtime.Clock != "auto", "clock %q", o.Runtime.Clock)
	add(o.Runtime.Prefer != "" && o.Runtime.Prefer != "native", "prefer %q", o.Runtime.Prefer)
	add(o.Runtime.ObeyPolicy, "obey-policy")
	add(o.Runtime.WrapWorkers, "wrap-workers")
	add(o.Runtime.Tables != "" && o.Runtime.Tables != "early", "tables %q", o.Runtime.Tables)
	add(o.Runtime.Base != 0, "base %v", o.Runtime.Base)
	add(o.Runtime.MaxOverhead > 0, "max-recording %v%%", o.Runtime.MaxOverhead)
	add(o.Sample > 0, "sample %v", o.Sample)
	// A glob such as **/x must not end the comment.
	return strings.ReplaceAll(b.String(), "*/", `*\/`)
}

// shown names what the profile of a choice by counts says about the functions counted.
func (o *Options) shown() string {
	if o.Times == nil {
		return ""
	}
	var times []byte
	for file, f := range o.Counts.Functions() {
		times = strconv.AppendFloat(append(times, ' '), o.Times(file.File, f), 'g', -1, 64)
	}
	return training.Hash(times)
}
