package k6

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/grafana/sobek"
	"github.com/sirupsen/logrus"
	"github.com/spf13/cobra"
	"go.k6.io/k6/cmd/state"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost/sobekhost"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// session is one run of k6.
type session struct {
	gs      *state.GlobalState
	command *cobra.Command // of the extension, which leads to all others
	begin   func() *session
	wanted  settings

	argument string // of --out, that wanted follows

	pool  *sobekhost.Pool
	clock *coordinator.Coordinator
	stop  func()   // the clock
	home  *url.URL // the folder of the main script

	mu      sync.Mutex        // guards what follows
	scripts map[string]bool   // modules by URL; whether each has checks
	paths   map[string]string // the URLs of those that are files
	opened  map[string]bool   // paths that scripts read with open()
	names   map[runtime.Bindings]bool
	natives map[string]bool // modules of k6 that scripts use
	read    int             // scripts
	users   []*user
	joined  map[*sobek.Runtime]*user // the users by their runtimes
}

func newSession(gs *state.GlobalState, command *cobra.Command) *session {
	s := &session{gs: gs, command: command}
	s.begin = sync.OnceValue(s.start)
	return s
}

// start finds out, when k6 first reads something, whether `k6 run` was asked for a
// profile: by then its command line is parsed. Without that, start returns nil, and the
// extension does nothing. Errors in the settings are left to the output to report.
func (s *session) start() *session {
	run, _, err := s.command.Root().Find(s.gs.CmdArgs[1:])
	if err != nil || run.Name() != "run" || run.Parent() != run.Root() || len(run.Flags().Args()) == 0 {
		return nil
	}
	var asked bool
	if s.argument, asked = s.asked(run); !asked {
		return nil
	}
	if s.wanted, err = parseSettings(s.argument, s.gs.Env); err != nil {
		return nil
	}
	s.scripts, s.paths, s.opened = map[string]bool{}, map[string]string{}, map[string]bool{}
	s.names, s.natives = map[runtime.Bindings]bool{}, map[string]bool{}
	s.joined = map[*sobek.Runtime]*user{}
	s.clock = coordinator.New(coordinator.Options{Interval: s.wanted.interval, Clock: handClock})
	s.pool = sobekhost.NewPool(s.clock, sobekhost.Options{MaxSamples: s.wanted.keep, MaxTags: maxTags})
	if pwd, err := s.gs.Getwd(); err == nil {
		s.addMain(pwd, run.Flags().Args()[0])
	}
	http.DefaultClient.Transport = &remote{next: http.DefaultClient.Transport, session: s}
	s.stop = sync.OnceFunc(s.clock.Start())
	return s
}

// maxTags bounds the sets of tags: many virtual users, each in several groups.
const maxTags = 1 << 16

// asked is what follows fieldprof= in --out or K6_OUT.
func (s *session) asked(run *cobra.Command) (argument string, asked bool) {
	outputs, err := run.Flags().GetStringArray("out")
	if err != nil || len(outputs) == 0 {
		outputs = strings.Split(s.gs.Env["K6_OUT"], ",")
	}
	for _, output := range outputs {
		if kind, argument, _ := strings.Cut(output, "="); kind == name {
			return argument, true
		}
	}
	return "", false
}

// addMain makes the main script a module, as k6 resolves it.
func (s *session) addMain(pwd, argument string) {
	s.home = &url.URL{Scheme: "file", Path: filepath.ToSlash(pwd) + "/"}
	if argument == "-" {
		return // standardInput knows
	}
	path := argument
	if !filepath.IsAbs(path) {
		path = filepath.Join(pwd, path)
	}
	local := &url.URL{Scheme: "file", Path: filepath.ToSlash(rooted(path))}
	s.add(local)
	s.home = local.JoinPath("..")
	if remote, err := url.Parse(argument); err == nil && remote.Scheme == "https" {
		s.add(remote)
	}
}

// rooted is a path as k6 has it in URLs: on Windows, too, it begins with a separator.
func rooted(path string) string { return filepath.Clean(string(filepath.Separator) + path) }

// add makes a file or an address a module: its text gets checks when k6 reads it.
func (s *session) add(u *url.URL) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := u.String()
	if _, known := s.scripts[name]; known {
		return
	}
	s.scripts[name] = false
	if path, err := filePath(u); err == nil {
		s.paths[path] = name
	}
}

// script returns the URL of the module that a path is. On Windows k6 opens it without the
// separator before the volume.
func (s *session) script(path string) (name string, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, is = s.paths[rooted(path)]
	return name, is
}

// isScript reports whether an address is a module's.
func (s *session) isScript(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, is := s.scripts[name]
	return is
}

// open remembers a file that scripts read with open(): they get its text, without checks.
func (s *session) open(u *url.URL) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, err := filePath(u)
	if err != nil {
		return
	}
	s.opened[path] = true
	if s.scripts[u.String()] {
		s.warn(u.String(), "it has some already, and open() reads it with them")
	}
}

// use remembers a module of k6 that scripts use.
func (s *session) use(native string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.natives[native] = true
}

// isOpened reports whether scripts read a module with open(), too.
func (s *session) isOpened(u *url.URL) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, err := filePath(u)
	return err == nil && s.opened[path]
}

// adopt makes a script known. Runtimes get the names that checks use when they begin, so
// a script that k6 reads later must have the same.
func (s *session) adopt(made *instrumented.Script, back sobekhost.Back, checked bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if checked && !s.names[made.Bindings] && len(s.users) > 0 {
		return errors.New("it uses the names of others' checks; import it at the top of the main script")
	}
	if err := s.pool.Adopt(made, back); err != nil {
		return err
	}
	if checked {
		s.names[made.Bindings], s.scripts[made.File()] = true, true
	}
	return nil
}

// counts says how many scripts were read, and how many of them have checks.
func (s *session) counts() (read, checked int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, has := range s.scripts {
		if has {
			checked++
		}
	}
	return s.read, checked
}

// bindings are the names that checks use, of all scripts so far.
func (s *session) bindings() []runtime.Bindings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.names))
}

// warn tells the user why a script has no checks.
func (s *session) warn(name, why string) {
	s.gs.Logger.WithFields(logrus.Fields{"script": name}).Warn("fieldprof: no checks: " + why)
}
