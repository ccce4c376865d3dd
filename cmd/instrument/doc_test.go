package main

import (
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/transform"
)

// manual returns the sections of doc.go by heading, without comment signs.
func manual(t *testing.T) map[string]string {
	t.Helper()
	text := must.Get(os.ReadFile("doc.go"))(t)
	plain := regexp.MustCompile(`(?m)^// ?`).ReplaceAllString(string(text), "")
	sections := map[string]string{}
	for _, section := range strings.Split(plain, "\n# ")[1:] {
		heading, body, _ := strings.Cut(section, "\n")
		sections[heading] = body
	}
	return sections
}

// flagsOf returns what a section says of each flag.
func flagsOf(section string) map[string]string {
	flags, names := map[string]string{}, []string(nil)
	for line := range strings.Lines(section) {
		row, ok := strings.CutPrefix(line, "\t")
		if !ok {
			names = nil
			continue
		}
		if strings.HasPrefix(row, "-") {
			head, _, _ := strings.Cut(row, "  ")
			names = nil
			for _, m := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(head, -1) {
				names = append(names, m[1])
			}
		}
		for _, name := range names {
			flags[name] += " " + strings.TrimSpace(row)
		}
	}
	return flags
}

// commands returns all commands by their heading in the manual.
func commands() map[string]*cobra.Command {
	root := newRoot(io.Discard, io.Discard)
	root.InitDefaultVersionFlag()
	all := map[string]*cobra.Command{"instrument DIR": root}
	var add func(*cobra.Command)
	add = func(parent *cobra.Command) {
		for _, cmd := range parent.Commands() {
			if name := cmd.Name(); name != "help" && name != "bench" {
				all[cmd.CommandPath()] = cmd
				add(cmd)
			}
		}
	}
	add(root)
	return all
}

// The manual has every command with every flag, its default and its letter, and no others.
func TestManualHasTheFlags(t *testing.T) {
	sections := manual(t)
	for heading, cmd := range commands() {
		section, ok := sections[heading]
		if !ok {
			t.Errorf("there is no section %q", heading)
			continue
		}
		if !strings.Contains(sections["Usage"], "\t"+strings.TrimSuffix(cmd.UseLine(), " [flags]")+"\n") {
			t.Errorf("Usage lacks %q", cmd.UseLine())
		}
		told := flagsOf(section)
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			text, ok := told[flag.Name]
			delete(told, flag.Name)
			switch value := flag.DefValue; {
			case flag.Name == "help":
			case !ok:
				t.Errorf("%s lacks --%s", heading, flag.Name)
			case flag.Shorthand != "" && flag.Name != "version" && !strings.Contains(text, "-"+flag.Shorthand+", --"+flag.Name):
				t.Errorf("%s lacks -%s of --%s", heading, flag.Shorthand, flag.Name)
			case !slices.Contains([]string{"", "false", "0", "0s", "[]"}, value) && !strings.Contains(text, "default "+value+")"):
				t.Errorf("%s: --%s is %s by default; the manual says:%s", heading, flag.Name, value, text)
			}
		})
		for name := range told {
			t.Errorf("%s has --%s, which the command has not", heading, name)
		}
	}
	for heading := range sections {
		if strings.HasPrefix(heading, "instrument ") && commands()[heading] == nil {
			t.Errorf("the section %q has no command", heading)
		}
	}
}

// The sections that commands refer to describe every flag they are referred to for.
func TestManualHasSharedFlags(t *testing.T) {
	sections := manual(t)
	for heading := range commands() {
		for name, text := range flagsOf(sections[heading]) {
			for _, shared := range []string{"Part of a profile", "Sources of a profile", "Access to a collector"} {
				if strings.Contains(text, "see "+shared) && flagsOf(sections[shared])[name] == "" {
					t.Errorf("%s refers to %q for --%s, which is not there", heading, shared, name)
				}
			}
		}
	}
}

// The manual has every format with its extensions, in their order.
func TestManualHasTheFormats(t *testing.T) {
	var want []string
	for _, f := range format.All() {
		want = append(want, f.Name+" "+strings.Join(f.Extensions, " "))
	}
	var got []string
	for line := range strings.Lines(manual(t)["Formats"]) {
		if strings.HasPrefix(line, "\t") {
			got = append(got, strings.Join(strings.Fields(line), " "))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the manual has the formats\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Every place that lists the presets has them all, so that these are the places where a
// new preset is added.
func TestPresetsAreListed(t *testing.T) {
	for _, path := range []string{
		"run.go", "doc.go", "../../transform/preset.go", "../../transform/service/options.go",
		"../../npm/fieldprof/src/types.ts", "../../npm/esbuild/README.md", "../../npm/unplugin/README.md", "../../docs/running.md",
	} {
		text := must.Get(os.ReadFile(path))(t)
		for preset := range transform.Preset(math.MaxUint8) {
			name := preset.String()
			if _, err := transform.ParsePreset(name); err != nil {
				break // there are no more
			}
			if !regexp.MustCompile(`\b` + name + `\b`).Match(text) {
				t.Errorf("%s lacks the preset %s", path, name)
			}
		}
	}
}
