package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/transform/service"
)

// serviceGC lets the heap grow to four times what a service remembers before it is
// collected: during a build memory is cheaper than time.
const serviceGC = 300

// newService is what the npm packages start. It is not for people, and hidden in help.
func newService(stdin io.Reader, stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:    "service",
		Short:  "Answer the requests of a build plugin on standard input and output",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Ctrl-C goes to every process of the terminal. The build decides whether it
			// ends; if so it closes our input. Any other request to end is for this process.
			signal.Ignore(os.Interrupt)
			signal.Reset(syscall.SIGTERM)
			debug.SetGCPercent(serviceGC)
			return service.Serve(context.WithoutCancel(cmd.Context()), stdin, stdout)
		},
	}
}
