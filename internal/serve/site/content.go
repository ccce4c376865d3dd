package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"path"
	"strings"
	"sync"
)

// content is a file in memory.
type content struct {
	data []byte
	tag  string // changes with the data

	compress sync.Once
	small    []byte
}

func newContent(data []byte) *content {
	sum := sha256.Sum256(data)
	return &content{data: data, tag: hex.EncodeToString(sum[:12])}
}

// leastToCompress is the size of what fits a packet anyway.
const leastToCompress = 1 << 10

// gzipped returns the data compressed, or the data itself if that is not worth it.
func (c *content) gzipped() []byte {
	c.compress.Do(func() {
		c.small = c.data
		if len(c.data) >= leastToCompress {
			var b bytes.Buffer
			z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the way is short
			z.Write(c.data)
			z.Close()
			c.small = b.Bytes()
		}
	})
	return c.small
}

// types are those that matter on the web: the system's table differs from one machine to
// the next, and a module of another type does not run.
var types = map[string]string{
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml",
	".js": "text/javascript", ".mjs": "text/javascript", ".cjs": "text/javascript",
	".css": "text/css", ".json": "application/json", ".map": "application/json", ".wasm": "application/wasm",
	".webmanifest": "application/manifest+json", ".svg": "image/svg+xml", ".xml": "text/xml", ".txt": "text/plain", ".md": "text/plain",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon",
	".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf",
	".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav", ".mp4": "video/mp4", ".webm": "video/webm", ".pdf": "application/pdf",
}

// typeOf is the type of a file by its name. Text is in UTF-8, unless a page says otherwise.
func typeOf(name, charset string) string {
	ext := strings.ToLower(path.Ext(name))
	kind := types[ext]
	if kind == "" {
		kind = mime.TypeByExtension(ext)
	}
	if kind == "" {
		return "application/octet-stream"
	}
	if charset == "" {
		charset = "utf-8"
	}
	if strings.HasPrefix(kind, "text/") && !strings.Contains(kind, ";") {
		if whole := mime.FormatMediaType(kind, map[string]string{"charset": charset}); whole != "" {
			return whole
		}
	}
	return kind
}

// compressible reports whether text of a type gets smaller.
func compressible(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	switch kind {
	case "application/json", "application/wasm", "application/manifest+json", "application/xhtml+xml", "image/svg+xml", "font/ttf", "font/otf":
		return true
	}
	return strings.HasPrefix(kind, "text/")
}
