package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/bench/archive"
)

// newArchive is the command for archives of raw samples, which bias --keep writes.
func newArchive(stdout io.Writer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "Verify, pack and unpack raw samples",
		Long:  "Verify, pack and unpack the raw samples that bias --keep writes: a folder of recordings with a manifest.",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return usage("name what to do: seal, verify, pack or unpack") },
	}
	does := func(use, short string, args int, run func(args []string) error) {
		cmd.AddCommand(&cobra.Command{Use: use, Short: short, RunE: func(_ *cobra.Command, names []string) error {
			if len(names) != args {
				return usage("it takes %d paths: archive %s", args, use)
			}
			return run(names)
		}})
	}
	does("verify DIR", "Compare the files with the manifest", 1, func(args []string) error {
		m, err := archive.Verify(args[0], archive.Recordings)
		if err == nil {
			fmt.Fprintf(stdout, "%d recordings, as they were sealed\n", len(m.Files))
		}
		return err
	})
	does("seal DIR", "Write a manifest for recordings, or results, that have none", 1, func(args []string) error {
		m := archive.Manifest{Pattern: archive.Results}
		if raw, err := filepath.Glob(filepath.Join(args[0], archive.Recordings)); err == nil && len(raw) > 0 {
			m.Pattern = archive.Recordings
		}
		return archive.Seal(args[0], m)
	})
	does("pack DIR FILE.tar.zst", "Verify the recordings and write them into one file (.tar.zst or .tar.gz)", 2, func(args []string) error {
		return archive.Pack(args[0], args[1])
	})
	does("unpack FILE DIR", "Unpack one file into a new directory and verify it", 2, func(args []string) error {
		return archive.Unpack(args[0], args[1])
	})
	return cmd
}
