package clickhouse

import (
	"strconv"
	"strings"
	"testing"
)

// FuzzText reads literals as a server does: nothing may end one early, or be lost.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "'", `\`, `\'`, "'; DROP TABLE ticks; --", "\x00\n\xff", "日本語\u202e", "{x:String}", "?", "$1", "@name", "/*", "--"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		literal := text(s)
		inner := literal[1 : len(literal)-1]
		if literal[0] != '\'' || literal[len(literal)-1] != '\'' || strings.Contains(inner, "'") {
			t.Fatalf("%q became %s", s, literal)
		}
		var read strings.Builder
		for i := 0; i < len(inner); i++ {
			c := inner[i]
			if c == '\\' {
				if inner[i+1] != 'x' {
					t.Fatalf("%q became %s", s, literal)
				}
				n, err := strconv.ParseUint(inner[i+2:i+4], 16, 8)
				if err != nil {
					t.Fatal(err)
				}
				c, i = byte(n), i+3
			}
			read.WriteByte(c)
		}
		if read.String() != s {
			t.Errorf("%q became %s, which is read as %q", s, literal, read.String())
		}
	})
}

func TestAddresses(t *testing.T) {
	o, cluster, err := optionsOf("clickhouse://user:pw@h1:9000,h2:9000/field?cluster=main&dial_timeout=2s&insert_quorum=2")
	if err != nil {
		t.Fatal(err)
	}
	if cluster != "main" || len(o.Addr) != 2 || o.Auth.Database != "field" || o.Auth.Password != "pw" || o.Settings["insert_quorum"] != 2 || o.Settings["cluster"] != nil {
		t.Errorf("cluster %q, %+v", cluster, o)
	}
	if o, _, err = optionsOf("clickhouse+http://h1:8123"); err != nil || o.Auth.Database != "fieldprof" || o.Protocol.String() != "http" {
		t.Errorf("over HTTP: %+v, %v", o, err)
	}
	for _, address := range []string{"clickhouse://h1/a`b", "clickhouse://h1/a?cluster=x`%20y", "clickhouse://h1/a;b", "clickhouse://user:sec%ret@h1/"} {
		if _, _, err := optionsOf(address); err == nil || strings.Contains(err.Error(), "sec%ret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
