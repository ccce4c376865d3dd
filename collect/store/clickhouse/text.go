package clickhouse

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// text is a literal for any text: characters that are not plain are escaped, so that nothing in
// it can end it.
func text(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\' || c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02X`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func texts(list []string) string { return listOf(list, text) }

func idText(id record.ID) string { return text(string(id[:])) }

func number[N ~uint64](n N) string { return strconv.FormatUint(uint64(n), 10) }

func moment(t time.Time) string {
	return fmt.Sprintf("toDateTime(%d, 'UTC')", bounded(t).Unix())
}

// listOf is the right side of IN.
func listOf[T any](list []T, literal func(T) string) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, item := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(literal(item))
	}
	b.WriteByte(')')
	return b.String()
}
