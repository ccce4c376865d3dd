package main

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/internal/must"
)

// placeholders are the names that help may use for the value of a flag, apart from words in
// capitals and the types that pflag names.
var placeholders = []string{"directory", "engines", "expression", "file", "form", "glob", "levels", "list", "moment", "name", "path", "percent", "profile", "share", "text", "time"}

// Help shows the word in back quotes as the value's name, so it must not be one of the
// values, as in --clock poll.
func TestPlaceholdersNameValues(t *testing.T) {
	capitals := regexp.MustCompile(`^[A-Z]+$`)
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			name, usage := pflag.UnquoteUsage(flag)
			if strings.Count(flag.Usage, "`") == 0 { // the type's name, or nothing for a switch
				return
			}
			if !capitals.MatchString(name) && !slices.Contains(placeholders, name) {
				t.Errorf("%s --%s calls its value %q: %s", cmd.CommandPath(), flag.Name, name, usage)
			}
		})
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(io.Discard, io.Discard))
}

// An invalid glob is an error in the command line.
func TestGlobsAreChecked(t *testing.T) {
	t.Chdir(t.TempDir())
	must.WriteTree(t, ".", map[string]string{"dist/a.js": "", "a.folded": "main 9\n"})
	for _, line := range []string{"dist --include", "dist --exclude", "dist --embed", "serve dist --include", "serve dist --exclude", "top a.folded --fold"} {
		args := append(strings.Fields(line), "[x")
		code, _, told := instrument(t, args...)
		flag := args[len(args)-2]
		must.Equal(t, code, exitUsage, line)
		must.Contain(t, line, told, "instrument: "+flag+`: "[x" is not a glob`)
	}
}

// Every command that reads profiles has --any-size.
func TestAnySizeIsEverywhere(t *testing.T) {
	for _, cmd := range newRoot(io.Discard, io.Discard).Commands() {
		reads := slices.Contains([]string{"top", "tree", "diff", "merge", "budget", "convert", "report", "slices"}, cmd.Name())
		if has := cmd.Flags().Lookup("any-size") != nil; has != reads {
			t.Errorf("%s: has --any-size: %t", cmd.Name(), has)
		}
	}
}
