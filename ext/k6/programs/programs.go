// Package programs has load tests of the size that people write, with the shop that they
// load. Tests run them with checks and without, and cost measures what checks cost.
package programs

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
)

//go:embed scripts
var scripts embed.FS

// Program is a load test.
type Program struct {
	Name       string
	Script     string // in Scripts
	Iterations int    // that take seconds
	Hottest    string // the function that has most time, by construction
}

// All are the programs.
var All = []Program{
	{"shop", "shop.js", 6000, "render"},
	{"orders", "orders.ts", 3000, "compare"},
	{"signing", "signing.js", 1500, "rounds"},
}

// Scripts are the programs' scripts.
func Scripts() fs.FS {
	sub, err := fs.Sub(scripts, "scripts")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Shop answers what the programs ask for.
func Shop() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /catalogue", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, "[")
		for i := range 60 {
			fmt.Fprintf(w, `%s{"id":%d,"name":"Article %d","price":%d.99,"stock":%d,"tags":["a%d","b%d"]}`, comma(i), i, i, i*7%90, i*13%40, i%5, i%3)
		}
		fmt.Fprint(w, "]")
	})
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var order any
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"accepted":true}`)
	})
	return mux
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}
