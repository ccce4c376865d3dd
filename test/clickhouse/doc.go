// Package clickhouse runs the store in ClickHouse against real servers: a modern one, which is
// inside the npm package chdb, and a cluster of Debian's, whose age shows that the store needs
// little.
package clickhouse
