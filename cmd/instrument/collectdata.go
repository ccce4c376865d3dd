package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/collect/server"
)

func newCollectBackup(stdout io.Writer) *cobra.Command {
	var f dataFlags
	cmd := &cobra.Command{
		Use:   "backup [flags] TO",
		Short: "Copy the data of a collector, also while it runs",
		Long: `Copy the SQLite store and the generated keys into a new directory. The collector may
run meanwhile. For ClickHouse use its own BACKUP (docs/clickhouse.md).`,
		Example: `  instrument collect backup --data /var/lib/fieldprof /backups/monday`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("name a new directory: instrument collect backup TO")
			}
			c, err := f.read()
			if err != nil {
				return err
			}
			if err := server.Backup(cmd.Context(), c, args[0]); err != nil {
				return interrupted(cmd.Context(), err)
			}
			_, err = fmt.Fprintf(stdout, "The data are in %s.\n", args[0])
			return err
		},
	}
	f.addTo(cmd.Flags())
	return cmd
}

func newCollectRestore(stdout io.Writer) *cobra.Command {
	var f dataFlags
	cmd := &cobra.Command{
		Use:     "restore [flags] FROM",
		Short:   "Make the data of a collector from a backup",
		Long:    `Make the data of a collector from a backup. The directory of data must be new or empty.`,
		Example: `  instrument collect restore --data /var/lib/fieldprof /backups/monday`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("name the backup: instrument collect restore FROM")
			}
			c, err := f.read()
			if err != nil {
				return err
			}
			if err := server.Restore(cmd.Context(), c, args[0]); err != nil {
				return interrupted(cmd.Context(), err)
			}
			_, err = fmt.Fprintf(stdout, "The data are in %s.\n", c.Data)
			return err
		},
	}
	f.addTo(cmd.Flags())
	return cmd
}

func newCollectCheck(stdout io.Writer) *cobra.Command {
	var f dataFlags
	cmd := &cobra.Command{
		Use:     "check [flags]",
		Short:   "Check a configuration and its store",
		Long:    `Read a configuration, look at the store, and say what a collector would do. Nothing is changed.`,
		Example: `  instrument collect check --config collect.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("check takes flags only, not %q", args)
			}
			c, err := f.read()
			if err != nil {
				return err
			}
			return interrupted(cmd.Context(), server.Check(cmd.Context(), c, stdout))
		},
	}
	f.addTo(cmd.Flags())
	return cmd
}
