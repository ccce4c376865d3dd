package client

import (
	"net/http"

	"github.com/coder/websocket"
)

// dialBy leaves whom to trust to the browser.
func dialBy(*http.Client) websocket.DialOptions { return websocket.DialOptions{} }
