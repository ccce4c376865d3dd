package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/server"
	"github.com/fieldprof/fieldprof/internal/release"
)

// dataFlags say where a collector keeps what.
type dataFlags struct {
	config string
	data   string
	store  string
}

func (f *dataFlags) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.config, "config", "", "read this YAML `file`; flags win over it")
	flags.StringVar(&f.data, "data", "", "`directory` of everything that is kept (fieldprof-data, unless the file names one)")
	flags.StringVar(&f.store, "store", "", "store at this `URL`: sqlite:PATH or clickhouse://HOST:9000/DATABASE (a file in the data)")
}

// read is the configuration that the flags ask for.
func (f *dataFlags) read() (*config.Config, error) {
	c := &config.Config{}
	if f.config != "" {
		var err error
		if c, err = config.ReadFile(f.config); err != nil {
			return nil, err
		}
	}
	c.Data, c.Store = cmp.Or(f.data, c.Data), cmp.Or(f.store, c.Store)
	if err := c.Check(); err != nil {
		return nil, usageError("%v", err)
	}
	return c, nil
}

// collectFlags are the flags of instrument collect, as given.
type collectFlags struct {
	dataFlags
	listen     string
	cert, key  string
	trustProxy bool
	metrics    string
	memory     string
	url        string
	json       bool

	given *pflag.FlagSet
}

func newCollect(stdout, stderr io.Writer) *cobra.Command {
	var f collectFlags
	cmd := &cobra.Command{
		Use:   "collect [flags]",
		Short: "Collect the profiles of real users",
		Long: `Receive what pages send, add it up, and show where the time of all users went. Without
a file there is one app; its key and the token of the dashboard are made at the first
start, and printed. docs/collect.md has the settings of a file, and how to run this for
long: TLS, backups, metrics, ClickHouse.`,
		Example: `  instrument collect                                   # http://localhost:8090
  instrument collect --data /var/lib/fieldprof --listen :443 --cert c.pem --key k.pem
  instrument collect --config collect.yaml --trust-proxy --url https://profiles.example
  instrument collect --store 'clickhouse://user:password@ch1:9000,ch2:9000/fieldprof?cluster=main'
  instrument collect backup --data /var/lib/fieldprof monday/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("%q: collect has the commands backup, restore and check", args[0])
			}
			return f.run(cmd.Context(), stdout, stderr)
		},
		Args: cobra.ArbitraryArgs,
	}
	f.declare(cmd.Flags())
	cmd.AddCommand(newCollectBackup(stdout), newCollectRestore(stdout), newCollectCheck(stdout))
	return cmd
}

func (f *collectFlags) declare(flags *pflag.FlagSet) {
	f.given = flags
	flags.StringVar(&f.listen, "listen", "", "listen at this `ADDRESS`, HOST:PORT (:8090, on every host)")
	f.dataFlags.addTo(flags)
	flags.StringVar(&f.cert, "cert", "", "PEM `file` of a certificate, for HTTPS")
	flags.StringVar(&f.key, "key", "", "PEM `file` of its key")
	flags.BoolVar(&f.trustProxy, "trust-proxy", false, "a proxy is in front: believe its X-Forwarded-For")
	flags.StringVar(&f.metrics, "metrics", "", "serve /metrics at this `ADDRESS` too, HOST:PORT, without a token")
	flags.StringVar(&f.memory, "memory", "", "get along with this `SIZE` of memory (448MiB)")
	flags.StringVar(&f.url, "url", "", "print addresses with this `URL`, under which others know the collector")
	flags.BoolVar(&f.json, "json", false, "print the addresses as JSON")
}

// read is the configuration that the flags ask for.
func (f *collectFlags) read() (*config.Config, error) {
	if (f.cert == "") != (f.key == "") {
		return nil, usageError("--cert and --key belong together")
	}
	if u, err := url.Parse(f.url); f.url != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return nil, usageError("--url %s: an address belongs here, such as https://profiles.example", f.url)
	}
	c, err := f.dataFlags.read()
	if err != nil {
		return nil, err
	}
	c.Listen, c.Metrics = cmp.Or(f.listen, c.Listen), cmp.Or(f.metrics, c.Metrics)
	if f.given.Changed("trust-proxy") {
		c.TrustProxy = f.trustProxy
	}
	if f.cert != "" {
		c.Cert, c.Key = f.cert, f.key
	}
	if f.memory != "" {
		if c.Memory, err = config.ParseSize(f.memory); err != nil {
			return nil, usageError("--memory %s: %v", f.memory, err)
		}
		if c.Memory == 0 { // which a configuration takes for no value
			return nil, usageError("--memory %s: more than 0 belongs here; without the flag the default holds", f.memory)
		}
	}
	if err := c.Check(); err != nil {
		return nil, usageError("%v", err)
	}
	c.SetDefaults()
	return c, nil
}

// run is instrument collect.
func (f *collectFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	c, err := f.read()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("%w: choose another place with --listen", err)
	}
	s, err := server.Open(ctx, c, server.Options{Log: newLog(stderr), Version: release.Version, AddKeys: true})
	if err != nil {
		listener.Close()
		return interrupted(ctx, err)
	}
	if err := f.announce(c, listener, s.MadeKeys(), stdout); err != nil {
		listener.Close()
		s.Close()
		return err
	}
	return s.Run(ctx, listener)
}

// newLog writes for people on a terminal, and for programs elsewhere.
func newLog(w io.Writer) *slog.Logger {
	if isTerminal(w) {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}

// addresses are where a collector is.
type addresses struct {
	Collector string `json:"collector"`
	Send      string `json:"send"`      // where pages of the first app send to
	Dashboard string `json:"dashboard"` // with the token of the first one that reads
	Token     string `json:"token,omitempty"`
}

func (f *collectFlags) addresses(c *config.Config, at net.Addr) addresses {
	base := strings.TrimSuffix(f.url, "/")
	if base == "" {
		scheme, tcp := "http", at.(*net.TCPAddr)
		if c.Cert != "" {
			scheme = "https"
		}
		host := "localhost"
		if !tcp.IP.IsUnspecified() && !tcp.IP.IsLoopback() {
			host = tcp.IP.String()
		}
		base = scheme + "://" + net.JoinHostPort(host, strconv.Itoa(tcp.Port))
	}
	a := addresses{Collector: base, Send: base + "/v1/profiles?key=" + c.Apps[0].Keys[0], Dashboard: base + "/"}
	for _, token := range c.Tokens {
		if token.Read && a.Token == "" {
			a.Token = token.Text
			a.Dashboard += "#token=" + url.QueryEscape(token.Text)
		}
	}
	return a
}

// announce says where the collector is. The token is shown to a person, and at the first start to
// whatever started it; the logs of supervisors are read by many.
func (f *collectFlags) announce(c *config.Config, l net.Listener, first bool, stdout io.Writer) error {
	a := f.addresses(c, l.Addr())
	if f.json {
		return json.NewEncoder(stdout).Encode(a)
	}
	if !first && !isTerminal(stdout) {
		a.Dashboard = a.Collector + "/"
	}
	keys := "of " + f.config
	if len(c.Apps) > 0 && (f.config == "" || first) {
		keys = "in " + filepath.Join(c.Data, config.KeysFile)
	}
	_, err := fmt.Fprintf(stdout, `Dashboard:  %s
Pages send: send({ url: '%s', sampleRate: 0.01 })
Keys:       %s
Data:       %s
Ctrl-C ends the collector.
`, a.Dashboard, a.Send, keys, c.Data)
	return err
}
