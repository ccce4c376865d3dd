//go:build !js

package client

import (
	"net/http"

	"github.com/coder/websocket"
)

func dialBy(client *http.Client) websocket.DialOptions {
	return websocket.DialOptions{HTTPClient: client}
}
