package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/internal/outfile"
)

// interruptible makes a command end at once when it is interrupted. It is for those that read
// files, print and write files: reading has no context, and may wait for a pipe or a terminal.
func interruptible(command func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ended := make(chan error, 1)
		go func() { ended <- command(cmd, args) }()
		select {
		case err := <-ended:
			return err
		case <-cmd.Context().Done():
			outfile.Abandon() // the command goes on until the process ends
			return &exitError{exitInterrupted, "interrupted"}
		}
	}
}

// interrupted is the error of a command that ends with its context: work that it could not do then is
// not a failure. Some commands have said more.
func interrupted(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.As(err, new(*exitError)) {
		return err
	}
	return &exitError{exitInterrupted, "interrupted"}
}
