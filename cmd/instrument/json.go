package main

import (
	"encoding/json"
	"io"

	"github.com/fieldprof/fieldprof/profile/view"
)

// writeJSON prints a value as indented JSON. Names come from files and pages that may be anybody's:
// characters that view.Printable spells out are escaped, as in the JSON of package view.
func writeJSON(w io.Writer, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(view.EscapeJSON(data), '\n'))
	return err
}
