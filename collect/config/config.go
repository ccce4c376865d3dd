// Package config is what an operator tells the collector: one file, or nothing.
//
// Mistakes are errors with their line and column. Sizes are bytes, or 4MiB; durations are as
// Go writes them, or days: 400d. Any text can be $NAME, which stands for an environment
// variable, or text-file:PATH, which stands for what a file contains.
package config

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// Config is the content of the file. The zero value of a field means its default.
type Config struct {
	// Listen is where the collector listens: HOST:PORT, or :PORT for every address.
	Listen string `yaml:"listen"` // default :8090
	// Data is the folder of everything that the collector keeps.
	Data string `yaml:"data"` // default fieldprof-data
	// Cert and Key are PEM files for HTTPS; without them the collector speaks HTTP.
	Cert string `yaml:"cert"`
	Key  string `yaml:"key"`
	// TrustProxy believes the X-Forwarded-For of the proxy in front.
	TrustProxy bool `yaml:"trust-proxy"`
	// Metrics is another place to listen, with /metrics for every client that reaches it. Without it
	// /metrics needs a token that reads.
	Metrics string `yaml:"metrics"`
	// Memory is what the process should get along with.
	Memory int64 `yaml:"memory"` // default 448 MiB

	Apps   []App   `yaml:"apps"`
	Tokens []Token `yaml:"tokens"`
	// Store is the store's address: sqlite:PATH or clickhouse://HOST:PORT/DATABASE.
	Store     string          `yaml:"store"`
	Retention store.Retention `yaml:"retention"`
	Forward   []Forward       `yaml:"forward"`
	Spool     Spool           `yaml:"spool"`
}

// App is something whose pages send profiles.
type App struct {
	Name string `yaml:"name"`
	// Keys admit requests that write. They are in pages, and so no secret.
	Keys []string `yaml:"keys"`
	// Origins are the origins of pages that may send: "https://shop.example", "*".
	Origins []string `yaml:"origins"`
	Limits  Limits   `yaml:"limits"`
	// Labels are the custom labels that pages of this app may send.
	Labels []string `yaml:"labels"`
	// FirstParty are hosts of scripts that are the app's own (profile/slices).
	FirstParty []string `yaml:"first-party"`
	Budgets    string   `yaml:"budgets"` // a file, as instrument budget reads it
	Webhook    string   `yaml:"webhook"` // where broken budgets are reported
}

// Limits bound what a key and an address may send.
type Limits struct {
	PerSecond        float64 `yaml:"per-second"`         // requests of an app; default 1000
	PerAddress       float64 `yaml:"per-address"`        // requests of an address; default 20
	Body             int64   `yaml:"body"`               // bytes of a request as sent; default 4 MiB
	Unzipped         int64   `yaml:"unzipped"`           // and unzipped; default 32 MiB
	Frames           int     `yaml:"frames"`             // of a request; default 100,000
	Depth            int     `yaml:"depth"`              // of a stack; default 1,000; deeper ones are cut
	Values           int     `yaml:"values"`             // of a label; default 200, routes 1,000
	Series           int     `yaml:"series"`             // of an hour; default 20,000
	ExamplesPerRoute *int    `yaml:"examples-per-route"` // an hour; nil: 10
}

// Token admits requests that read or upload. Its text is a secret.
type Token struct {
	Text   string   `yaml:"text"`
	Apps   []string `yaml:"apps"` // that it admits to; none are all
	Read   bool     `yaml:"read"`
	Upload bool     `yaml:"upload"`
}

// Forward is another place to send profiles to.
type Forward struct {
	Kind    string            `yaml:"kind"` // pyroscope, otlp
	URL     string            `yaml:"url"`
	Headers map[string]string `yaml:"headers"`
	Every   time.Duration     `yaml:"every"` // default 15 s
}

// Identity tells a target from others: its kind, its address, and the names and values of its headers.
func (f Forward) Identity() []string {
	identity := []string{f.Kind, f.URL}
	for _, name := range slices.Sorted(maps.Keys(f.Headers)) {
		identity = append(identity, strings.ToLower(name), f.Headers[name])
	}
	return identity
}

// Spool bounds what waits for the store.
type Spool struct {
	Dir   string        `yaml:"dir"`
	Bytes int64         `yaml:"bytes"` // default 1 GiB
	Every time.Duration `yaml:"every"` // how often the store is written; default 2 s
}
