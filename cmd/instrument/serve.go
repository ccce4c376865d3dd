package main

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fieldprof/fieldprof/internal/serve"
	"github.com/fieldprof/fieldprof/internal/serve/address"
	"github.com/fieldprof/fieldprof/internal/serve/certificate"
	"github.com/fieldprof/fieldprof/internal/serve/hub"
	"github.com/fieldprof/fieldprof/internal/serve/qr"
	"github.com/fieldprof/fieldprof/internal/serve/site"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/view"
)

// serveFlags are the flags of instrument serve, as given.
type serveFlags struct {
	host     string
	port     int
	https    bool
	cert     string
	key      string
	proxy    string
	isolated bool
	spa      bool
	overlay  bool
	open     bool
	interval time.Duration
	before   string
	keep     string
	checkFlags
	json bool
}

func newServe(stdout, stderr io.Writer) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve [flags] DIR",
		Short: "Serve a site and watch its profile live",
		Long: `Serve a built directory, or what a dev server sends, and show the profile of every
page that is open there while it runs. Scripts are instrumented on the way; a
directory that is instrumented already is served as it is. Open the site in any
browser, a phone's included, then the panel, and press Start.`,
		Example: `  instrument serve dist/
  instrument serve dist-profiled/ --isolated=false     # as in the field
  instrument serve --proxy http://localhost:5173       # in front of Vite
  instrument serve dist/ --host 0.0.0.0 --https        # for a phone
  instrument serve dist/ --before last.cpuprofile      # compare while it runs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args, stdout, stderr)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.host, "host", "localhost", "`name` or address to listen on; 0.0.0.0 is every address, for other machines")
	flags.IntVar(&f.port, "port", 0, "port to listen on (0: 8080, or the next one that is free)")
	flags.BoolVar(&f.https, "https", false, "answer over HTTPS, with a certificate of this machine's own")
	flags.StringVar(&f.cert, "cert", "", "PEM `file` of the certificate to use instead")
	flags.StringVar(&f.key, "key", "", "PEM `file` of its key")
	flags.StringVar(&f.proxy, "proxy", "", "serve what the dev server at this `URL` sends, instead of a directory")
	flags.BoolVar(&f.isolated, "isolated", true, "make pages cross-origin isolated, which the shared clock needs")
	flags.BoolVar(&f.spa, "spa", true, "answer a navigation to what does not exist with index.html")
	flags.BoolVar(&f.overlay, "overlay", false, "show a button in each page that starts and stops its profile")
	flags.BoolVar(&f.open, "open", false, "open the panel in the browser")
	flags.DurationVar(&f.interval, "interval", 10*time.Millisecond, "time between ticks, until the panel chooses another")
	flags.StringVar(&f.before, "before", "", "compare with this `profile`")
	flags.StringVar(&f.keep, "keep", "", "keep what is recorded in this `directory`, and show what is there")
	f.checkFlags.addTo(flags)
	flags.BoolVar(&f.json, "json", false, "print the addresses as JSON")
	return cmd
}

// check checks the flags.
func (f *serveFlags) check(args []string) error {
	switch {
	case len(args) == 0 && f.proxy == "":
		return usageError("name a directory, instrument serve dist/, or a dev server, instrument serve --proxy http://localhost:5173")
	case len(args) > 0 && f.proxy != "":
		return usageError("%s and --proxy: choose one", args[0])
	case len(args) > 1:
		return usageError("one directory at a time, not %q", args)
	case (f.cert == "") != (f.key == ""):
		return usageError("--cert and --key belong together")
	case f.port < 0 || f.port > 65535:
		return usageError("--port %d: a port lies between 1 and 65535", f.port)
	case f.interval < minInterval:
		return usageError("--interval %v: the shortest gap between ticks is %v", f.interval, minInterval)
	case f.interval > maxLiveInterval:
		return usageError("--interval %v: the longest gap between ticks of a live profile is %v", f.interval, maxLiveInterval)
	}
	if f.proxy != "" {
		if u, err := url.Parse(f.proxy); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return usageError("--proxy %s: name the address of a server, such as http://localhost:5173", f.proxy)
		}
		return nil
	}
	info, err := os.Stat(args[0])
	if err == nil && !info.IsDir() {
		return usageError("%s is a file: name the directory it is in", args[0])
	}
	return notFound(args[0], err)
}

// run is instrument serve.
func (f *serveFlags) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if err := f.check(args); err != nil {
		return err
	}
	tell := func(line string) { fmt.Fprintf(stderr, "instrument: warning: %s\n", view.Printable(line)) }
	o := serve.Options{
		Site: site.Options{Proxy: f.proxy, Include: f.include, Exclude: f.exclude, Isolated: f.isolated, SPA: f.spa, Overlay: f.overlay, Log: tell},
		Hub:  hub.Options{Interval: f.interval.Seconds() * 1000, Log: tell},
	}
	if f.proxy == "" {
		o.Site.Input = args[0]
		if entries, err := os.ReadDir(args[0]); err == nil && len(entries) == 0 {
			tell(args[0] + " is empty: its files are served as soon as a build has written them")
		}
	}
	var err error
	if o.Site.Selection, err = f.selection(); err != nil {
		return err
	}
	if f.before != "" {
		if o.Hub.Before, err = format.ReadFile(f.before); err != nil {
			return quoting{err}
		}
	}
	if o.Place, err = address.Listen(f.host, f.port); err != nil {
		return err
	}
	defer o.Place.Close()
	if o.Certificate, err = f.certificate(o.Place.Hosts, tell); err != nil {
		return err
	}
	if o.Hub.Journal, err = f.journal(o.Site.Input+f.proxy, o.Place.Port); err != nil {
		return err
	}
	o.Hub.Keep = f.keep != ""
	server, err := serve.New(ctx, o)
	if err != nil {
		return quoting{err}
	}
	if err := f.announce(server, o.Place.Beyond, stdout, stderr); err != nil {
		return err
	}
	if err := server.Run(ctx); err != nil {
		return err
	}
	return &exitError{code: exitInterrupted}
}

// certificate finds the one that the flags ask for, nil for none.
func (f *serveFlags) certificate(hosts []string, tell func(string)) (*tls.Certificate, error) {
	switch {
	case f.cert != "":
		return certificate.Read(f.cert, f.key)
	case f.https:
		local, err := certificate.Local("", hosts, time.Now())
		if local != nil && err != nil { // it cannot be kept
			tell(err.Error())
			err = nil
		}
		return local, err
	}
	return nil, nil
}

// journal is the folder of what is recorded: the one that is to be kept, or one of the
// user's that belongs to this input and port, since only there pages come back.
func (f *serveFlags) journal(input string, port int) (string, error) {
	if f.keep != "" {
		return f.keep, nil
	}
	folder, err := cacheFolder()
	if err != nil {
		return "", err
	}
	if f.proxy == "" {
		if input, err = filepath.Abs(input); err != nil {
			return "", err
		}
	}
	hash := sha256.Sum256([]byte(input + "\x00" + strconv.Itoa(port)))
	return filepath.Join(folder, "live", hex.EncodeToString(hash[:16])), nil
}

// cacheFolder is where this program keeps what it can do without.
func cacheFolder() (string, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no cache directory for this user: name one with --keep: %w", err)
	}
	return filepath.Join(folder, "fieldprof"), nil
}

// announce says where to look, and opens a browser there if it is to.
func (f *serveFlags) announce(server *serve.Server, beyond bool, stdout, stderr io.Writer) error {
	if f.json {
		addresses := struct {
			Site  string `json:"site"`
			Panel string `json:"panel"`
		}{server.Site(), server.Panel()}
		if err := json.NewEncoder(stdout).Encode(addresses); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintf(stdout, "Site:   %s\nPanel:  %s\nCtrl-C stops both.\n", server.Site(), server.Panel()); err != nil {
		return err
	}
	if beyond && isTerminal(stderr) {
		code, err := qr.Blocks(server.Panel())
		if err != nil {
			return err
		}
		fmt.Fprintln(stderr, strings.TrimRight(code, "\n"))
	}
	if f.open {
		if err := address.Open(server.Panel()); err != nil {
			fmt.Fprintf(stderr, "instrument: warning: %v\n", err)
		}
	}
	return nil
}
