package answer

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/symbols"
)

// MaxFile is the size up to which files are parsed. A parsed map takes several times its size.
const MaxFile = 32 << 20

// largeFile is the size from which files are parsed one at a time, for all requests together.
const largeFile = 4 << 20

// release is what the files of a release make of deployed frames.
type release struct {
	name     string
	version  string // of its files
	frames   map[frameOf]frame
	warnings []string
}

// frameOf is a deployed frame, and the debug id of its script if the profile has it.
type frameOf struct {
	frame profile.FrameID
	id    string
}

// frame is a frame as the sources have it.
type frame struct {
	function profile.Function
	at       functable.Position
	mapped   bool // a map or a table knew the script
	minified bool // the name is the minifier's, which another release gives to another function
}

// library has the files of all releases of an app.
type library struct {
	read      func(f *store.File) ([]byte, error)
	all       []*store.File
	byRelease map[string][]*store.File
	byID      map[string]*store.File // maps by debug id, the latest
	ids       string                 // a hash of byID
	versions  map[string]string      // by release
	failed    error                  // of the store
}

func (s *Service) library(ctx context.Context, app string) (*library, error) {
	all, err := s.store.Files(ctx, app, "")
	if err != nil {
		return nil, err
	}
	l := &library{byRelease: map[string][]*store.File{}, byID: map[string]*store.File{}, versions: map[string]string{}}
	l.read = func(f *store.File) ([]byte, error) {
		content, err := s.store.FileContent(ctx, f.App, f.Release, f.Name)
		if err != nil && !errors.Is(err, store.ErrUnknown) {
			l.failed = err
		}
		return content, err
	}
	slices.SortStableFunc(all, func(a, b store.File) int { return b.Uploaded.Compare(a.Uploaded) })
	for i := range all {
		f := &all[i]
		l.all = append(l.all, f)
		l.byRelease[f.Release] = append(l.byRelease[f.Release], f)
		if id := strings.ToLower(f.DebugID); f.Kind == store.FileMap && id != "" && l.byID[id] == nil {
			l.byID[id] = f
		}
	}
	ids := sha256.New()
	for _, id := range slices.Sorted(maps.Keys(l.byID)) {
		fmt.Fprintln(ids, keyOf(l.byID[id]))
	}
	l.ids = string(ids.Sum(nil))
	return l, nil
}

// keyOf differs between any two contents.
func keyOf(f *store.File) string {
	return fmt.Sprintf("%q %q %q %d %d %s", f.App, f.Release, f.Name, f.Size, f.Uploaded.UnixNano(), f.DebugID)
}

// own are the files of a release. Sessions that do not name their release have the files of all.
func (l *library) own(release string) []*store.File {
	if release == "" {
		return l.all
	}
	return l.byRelease[release]
}

// version differs if the content found in the files does.
func (l *library) version(release string) string {
	if known, ok := l.versions[release]; ok {
		return known
	}
	version := sha256.New()
	fmt.Fprintln(version, l.ids)
	for _, f := range l.own(release) {
		fmt.Fprintln(version, keyOf(f))
	}
	l.versions[release] = string(version.Sum(nil))
	return l.versions[release]
}

// files are what package symbols is given: those of a release, and maps of others that have the debug
// ids of its scripts.
type files struct {
	*library
	list   []symbols.File
	known  map[string]*store.File
	larger bool // one of them is larger than largeFile
}

func (l *library) files(release string, ids map[string]string) *files {
	f := &files{library: l, known: map[string]*store.File{}}
	have := map[string]bool{}
	add := func(as string, of *store.File, byID bool) {
		if f.known[as] == nil {
			f.known[as] = of
			f.larger = f.larger || of.Size > largeFile
			f.list = append(f.list, symbols.File{Name: as, Key: keyOf(of), DebugID: of.DebugID, ByID: byID})
			have[strings.ToLower(of.DebugID)] = true
		}
	}
	for _, of := range l.own(release) {
		add(of.Name, of, false)
	}
	for _, id := range ids {
		if of := l.byID[strings.ToLower(id)]; of != nil && !have[strings.ToLower(id)] {
			add(fmt.Sprintf("release %q/%s", of.Release, of.Name), of, true)
		}
	}
	return f
}

// in looks for the scripts of a profile in files.
func (s *Service) in(p *profile.Profile, f *files) *symbols.Found {
	if f.larger {
		s.parsing.Lock()
		defer s.parsing.Unlock()
	}
	return symbols.In(p, f, s.memory)
}

func (f *files) List() []symbols.File { return f.list }

func (f *files) Read(name string) ([]byte, error) {
	file := f.known[name]
	if file.Size > MaxFile {
		return nil, errLarge
	}
	content, err := f.read(file)
	if err == nil && len(content) > MaxFile {
		err = errLarge
	}
	return content, err
}

var errLarge = fmt.Errorf("larger than %d MB, and so not read", MaxFile>>20)

// release returns what is known of a release with the files that it has now. d is locked.
func (d *deployed) release(l *library, name string) *release {
	r, version := d.releases[name], l.version(name)
	if r == nil || r.version != version {
		if r != nil {
			d.frames.Add(-int64(len(r.frames)))
		}
		r = &release{name: name, version: version, frames: map[frameOf]frame{}}
		d.releases[name] = r
	}
	return r
}

// resolve finds frames in the sources, if they have not been looked for yet. d is locked.
func (s *Service) resolve(d *deployed, r *release, l *library, frames []profile.FrameID, ids map[string]string) error {
	p := d.b.Profile()
	var wanted []profile.FrameID
	var scripts profile.Builder
	scripts.Meta.DebugIDs = ids
	for _, f := range frames {
		function := p.Function(p.Frames.Function[f])
		if _, known := r.frames[frameOf{f, ids[function.File]}]; !known {
			wanted = append(wanted, f)
			scripts.Function(profile.Function{File: function.File, Flags: function.Flags & (profile.Pseudo | profile.NativeCode)})
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found := s.in(scripts.Profile(), l.files(r.name, ids))
	if l.failed != nil {
		return l.failed
	}
	r.warnings = profile.Notes(r.warnings, found.Warnings)
	symbolizer := profile.NewSymbolizer(func(file string) (profile.Script, bool) {
		script, ok := found.Scripts[file]
		return script, ok
	})
	for _, f := range wanted {
		was := p.Function(p.Frames.Function[f])
		var now frame
		now.function, now.at = symbolizer.Frame(was, functable.Position{Line: p.Frames.Line[f], Column: p.Frames.Column[f]})
		if found.Ignored[now.function.File] {
			now.function.Flags |= profile.Ignored
		}
		_, now.mapped = found.Scripts[was.File]
		now.minified = now.function.Name == was.Name && len(was.Name) <= 2
		r.frames[frameOf{f, ids[was.File]}] = now
	}
	d.frames.Add(int64(len(wanted)))
	return nil
}
