package builddir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/internal/pathglob"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/internal/disk"
)

// Options chooses what Run does. Input is all it needs.
type Options struct {
	// Input is the directory a bundler wrote.
	Input string
	// Output is the directory to make; Input with the suffix "-profiled" if empty, or
	// "-counting" for a counting build. An
	// existing one must be empty or an earlier output, whose other files are kept.
	Output string
	// InPlace replaces Input itself, in one step at the end.
	InPlace bool

	transform.Selection

	// Include and Exclude are globs over deployed paths and original sources;
	// see globs.
	Include, Exclude []string

	// Embed are globs over deployed paths, as in Exclude: classic scripts that begin
	// with the runtime itself, and modules that import it with its Profiler. They are
	// for pages that are not in the tree, such as those that a server writes: nothing
	// else would load the runtime there.
	Embed []string

	// PublicPath is the URL that Input is served under, if pages name it with a host
	// ("https://cdn.example/app/"). It is not needed otherwise.
	PublicPath string
	// Runtime configures profiling in the pages, such as whose Profiler they get.
	Runtime runtime.Options
	// Sample, above 0, keeps the site clean and puts the profiled variant next to
	// it: a chooser in each page picks it for this share of sessions.
	Sample float64

	// DryRun writes nothing. The report is the same, except for what only a written
	// output shows: compressed sizes, renewed digests, maps' comments.
	DryRun bool
	// List asks for every function in the report, with the reason why it is in
	// or out.
	List bool
	// NoSizes omits the compressed sizes from the report, which take longer to find
	// than everything else.
	NoSizes bool
	// Cache, unless nil, knows scripts of an earlier run of Files.
	Cache *Cache
	// Workers is how many files are processed at a time; 0: one per processor.
	Workers int
	// Progress, unless nil, is called as the work advances. Calls do not overlap.
	Progress func(done, total Amount)
}

// Amount is a number of files and their size.
type Amount struct {
	Files int
	Bytes int64
}

// settings are the options with all defaults filled in.
type settings struct {
	Options
	globs    globs
	inMemory bool // the tree is
}

func (o Options) settle() (*settings, error) {
	s := &settings{Options: o, globs: globs{o.Include, o.Exclude}}
	if o.Sample < 0 || o.Sample > 1 {
		return nil, fmt.Errorf("sample rate %v: a share of sessions lies between 0 and 1", o.Sample)
	}
	if o.MaxGzip < 0 {
		return nil, fmt.Errorf("gzip budget %v%%: it must not be negative", o.MaxGzip)
	}
	if o.Train && o.Sample > 0 {
		return nil, errors.New("a counting build is not for visitors: no sample rate")
	}
	for _, pattern := range slices.Concat(o.Include, o.Exclude, o.Embed) {
		if err := pathglob.Check(pattern); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// findPlaces makes the paths of the directories absolute and free of links, and checks
// them.
func (s *settings) findPlaces() error {
	if s.Input == "" {
		return errors.New("name the directory to instrument")
	}
	info, err := os.Stat(s.Input)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Input, disk.Reason(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", s.Input)
	}
	named, err := filepath.Abs(s.Input)
	if err != nil {
		return err
	}
	if s.Input, err = filepath.EvalSymlinks(named); err != nil {
		return err
	}
	switch {
	case s.InPlace && s.Output != "":
		return errors.New("both an output directory and in place: choose one")
	case s.InPlace:
		s.Output = s.Input
	case s.Output == "":
		suffix := "-profiled"
		if s.Train {
			suffix = "-counting"
		}
		s.Output, err = resolve(named + suffix)
	default:
		s.Output, err = resolve(s.Output)
	}
	if err != nil {
		return err
	}
	return s.checkPlaces()
}

// resolve makes a path absolute and free of links, as far as it exists.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest), nil
		}
		if dir == filepath.Dir(dir) {
			return path, nil
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// checkPlaces refuses an output that would read or overwrite itself.
func (s *settings) checkPlaces() error {
	if s.InPlace {
		return nil
	}
	switch {
	case s.Input == s.Output:
		return fmt.Errorf("the output is the input, %s: ask for in place if you mean that", s.Input)
	case inside(s.Output, s.Input):
		return fmt.Errorf("the output %s lies inside the input %s: choose a directory next to it", s.Output, s.Input)
	case inside(s.Input, s.Output):
		return fmt.Errorf("the input %s lies inside the output %s, which would be replaced: choose another output", s.Input, s.Output)
	}
	return nil
}

// inside reports whether path lies in dir.
func inside(path, dir string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
