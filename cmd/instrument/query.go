package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/collect/client"
	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/view"
)

// queryFlags are the flags of instrument query, as given.
type queryFlags struct {
	collectorFlags
	top    int
	output string
	json   bool

	given *pflag.FlagSet
}

// question is a question to a collector.
type question struct {
	what, path string
	named      bool // it takes an ID
	exports    bool // it can be saved with -o
	limited    bool // it takes a limit
	print      func(w io.Writer, answer []byte, top int) error
}

// questions lists all questions. The first is the default.
var questions = []question{
	{what: "overview", path: "/overview", print: printed(overviewTable)},
	{what: "functions", path: "/functions", limited: true, print: printed(functionsTable)},
	{what: "slices", path: "/slices", limited: true, print: printSlicesFound},
	{what: "slice", path: "/slices/", named: true, exports: true, print: printSlice},
	{what: "diff", path: "/diff", exports: true, limited: true, print: printDiff},
	{what: "trend", path: "/trend", print: printed(trendTable)},
	{what: "examples", path: "/examples", limited: true, print: printed(examplesTable)},
	{what: "example", path: "/examples/", named: true, exports: true},
	{what: "profile", path: "/profile", exports: true},
	{what: "values", path: "/values", print: printed(valuesTable)},
	{what: "budgets", path: "/budgets", print: printed(budgetsTable)},
	{what: "files", path: "/files", print: printed(filesTable)},
	{what: "apps", path: "/apps", print: printed(appsTable)},
}

func newQuery(stdout, stderr io.Writer) *cobra.Command {
	var f queryFlags
	cmd := &cobra.Command{
		Use:   "query [flags] [WHAT [ID]]",
		Short: "Ask a collector where the time of all users went",
		Long: `Query asks a collector about the profiles of an app. The default time is the last 24
hours. WHAT is one of

  overview     views, INP, CPU and long tasks by route and release (the default)
  functions    the hottest functions
  slices       what was slow, and its causes
  slice ID     one of them, with whose time it was; -o saves its profile
  diff         what changed from --before to --after, and whether it is more than chance
  trend        the share of the function --name over time
  examples     profiles of single sessions
  example ID   one of them, saved with -o
  profile      the profile of the selection, saved with -o in any format, or as a report
  values       labels and their values
  budgets      budgets as last checked
  files        the uploaded files of --release
  apps         the apps that the token admits to

docs/asking.md says what the figures mean.`,
		Example: `  instrument query --url https://profiles.example --token-file token
  instrument query functions --from now-7d --where route:/cart --where browser:Firefox
  instrument query diff --before release:1.1 --after release:1.2
  instrument query trend --name renderList --step 6h
  instrument query profile --where release:1.2 -o cart.cpuprofile
  instrument query slice 8f31c0… -o slow.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.given = cmd.Flags()
			q, path, err := f.question(args)
			if err != nil {
				return err
			}
			return interrupted(cmd.Context(), f.ask(cmd.Context(), q, path, stdout, stderr))
		},
	}
	f.declare(cmd.Flags())
	return cmd
}

// declare declares the flags. Most have the names of the API's parameters.
func (f *queryFlags) declare(flags *pflag.FlagSet) {
	flags.String("from", "", "since this `moment`: 2026-11-23T09:00:00Z, now-90m or now-7d (now-24h)")
	flags.String("to", "", "until this `moment` (now)")
	flags.StringArray("where", nil, "only sessions with this `PAIR`, LABEL:VALUE (may be repeated; the same label again means or)")
	flags.Bool("slow", false, "the time of slow moments instead of all time")
	flags.String("by", "", "overview: rows for each value of the labels in this `list`, separated by commas (route,release)")
	flags.IntVar(&f.top, "top", 20, "rows of each table, the latest of a trend (0: as many as the collector sends); changed functions are always shown")
	flags.String("before", "", "diff: the `PAIR` LABEL:VALUE of one side")
	flags.String("after", "", "diff: the `PAIR` LABEL:VALUE of the other")
	flags.String("before-from", "", "diff: compare with the time since this `moment`")
	flags.String("before-to", "", "diff: and until this `moment`")
	flags.String("name", "", "trend: `name` of the function; slices: of the event, such as click")
	flags.String("file", "", "trend: `file` of the function, if several have its name")
	flags.Int("line", 0, "trend: line `N` of the function, if several have its name")
	flags.String("step", "", "trend: `time` between points, such as 1h")
	flags.String("what", "", "slices: only those of the kind with this `name`: interaction, long-frame, long-task, load, navigation or mark")
	flags.String("target", "", "slices: only those of the element with this `name`")
	flags.String("release", "", "files: `name` of the release")
	flags.Bool("keep-ignored", false, "do not fold code in the maps' ignore lists, such as node_modules")
	flags.Bool("deployed", false, "keep deployed positions, without maps")
	flags.StringVarP(&f.output, "output", "o", "", "save the profile to `file`, in the format that its extension names; .html is a report")
	f.addTo(flags)
	flags.BoolVar(&f.json, "json", false, "print the collector's answer as JSON")
}

// question finds the question that the arguments ask, and its path.
func (f *queryFlags) question(args []string) (*question, string, error) {
	what := questions[0].what
	if len(args) > 0 {
		what, args = args[0], args[1:]
	}
	var q *question
	var known []string
	for i := range questions {
		if known = append(known, questions[i].what); questions[i].what == what {
			q = &questions[i]
		}
	}
	if q == nil {
		return nil, "", usageError("%q: ask for one of %s", what, strings.Join(known, ", "))
	}
	path := q.path
	switch {
	case q.named && len(args) != 1:
		return nil, "", usageError("name one ID, as instrument query %ss lists them: instrument query %s ID", what, what)
	case q.named:
		path += url.PathEscape(args[0])
	case len(args) > 0:
		return nil, "", usageError("%s takes no argument: %q", what, args)
	}
	switch {
	case f.top < 0:
		return nil, "", usageError("--top %d: a number of rows must not be negative", f.top)
	case f.output == "" && q.print == nil:
		return nil, "", usageError("name a file: instrument query %s -o app.cpuprofile", what)
	case f.output != "" && !q.exports:
		return nil, "", usageError("-o %s: %s is a table; profile, slice, example and diff can be saved", f.output, what)
	case f.output != "" && f.json:
		return nil, "", usageError("-o and --json: choose one")
	case f.output != "" && q.named:
		path += "/profile"
	}
	return q, path, nil
}

// parameters returns the parameters that were given. The collector refuses those that do not fit
// the question.
func (f *queryFlags) parameters(q *question) url.Values {
	values := url.Values{}
	f.given.Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "url", "token-file", "top", "output", "json":
		case "what":
			values.Set("what", string(markOf(flag.Value.String())))
		case "where":
			values["where"], _ = f.given.GetStringArray("where") // declared above as one
		case "slow", "deployed":
			if flag.Value.String() == "true" {
				values.Set(flag.Name, "1")
			}
		case "keep-ignored":
			if flag.Value.String() == "true" {
				values.Set("ignored", "keep")
			}
		default:
			values.Set(flag.Name, flag.Value.String())
		}
	})
	if q.limited && f.output == "" && f.top > 0 {
		values.Set("limit", strconv.Itoa(f.top))
	}
	return values
}

func (f *queryFlags) ask(ctx context.Context, q *question, path string, stdout, stderr io.Writer) error {
	parameters := f.parameters(q)
	if f.output != "" {
		name, err := f.format(q)
		if err != nil {
			return err
		}
		parameters.Set("format", name)
	}
	c, err := f.open(stderr)
	if err != nil {
		return err
	}
	if f.output != "" {
		return f.save(ctx, c, path, parameters)
	}
	answer, err := c.Get(ctx, path, parameters)
	if err != nil {
		return asked(err)
	}
	if f.json {
		var text bytes.Buffer
		if err := json.Indent(&text, answer, "", "  "); err != nil {
			return err
		}
		_, err := stdout.Write(view.EscapeJSON(text.Bytes()))
		return err
	}
	return q.print(stdout, answer, f.top)
}

// asked turns the refusal of a parameter into a mistake in the command line.
func asked(err error) error {
	var r *client.Refusal
	if errors.As(err, &r) && r.Status == 400 {
		return usageError("%v", quoting{err})
	}
	return quoting{err}
}

// format returns the API's name for the format of a file's extension.
func (f *queryFlags) format(q *question) (string, error) {
	if isReport(f.output) {
		return "html", nil
	}
	if q.what == "diff" {
		return "", usageError("-o %s: a comparison is saved as a report, .html", f.output)
	}
	known, err := format.ForPath(f.output)
	if err != nil {
		return "", usageError("-o %s: %v; a report is .html", f.output, err)
	}
	return known.Name, nil
}

// save writes a profile to the file.
func (f *queryFlags) save(ctx context.Context, c *client.Client, path string, parameters url.Values) error {
	out, err := outfile.Open(f.output)
	if err != nil {
		return err
	}
	defer out.Discard()
	write := func(w io.Writer) error { return c.Export(ctx, path, parameters, w) }
	if parameters.Get("format") != "pprof" { // which is gzipped as it comes
		write = zipped(f.output, write)
	}
	if err := out.Complete(write); err != nil {
		return fmt.Errorf("%s: %w", f.output, asked(errors.Unwrap(err)))
	}
	return nil
}
