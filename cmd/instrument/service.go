package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/transform/service"
)

// serviceGC lets the heap grow to four times what a service remembers before it
// is cleared: who waits for a build has memory, and no time.
const serviceGC = 300

// newService is what the npm packages start. It is not for people, and not in
// the help.
func newService(stdin io.Reader, stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:    "service",
		Short:  "Answer the requests of a build plugin on the standard streams",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Ctrl-C goes to every process of the terminal. Whether the build ends is
			// for the build to say: it then closes our input.
			signal.Ignore(os.Interrupt)
			debug.SetGCPercent(serviceGC)
			return service.Serve(context.WithoutCancel(cmd.Context()), stdin, stdout)
		},
	}
}
