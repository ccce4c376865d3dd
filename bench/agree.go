package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/bias"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// newAgree is the command that compares two runs of bias.
func newAgree(stdout io.Writer) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "agree BIAS.json BIAS.json",
		Short:   "Compare what two runs of bias say of the same cells",
		Long:    "Compare what two runs of bias say of the same cells. Figures agree if they differ by no more than their\n95 % intervals allow; of two runs that measure the same, 95 in 100 cells do. What else they differ in heads the table:\nthe commit, engines, the machine and how busy it was.",
		Example: "  go run ./bench bias --out again\n  go run ./bench agree bench/results/bias.json again/bias.json",
		RunE: func(_ *cobra.Command, names []string) error {
			if len(names) != 2 {
				return usage("it takes 2 paths: agree BIAS.json BIAS.json")
			}
			var reports [2]*bias.Report
			for i, name := range names {
				r, err := bias.ReadReport(name)
				if err != nil {
					return err
				}
				reports[i] = r
			}
			agreement := bias.Agree(reports[0], reports[1])
			if len(agreement.Engines) == 0 {
				return fmt.Errorf("%s and %s have no cell in common", names[0], names[1])
			}
			if out != "" {
				if err := archive.Record(out, map[string]figures.Report{"agree": agreement}); err != nil {
					return err
				}
			}
			_, err := io.WriteString(stdout, agreement.Table())
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write agree.md and agree.json to this `directory`")
	return cmd
}
