package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fieldprof/fieldprof/internal/release"
)

// pack is a package that is being made.
type pack struct {
	name   string
	source string // its folder in npm/
	folder string // where it is made, as it will be installed
	// manifest is the part of its package.json that the build reads.
	manifest struct {
		Name    string
		Bin     map[string]string
		Exports map[string]json.RawMessage
	}
}

// placeholder is the version in package.json, which this release's replaces.
var placeholder = regexp.MustCompile(`: "0\.0\.0"`)

// open starts a package: its folder with all files that are only copied. fill, if any,
// changes the texts of a template.
func (b *build) open(source string, fill func(string) string) (*pack, error) {
	p := &pack{source: source}
	text, err := os.ReadFile(filepath.Join(source, "package.json"))
	if err != nil {
		return nil, err
	}
	manifest := placeholder.ReplaceAllString(string(text), `: "`+release.Version+`"`)
	if fill != nil {
		manifest = fill(manifest)
	}
	if err := json.Unmarshal([]byte(manifest), &p.manifest); err != nil {
		return nil, fmt.Errorf("%s/package.json: %w", source, err)
	}
	p.name = p.manifest.Name
	p.folder = filepath.Join(b.out, "node_modules", filepath.FromSlash(p.name))
	if !b.wants(p.name) {
		return p, nil
	}
	if err := os.RemoveAll(p.folder); err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(source, "README.md"))
	if err != nil {
		return nil, err
	}
	if fill != nil {
		readme = []byte(fill(string(readme)))
	}
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	for name, data := range map[string][]byte{"package.json": []byte(manifest), "README.md": readme, "LICENSE": license} {
		if err := p.write(name, data, 0o644); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// write puts a file into the package.
func (p *pack) write(name string, data []byte, mode os.FileMode) error {
	path := filepath.Join(p.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		return err
	}
	return os.Chmod(path, mode) // whatever the umask is
}

// finish takes a package that is made to those that are packed in the end.
func (b *build) finish(p *pack) error {
	if err := p.complete(); err != nil {
		return err
	}
	b.made = append(b.made, p)
	return nil
}

// pack makes all tarballs in one run of npm, which takes longer to start than to pack. npm
// gives all files one time and owner, so equal packages have equal bytes.
func (b *build) pack() error {
	args := []string{"pack", "--silent", "--ignore-scripts", "--pack-destination", b.out}
	for _, p := range b.made {
		args = append(args, p.folder)
	}
	if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("npm pack: %w\n%s", err, out)
	}
	for _, p := range b.made {
		name := strings.ReplaceAll(strings.TrimPrefix(p.name, "@"), "/", "-") + "-" + release.Version + ".tgz"
		info, err := os.Stat(filepath.Join(b.out, name))
		if err != nil {
			return err
		}
		fmt.Printf("%-28s %8.1f KB  %s\n", p.name, float64(info.Size())/1e3, filepath.Join(b.out, name))
	}
	return nil
}

// complete finds files that package.json names but that were not made.
func (p *pack) complete() error {
	for _, name := range p.named() {
		if strings.Contains(name, "*") {
			continue
		}
		if _, err := os.Stat(filepath.Join(p.folder, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("package.json names %s, which was not built", name)
		}
	}
	return nil
}

// exported finds the files in exports, under any condition.
var exported = regexp.MustCompile(`"\./([^"]+)"`)

// named are the files in exports and bin.
func (p *pack) named() (names []string) {
	for _, targets := range p.manifest.Exports {
		for _, match := range exported.FindAllSubmatch(targets, -1) {
			names = append(names, string(match[1]))
		}
	}
	for _, name := range p.manifest.Bin {
		names = append(names, strings.TrimPrefix(name, "./"))
	}
	return names
}
