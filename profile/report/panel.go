package report

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
)

var (
	//go:embed dist/panel.js
	panelScript string
	//go:embed dist/panel.css
	panelStyle string
)

// PanelOptions are what a server tells the live panel.
type PanelOptions struct {
	// Token admits the panel: it is in the first message to the socket, and in addresses.
	Token string
	// Title heads the page; "" is "Live".
	Title string
	// Site is the URL at which people open what is profiled; "" is the root of the panel's own origin.
	Site string
	// Formats are names for `save`, the first of them chosen; none are cpuprofile and html.
	Formats []string
	// Before says that there is a profile to compare with, at `before`.
	Before bool
}

// WritePanel writes the page of the live panel, which needs no other file: the report's
// views over a stream. Below /__fieldprof/ it connects to `panel`, and asks for `save`,
// `read`, `before` and `text`. It may connect to its own origin only, and its worker
// comes from the page itself. The server must send the policies that only headers can
// state, such as which origins may frame it.
func WritePanel(w io.Writer, o PanelOptions) error {
	if o.Title == "" {
		o.Title = "Live"
	}
	if len(o.Formats) == 0 {
		o.Formats = []string{"cpuprofile", "html"}
	}
	options, err := json.Marshal(map[string]any{"title": o.Title, "site": o.Site, "formats": o.Formats, "before": o.Before}) // with <, > and & escaped
	if err != nil {
		return err
	}
	style := style + panelStyle
	out := bufio.NewWriter(w)
	more := fmt.Sprintf("<meta name=\"fieldprof-token\" content=\"%s\">\n<script type=\"application/json\" id=\"options\">%s</script>\n", html.EscapeString(o.Token), options)
	fmt.Fprintf(out, head, policy(panelScript, style, "; connect-src 'self'; worker-src blob:"), html.EscapeString(o.Title), style, more)
	fmt.Fprintf(out, tail, panelScript)
	return out.Flush()
}
