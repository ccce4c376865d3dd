package main

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/fieldprof/fieldprof/collect/client"
	"github.com/fieldprof/fieldprof/profile/view"
)

// collectorFlags say which collector to ask, and with which token.
type collectorFlags struct {
	url       string
	tokenFile string
	app       string
}

const (
	urlVariable      = "FIELDPROF_URL"
	tokenVariable    = "FIELDPROF_TOKEN"
	defaultCollector = "http://localhost:8090"
)

func (f *collectorFlags) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "url", "", "`URL` of the collector ($"+urlVariable+", or "+defaultCollector+")")
	flags.StringVar(&f.tokenFile, "token-file", "", "`file` that holds the token; without it $"+tokenVariable+" is the token")
	flags.StringVar(&f.app, "app", "", "`name` of the app; needed if the token admits to several")
}

// open makes a client, and warns if others on the way could read the token.
func (f *collectorFlags) open(stderr io.Writer) (*client.Client, error) {
	token := os.Getenv(tokenVariable)
	if f.tokenFile != "" {
		text, err := os.ReadFile(f.tokenFile)
		if err != nil {
			return nil, usageError("--token-file: %v", err)
		}
		token = string(text)
	}
	if token = strings.TrimSpace(token); token == "" {
		return nil, usageError("a token is missing: set $%s, or name a file with --token-file; instrument collect prints the one it made", tokenVariable)
	}
	address := cmp.Or(f.url, os.Getenv(urlVariable), defaultCollector)
	c, err := client.New(address, token)
	if err != nil {
		return nil, usageError("%v", err)
	}
	if u, err := url.Parse(address); err == nil && u.Scheme == "http" && !isLoopback(u.Hostname()) {
		fmt.Fprintf(stderr, "instrument: warning: %s is not encrypted: others on the way can read the token\n", view.Printable(u.Scheme+"://"+u.Host))
	}
	return c, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
