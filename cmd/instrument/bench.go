package main

import "github.com/spf13/cobra"

// newBench says where a command went that this one used to have.
func newBench() *cobra.Command {
	return &cobra.Command{
		Use:                "bench",
		Hidden:             true,
		DisableFlagParsing: true, // whatever follows, the answer is the same
		RunE: func(*cobra.Command, []string) error {
			return usageError("bench is now `go run ./bench`, in a checkout of fieldprof")
		},
	}
}
