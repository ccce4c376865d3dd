package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/collect/client"
	"github.com/fieldprof/fieldprof/profile/view"
)

// uploadFlags are the flags of instrument upload, as given.
type uploadFlags struct {
	collectorFlags
	release string
	dry     bool
	json    bool
}

func newUpload(stdout, stderr io.Writer) *cobra.Command {
	var f uploadFlags
	cmd := &cobra.Command{
		Use:   "upload [flags] DIR",
		Short: "Give a collector the source maps of a release",
		Long: `Upload sends a collector the source maps and function tables of a built directory, and
the comments of scripts whose maps are elsewhere. It does not send scripts, but maps may
contain sources. It skips files that the collector already has, so the command can be
repeated. Files apply to profiles that have already arrived, too.

The release must be the one that pages send: release in send(), or the release of your
SDK.`,
		Example: `  instrument upload --url https://profiles.example --release 1.2.0 dist-profiled/
  instrument upload --release "$(git rev-parse --short HEAD)" --token-file token dist-profiled/
  instrument upload --release 1.2.0 --dry-run dist-profiled/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return usageError("name one built directory: instrument upload --release 1.2.0 dist-profiled/")
			case f.release == "":
				return usageError("name the release as pages send it: instrument upload --release 1.2.0 %s", args[0])
			}
			return interrupted(cmd.Context(), f.upload(cmd.Context(), args[0], stdout, stderr))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.release, "release", "", "`name` of the release, as pages send it")
	f.addTo(flags)
	flags.BoolVar(&f.dry, "dry-run", false, "send nothing; list what would be sent")
	flags.BoolVar(&f.json, "json", false, "print the outcome for each file as JSON")
	return cmd
}

// uploadedJSON is what --json prints.
type uploadedJSON struct {
	Release string          `json:"release"`
	Files   []client.Upload `json:"files"`
}

func (f *uploadFlags) upload(ctx context.Context, directory string, stdout, stderr io.Writer) error {
	if _, err := os.Stat(directory); err != nil {
		return notFound(directory, err)
	}
	files, err := client.FilesOf(ctx, directory)
	if err != nil {
		return err
	}
	if f.dry {
		return f.list(files, stdout)
	}
	c, err := f.open(stderr)
	if err != nil {
		return err
	}
	bar, done := newProgress(stderr), 0
	uploads, err := c.Upload(ctx, f.app, f.release, files, func(client.Upload) {
		done++
		bar.draw(int64(done), int64(len(files)), func() string { return fmt.Sprintf("%d/%d files", done, len(files)) })
	})
	bar.clear()
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, "interrupted; repeat the command to continue"}
	}
	if err != nil {
		return quoting{err}
	}
	return f.tell(uploads, stdout, stderr)
}

// tell prints the outcome.
func (f *uploadFlags) tell(uploads []client.Upload, stdout, stderr io.Writer) error {
	outcomes, bytes := map[string]int{}, 0
	for _, u := range uploads {
		outcomes[u.Outcome]++
		switch u.Outcome {
		case client.Sent:
			bytes += u.Bytes
		case client.Failed:
			fmt.Fprintf(stderr, "instrument: warning: %s: %s\n", view.Printable(u.Name), view.Printable(u.Error))
		}
	}
	if f.json {
		if err := view.EncodeJSON(stdout, uploadedJSON{f.release, uploads}); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintf(stdout, "release %s: %d sent (%.1f MB), %d there already\n", view.Printable(f.release), outcomes[client.Sent], float64(bytes)/1e6, outcomes[client.Same]); err != nil {
		return err
	}
	if n := outcomes[client.Failed]; n > 0 {
		return fmt.Errorf("%d of %d files were not uploaded", n, len(uploads))
	}
	return nil
}

// list prints what would be sent.
func (f *uploadFlags) list(files []client.File, stdout io.Writer) error {
	all := uploadedJSON{f.release, []client.Upload{}}
	table := [][]string{{"bytes", "file"}}
	for _, file := range files {
		size := int64(len(file.Content))
		if file.Content == nil {
			info, err := os.Stat(file.Path)
			if err != nil {
				return err
			}
			size = info.Size()
		}
		all.Files = append(all.Files, client.Upload{Name: file.Name, Outcome: "not sent", Bytes: int(size)})
		table = append(table, []string{fmt.Sprint(size), view.Printable(file.Name)})
	}
	if f.json {
		return view.EncodeJSON(stdout, all)
	}
	return view.WriteTable(stdout, table, 1)
}
