package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/profile/view"
)

// Exit codes, apart from those that a profiled program chooses itself.
const (
	exitOK          = 0
	exitFailure     = 1   // the program failed, or its input is wrong
	exitUsage       = 2   // the command line is wrong
	exitInterrupted = 130 // Ctrl-C, or SIGTERM
	exitUnread      = 141 // nobody reads the output any more: a shell's code for SIGPIPE
)

func main() {
	os.Exit(execute(untilTold(), os.Args[1:], os.Stdout, os.Stderr))
}

// untilTold returns a context that Ctrl-C and SIGTERM end; a second Ctrl-C ends the process at once.
// A SIGTERM never does: terminals and supervisors signal npm's command line and this process alike,
// and npm's passes on what it gets as a SIGTERM.
func untilTold() context.Context {
	terminated, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	interrupted, byDefault := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, cancel := context.WithCancel(terminated)
	context.AfterFunc(interrupted, func() {
		byDefault()
		cancel()
	})
	return ctx
}

// exitError ends the command with a code; with no text, nothing more is printed.
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

// usageError is a mistake in the command line.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Sprintf(format, args...)}
}

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot(stdout, stderr)
	help := bufio.NewWriter(stdout)
	root.SetOut(help)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err = cmp.Or(err, help.Flush()); err == nil {
		return exitOK
	}
	var exit *exitError
	if !errors.As(err, &exit) {
		exit = &exitError{exitFailure, err.Error()}
	}
	if exit.text != "" {
		fmt.Fprintf(stderr, "instrument: %s\n", printableLines(exit.text))
	}
	return exit.code
}

// quoting is an error that quotes files, their names or an answer, which strangers chose: in one line, because the next
// could pass for another message of ours.
type quoting struct{ error }

func (q quoting) Error() string { return view.Printable(q.error.Error()) }
func (q quoting) Unwrap() error { return q.error }

// printableLines is a message for a terminal. It may have several lines, as those about sources have, and quote what
// strangers chose.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = view.Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

func newRoot(stdout, stderr io.Writer) *cobra.Command {
	var f buildFlags
	root := &cobra.Command{
		Use:           "instrument [flags] DIR",
		Short:         "Profile JavaScript where it runs",
		Version:       release.Version,
		Long:          rootHelp + buildLong,
		Example:       buildExample,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && cmd.Flags().NFlag() == 0:
				return cmd.Help()
			case len(args) == 0: // such as a variable that is not set
				return usageError("name a directory: instrument dist/")
			}
			if err := checkDirectory(cmd, args); err != nil {
				return err
			}
			f.usePreset(&f.preset, cmd.Flags().Changed("preset"))
			return build(cmd.Context(), &f, args[0], stdout, stderr)
		},
		Args:              cobra.ArbitraryArgs,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	addBuildFlags(root, &f)
	root.SetErr(stderr)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError("%v (%s -h lists the flags)", err, cmd.CommandPath())
	})
	root.AddCommand(newRun(stdout, stderr), newTop(stdout, stderr), newTree(stdout, stderr), newMerge(stdout, stderr), newDiff(stdout, stderr), newBudget(stdout, stderr), newConvert(stdout, stderr), newReport(stdout, stderr), newSlices(stdout, stderr), newServe(stdout, stderr), newCollect(stdout, stderr), newQuery(stdout, stderr), newUpload(stdout, stderr), newBench(), newService(os.Stdin, stdout))
	declareOrder(root)
	root.SetHelpCommand(newHelp())
	return root
}

// declareOrder lists flags as they are declared, the most used first.
func declareOrder(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	for _, sub := range cmd.Commands() {
		declareOrder(sub)
	}
}

// newHelp is another way to ask for the help of a command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Describe a command and its flags",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return usageError("no command %q%s (%s -h lists the commands)", rest[0], suggestion(about, rest[0]), about.CommandPath())
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

// suggestion names the commands that a name may have been meant for.
func suggestion(of *cobra.Command, name string) string {
	of.SuggestionsMinimumDistance = 2
	if similar := of.SuggestionsFor(name); len(similar) > 0 {
		return "; is it " + strings.Join(similar, " or ") + "?"
	}
	return ""
}

const rootHelp = `instrument profiles JavaScript where it runs: a coordinator raises a flag each
interval, and tiny checks in the program's functions see it and capture the stack.

`
