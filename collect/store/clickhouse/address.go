package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// name is what a cluster or a database may be called, so that it can be written into statements.
var name = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// optionsOf reads an address.
func optionsOf(address string) (o *clickhouse.Options, cluster string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, "", errors.New("the store's address cannot be read: it is clickhouse://HOST:PORT/DATABASE") // err has the password
	}
	query := u.Query()
	cluster = query.Get("cluster")
	query.Del("cluster")
	u.RawQuery = query.Encode()
	u.Scheme = strings.TrimPrefix(u.Scheme, "clickhouse+")
	o, err = clickhouse.ParseDSN(u.String())
	if err != nil {
		return nil, "", fmt.Errorf("the store's address: %w", err)
	}
	if o.Auth.Database == "" {
		o.Auth.Database = "fieldprof"
	}
	if !name.MatchString(o.Auth.Database) || cluster != "" && !name.MatchString(cluster) {
		return nil, "", errors.New("the store's address: names of databases and clusters have letters, digits, _ and -")
	}
	if o.DialTimeout == 0 {
		o.DialTimeout = 5 * time.Second
	}
	if o.MaxOpenConns == 0 {
		o.MaxOpenConns, o.MaxIdleConns = 40, 10 // a statement that waits too long for a connection fails
	}
	if o.Compression == nil && o.Protocol == clickhouse.Native {
		o.Compression = &clickhouse.Compression{Method: clickhouse.CompressionLZ4}
	}
	o.ClientInfo.Products = append(o.ClientInfo.Products, struct{ Name, Version string }{"fieldprof", ""})
	return o, cluster, nil
}

// createDatabase makes the database unless it exists. Connections to it need it.
func createDatabase(ctx context.Context, o *clickhouse.Options, cluster string) error {
	_, err := hasDatabase(ctx, o, func(conn driver.Conn) error {
		return conn.Exec(ctx, "CREATE DATABASE IF NOT EXISTS "+quoted(o.Auth.Database)+onCluster(cluster))
	})
	return err
}

// hasDatabase says whether the database exists. If not, it calls missing.
func hasDatabase(ctx context.Context, o *clickhouse.Options, missing func(driver.Conn) error) (bool, error) {
	first := *o
	first.Auth.Database = "default"
	conn, err := clickhouse.Open(&first)
	if err != nil {
		return false, err
	}
	var exists uint64
	err = conn.QueryRow(ctx, "SELECT count() FROM system.databases WHERE name = "+text(o.Auth.Database)).Scan(&exists)
	if err == nil && exists == 0 {
		err = missing(conn)
	}
	return exists > 0, errorsOf(err, conn.Close())
}

func onCluster(cluster string) string {
	if cluster == "" {
		return ""
	}
	return " ON CLUSTER " + quoted(cluster)
}

func quoted(name string) string { return "`" + name + "`" }

// errorsOf is the first of two errors.
func errorsOf(first, second error) error {
	if first != nil {
		return first
	}
	return second
}
